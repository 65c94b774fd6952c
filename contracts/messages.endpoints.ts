import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page, wholeNumber } from './fields.ts'
import { Media } from './media.ts'
import { maxMessageLength, maxMessagePhotos } from './messages.rules.ts'
import { Person } from './people.ts'
import { BusinessByline } from './posts.ts'
import { settingFields } from './settings.ts'
import * as z from './zod.ts'

/** A participant. `gone`: the account was deleted; `name` replaces it. */
export const Participant = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), person: Person }),
  z.object({ kind: z.literal('business'), business: BusinessByline }),
  z.object({ kind: z.literal('gone'), name: z.string() }),
])
export type Participant = z.infer<typeof Participant>

/** Messages are numbered from 1 in display order; deleted ones leave a gap. */
const Sequence = z.int()

export const Conversation = z.object({
  id: Id,
  participant: Participant,
  /** Whether the viewer writes as themselves or in the name of a business. */
  as: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('self') }),
    z.object({ kind: z.literal('business'), business: BusinessByline }),
  ]),
  /** Someone the viewer doesn't follow wrote first: accept, decline, or reply, which accepts. */
  isRequest: z.boolean(),
  /** The viewer's first message is an unanswered request. It may never be accepted, and a refusal isn't disclosed. */
  isPending: z.boolean(),
  /** The next message will be a request: at most `maxRequestLength` characters, no photos, no links. */
  sendsRequest: z.boolean(),
  /** No notifications, and not counted in the header. */
  isMuted: z.boolean(),
  /** The viewer has blocked the other participant. The reverse is never disclosed. */
  isBlocked: z.boolean(),
  unreadCount: z.int(),
  /** The last message the viewer hasn't deleted. `text` is its start on one line; empty if it was removed or has only photos. */
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
  /** How far the viewer has read, or the team of the viewer's business. */
  readSequence: Sequence,
  /** How far the other participant has read; null if either one hides read receipts or the request isn't accepted. */
  theirReadSequence: z.nullable(Sequence),
  abilities: z.object({
    send: z.boolean(),
    sendPhotos: z.boolean(),
    accept: z.boolean(),
    decline: z.boolean(),
    /** Block or unblock the other participant, in a business inbox on its behalf. */
    block: z.boolean(),
  }),
  /** Why the viewer can't send, as a sentence, or null. */
  sendRefusal: z.nullable(z.string()),
})
export type Conversation = z.infer<typeof Conversation>

export const Message = z.object({
  id: Id,
  sequence: Sequence,
  conversationId: Id,
  /** Sent by the viewer; for a business, by anyone on its team. */
  isOwn: z.boolean(),
  sender: Participant,
  /** The team member who wrote it; visible only to the team. */
  writtenBy: z.nullable(Person),
  /** Empty if it was removed or has only photos. */
  content: z.string(),
  media: z.array(Media),
  createdAt: z.iso.datetime(),
  /** Removed by moderators: the message stays without text and photos. */
  isRemoved: z.boolean(),
  /** Other people's messages can be reported as subject `message`. */
  abilities: z.object({ report: z.boolean() }),
})
export type Message = z.infer<typeof Message>

export const FoundMessage = z.object({ message: Message, participant: Participant })
export type FoundMessage = z.infer<typeof FoundMessage>

export const UnreadMessages = z.object({
  /** Header badge: unread messages in the person's own and shared inboxes, excluding requests and muted conversations. */
  count: z.int(),
  /** The part in the person's own inbox. */
  own: z.int(),
  /** Unanswered requests, counted up to 100. */
  requests: z.int(),
  /** Shared inboxes, including those without unread messages. */
  businesses: z.array(z.object({ business: BusinessByline, count: z.int() })),
})
export type UnreadMessages = z.infer<typeof UnreadMessages>

export const MessageSettings = z.object(settingFields.messages)
export type MessageSettings = z.infer<typeof MessageSettings>

/** `me`, or the ID of a business whose inbox the person can access. */
const inbox = z._default(z.union([z.literal('me'), Id]), 'me')

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'List the conversations of an inbox, those with the latest messages first; requests have a separate list',
  tag: 'Messages',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, inbox, requests: z._default(z.stringbool(), false) }),
  response: z.array(Conversation),
})

export const getConversation = endpoint({
  method: 'GET',
  path: '/api/conversations/:id',
  summary: 'Read a conversation',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  response: Conversation,
})

export const openConversation = endpoint({
  method: 'POST',
  path: '/api/conversations',
  summary: "Open the conversation with a person or a business without sending anything; 403 says why if you can't write",
  tag: 'Messages',
  access: 'member',
  body: z.object({
    to: z.discriminatedUnion('kind', [z.object({ kind: z.literal('person'), id: Id }), z.object({ kind: z.literal('business'), id: Id })]),
    /** Send on behalf of this business, to one of its subscribers or customers. */
    as: z._default(z.nullable(Id), null),
  }),
  response: Conversation,
})

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id',
  summary: 'Delete your copy of a conversation so far; the other participant keeps theirs',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages',
  summary: 'List the messages of a conversation, newest first; with `after`, those that came after that one, oldest first',
  tag: 'Messages',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object({
    ...page,
    /** For catching up: the highest sequence already received, or 0. */
    after: z.optional(wholeNumber(0)),
  }),
  response: z.array(Message),
})

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/messages',
  summary: 'Send a message. Idempotent by ID.',
  tag: 'Messages',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z
    .object({
      /** A UUIDv7 from the client: resending after a lost response doesn't duplicate the message. */
      id: z.uuidv7('Must be a UUIDv7').check(z.toLowerCase()),
      content: z._default(line(maxMessageLength), ''),
      /** The sender's processed uploads, in order. */
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
  summary: 'Mark a conversation as read up to a message; an earlier one changes nothing',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  body: z.object({ sequence: z.int().check(z.minimum(0)) }),
  response: z.object({ conversationId: Id, readSequence: Sequence, unreadCount: z.int() }),
})

export const sendTyping = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/typing',
  summary: 'Signal that you are typing: passed on at once, never stored, at most once every three seconds',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

const MuteState = z.object({ conversationId: Id, isMuted: z.boolean() })

export const muteConversation = endpoint({
  method: 'PUT',
  path: '/api/conversations/:id/mute',
  summary: 'Mute a conversation. Idempotent.',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const unmuteConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id/mute',
  summary: 'Unmute a conversation',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  response: MuteState,
})

export const acceptConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/accept',
  summary: 'Accept a request; both participants can then write freely. Idempotent.',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
  response: Conversation,
})

export const declineConversation = endpoint({
  method: 'POST',
  path: '/api/conversations/:id/decline',
  summary: "Decline a request: it leaves the list, blocks new ones for 30 days, and the sender isn't notified",
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

export const deleteMessage = endpoint({
  method: 'DELETE',
  path: '/api/messages/:id',
  summary: 'Delete one message for yourself; the other participant still sees it',
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

export const searchMessages = endpoint({
  method: 'GET',
  path: '/api/messages/search',
  summary:
    'Find messages in an inbox that contain all these words, newest first. A page searches a limited range, so it can be short or empty and still have a next one.',
  tag: 'Messages',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, inbox, q: z._default(line(100), '') }),
  response: z.array(FoundMessage),
})

export const getUnreadMessages = endpoint({
  method: 'GET',
  path: '/api/messages/unread-count',
  summary: 'Count unread messages by inbox',
  tag: 'Messages',
  access: 'member',
  response: UnreadMessages,
})

export const getMessageSettings = endpoint({
  method: 'GET',
  path: '/api/message-settings',
  summary: 'Read who can write to you, and whether read receipts are on',
  tag: 'Messages',
  access: 'member',
  response: MessageSettings,
})

export const saveMessageSettings = endpoint({
  method: 'PUT',
  path: '/api/message-settings',
  summary: 'Change who can write to you, and whether read receipts are on',
  tag: 'Messages',
  access: 'member',
  body: MessageSettings,
  response: MessageSettings,
})
