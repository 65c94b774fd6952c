import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdParams } from './ids.ts'
import { Media } from './media.ts'
import { maxMessageLength, maxMessagePhotos } from './message-rules.ts'
import { page, wholeNumber } from './pagination.ts'
import { Person } from './people.ts'
import { BusinessByline } from './posts.ts'
import { line } from './text.ts'

export { holdsLink, maxRequestLength } from './message-rules.ts'

/** One end of a conversation. `gone`: the account does not exist any more; `name` is what stands in its place. */
export const Party = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), person: Person }),
  z.object({ kind: z.literal('business'), business: BusinessByline }),
  z.object({ kind: z.literal('gone'), name: z.string() }),
])
export type Party = z.infer<typeof Party>

/** Messages of a conversation are numbered from 1, in the order in which everybody sees them; what was deleted leaves a gap. */
const Sequence = z.int()

export const Conversation = z.object({
  id: Id,
  with: Party,
  /** As whom one is in it: as oneself, or as one of the team of a business, which answers in the business's name. */
  as: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('self') }),
    z.object({ kind: z.literal('business'), business: BusinessByline }),
  ]),
  /** Somebody whom one does not follow wrote first: accept, decline, or just answer, which accepts. */
  isRequest: z.boolean(),
  /** One's own first message is such a request for the other, who has not accepted it. They may never; one is not told. */
  isPending: z.boolean(),
  /** What is sent now becomes a request: at most `maxRequestLength` characters, no photos, no links. */
  sendsRequest: z.boolean(),
  /** One is not told of what comes; it does not count in the header. */
  isMuted: z.boolean(),
  /** One has blocked the other. Whether the other has blocked one is nowhere. */
  isBlocked: z.boolean(),
  unreadCount: z.int(),
  /** The last that one still has; `text` is its beginning on one line, empty for photos alone or where it was removed. */
  lastMessage: z.nullable(
    z.object({
      sequence: Sequence,
      text: z.string(),
      createdAt: z.iso.datetime(),
      isOwn: z.boolean(),
      hasPhotos: z.boolean(),
      isRemoved: z.boolean(),
    }),
  ),
  /** How far one's own side has read. */
  readSequence: Sequence,
  /** How far the other side has read; null where either of the two does not show it, and before a request is accepted. */
  theirReadSequence: z.nullable(Sequence),
  abilities: z.object({
    send: z.boolean(),
    sendPhotos: z.boolean(),
    accept: z.boolean(),
    decline: z.boolean(),
    /** Block the other end, or end that; in the name of the business where one is here for it. */
    block: z.boolean(),
  }),
  /** Why one cannot send, as a sentence; null where one can. */
  whyNot: z.nullable(z.string()),
})
export type Conversation = z.infer<typeof Conversation>

export const Message = z.object({
  id: Id,
  sequence: Sequence,
  conversationId: Id,
  /** Of one's own side: of a business's, whoever of the team wrote it. */
  isOwn: z.boolean(),
  sender: Party,
  /** Who of the team wrote it in the business's name: for the team alone, null for everybody else. */
  writtenBy: z.nullable(Person),
  /** Empty where it was removed, and for photos alone. */
  content: z.string(),
  media: z.array(Media),
  createdAt: z.iso.datetime(),
  /** Moderators took it from view: its place stays, its words and photos are gone. */
  isRemoved: z.boolean(),
  /** Others' messages can be reported, as subject `message`. */
  abilities: z.object({ report: z.boolean() }),
})
export type Message = z.infer<typeof Message>

/** `me`, or the id of a business whose inbox one shares. */
const inbox = z._default(z.union([z.literal('me'), Id]), 'me')

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'The conversations of an inbox, the last written first; requests are a list of their own',
  tag: 'Messages',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, inbox, requests: z._default(z.stringbool(), false) }),
  response: z.array(Conversation),
})

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:id',
  summary: 'One conversation',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  response: Conversation,
})

export const openConversation = endpoint({
  method: 'POST',
  path: '/api/conversations',
  summary: 'The one conversation with a person or a business; sends nothing. Where there is none and one may not write, 403 says why',
  tag: 'Messages',
  access: 'member',
  body: z.object({
    to: z.discriminatedUnion('kind', [z.object({ kind: z.literal('person'), id: Id }), z.object({ kind: z.literal('business'), id: Id })]),
    /** In the name of this business, to one of its subscribers or customers. */
    as: z._default(z.nullable(Id), null),
  }),
  response: Conversation,
})

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id',
  summary: 'Delete what there is of a conversation so far, for oneself: the other side keeps it',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages',
  summary: 'The messages of a conversation, newest first; with `after`, those that came after that one, oldest first',
  tag: 'Messages',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object({
    ...page,
    /** To catch up: the highest sequence one has, 0 for none. */
    after: z.optional(wholeNumber(0)),
  }),
  response: z.array(Message),
})

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages',
  summary: 'Send a message; sending the same id again answers the same message',
  tag: 'Messages',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z
    .object({
      /** Made by the sender, a UUIDv7: after a lost answer it is sent again and there once. */
      id: z.uuidv7('Must be a UUIDv7').check(z.toLowerCase()),
      content: z._default(line(maxMessageLength), ''),
      /** Ready uploads of the sender's own, in order. */
      mediaIds: z._default(z.array(Id).check(z.maxLength(maxMessagePhotos, `At most ${maxMessagePhotos} photos`)), []),
    })
    .check(
      z.refine(({ content, mediaIds }) => content !== '' || mediaIds.length > 0, { message: 'Write something first', path: ['content'] }),
    ),
  response: Message,
  status: 201,
})

export const readConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/read',
  summary: 'Say how far one has read; reading back changes nothing',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  body: z.object({ sequence: z.int().check(z.minimum(0)) }),
  response: z.object({ conversationId: Id, readSequence: Sequence, unreadCount: z.int() }),
})

export const tellTyping = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/typing',
  summary: 'Say that one is typing: passed on at once, kept nowhere, at most once in three seconds',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

const MuteState = z.object({ conversationId: Id, isMuted: z.boolean() })

export const muteConversation = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/mute',
  summary: 'Not be told of what comes in a conversation; muting again changes nothing',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const unmuteConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id/mute',
  summary: 'Be told again of what comes in a conversation',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const acceptConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/accept',
  summary: 'Accept a request: both write freely from now on; accepting again changes nothing',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  response: Conversation,
})

export const declineConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/decline',
  summary: 'Decline a request: it is gone from the list, nothing more comes for 30 days, and the sender is not told',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/messages/:id',
  summary: 'Delete one message for oneself: the other side keeps it',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

export const FoundMessage = z.object({ message: Message, with: Party })
export type FoundMessage = z.infer<typeof FoundMessage>

export const searchMessages = endpoint({
  method: 'GET',
  path: '/api/messages/search',
  summary:
    'Messages of an inbox that hold all these words, newest first. A page looks so far back and no further: it may be short or empty and still have a next one',
  tag: 'Messages',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, inbox, q: z._default(line(100), '') }),
  response: z.array(FoundMessage),
})

export const UnreadMessages = z.object({
  /** What the header shows: unread messages of one's own and of the inboxes one shares, without requests and what is muted. */
  count: z.int(),
  /** Of those, one's own. */
  own: z.int(),
  /** Requests that wait for an answer, at most 100 counted. */
  requests: z.int(),
  /** The inboxes one shares, also those without anything new. */
  businesses: z.array(z.object({ business: BusinessByline, count: z.int() })),
})
export type UnreadMessages = z.infer<typeof UnreadMessages>

export const getUnreadMessages = endpoint({
  method: 'GET',
  path: '/api/messages/unread-count',
  summary: 'How many messages are unread, by inbox',
  tag: 'Messages',
  access: 'member',
  response: UnreadMessages,
})

/**
 * Whose first message comes through, as a request unless one follows them: everybody's, or only of those whom one follows, or
 * nobody's. What was accepted goes on.
 */
export const TakesMessagesFrom = z.enum(['everybody', 'followed', 'nobody'])
export type TakesMessagesFrom = z.infer<typeof TakesMessagesFrom>

export const MessageSettings = z.object({
  /** Others see how far one has read and that one is typing. Whoever shows neither sees neither. */
  showsReadMarks: z.boolean(),
  takesMessagesFrom: TakesMessagesFrom,
})
export type MessageSettings = z.infer<typeof MessageSettings>

export const getMessageSettings = endpoint({
  method: 'GET',
  path: '/api/message-settings',
  summary: 'Who may write to one, and whether others see what one has read',
  tag: 'Messages',
  access: 'member',
  response: MessageSettings,
})

export const saveMessageSettings = endpoint({
  method: 'PUT',
  path: '/api/message-settings',
  summary: 'Change who may write to one, and whether others see what one has read',
  tag: 'Messages',
  access: 'member',
  body: MessageSettings,
  response: MessageSettings,
})
