import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page, wholeNumber } from './fields.ts'
import { Media } from './media.ts'
import { maxMessageLength, maxMessagePhotos } from './messages.rules.ts'
import { Person } from './people.ts'
import { BusinessByline } from './posts.ts'
import { settingFields } from './settings.ts'
import * as z from './zod.ts'

/** `gone` stands for a deleted account, with a placeholder as its name. */
export const Participant = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), person: Person }),
  z.object({ kind: z.literal('business'), business: BusinessByline }),
  z.object({ kind: z.literal('gone'), name: z.string() }),
])
export type Participant = z.infer<typeof Participant>

/** Numbered from 1 in display order. Deleted messages leave a gap. */
const Sequence = z.int()

export const Conversation = z.object({
  id: Id,
  participant: Participant,
  /** Whether the viewer writes under their own name or for a business. */
  as: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('self') }),
    z.object({ kind: z.literal('business'), business: BusinessByline }),
  ]),
  /** The first message came from someone the viewer didn't follow then. The viewer can accept or decline it, or reply, which accepts it. */
  isRequest: z.boolean(),
  /** The other participant hasn't accepted the viewer's request. A declined request looks the same. */
  isPending: z.boolean(),
  /** The next message will be a request: at most `maxRequestLength` characters, without photos or links. */
  sendsRequest: z.boolean(),
  /** Sends no notifications and doesn't count in the header. */
  isMuted: z.boolean(),
  /** The viewer has blocked the other participant. Whether the other participant has blocked the viewer is never disclosed. */
  isBlocked: z.boolean(),
  unreadCount: z.int(),
  /** The last message that the viewer hasn't deleted. `text` is its start on one line; empty if it was removed or has only photos. */
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
  /** How far the viewer, or the team of the viewer's business, has read. */
  readSequence: Sequence,
  /**
   * How far the other participant has read. Null if either participant hides read receipts or has blocked the other, or if the conversation
   * hasn't been accepted.
   */
  theirReadSequence: z.nullable(Sequence),
  abilities: z.object({
    send: z.boolean(),
    sendPhotos: z.boolean(),
    accept: z.boolean(),
    decline: z.boolean(),
    /** Block or unblock the other participant, on the business's behalf in its inbox. */
    block: z.boolean(),
  }),
  sendRefusal: z.nullable(z.string()),
  /** The reason for the refusal is that the business accepts messages only from its subscribers and people with the VIP plan. */
  needsSubscription: z.boolean(),
})
export type Conversation = z.infer<typeof Conversation>

export const Message = z.object({
  id: Id,
  sequence: Sequence,
  conversationId: Id,
  /** Sent by the viewer or, in a business inbox, by anyone on its team. */
  isOwn: z.boolean(),
  sender: Participant,
  /** Visible only to the team of the business that sent the message. */
  writtenBy: z.nullable(Person),
  /** Empty if the message was removed or has only photos. */
  content: z.string(),
  media: z.array(Media),
  createdAt: z.iso.datetime(),
  /** Removed by moderators, or hidden from everyone but its sender, so its text and photos are missing. */
  isRemoved: z.boolean(),
  /** Other people's messages can be reported as subject `message`. */
  abilities: z.object({ report: z.boolean() }),
})
export type Message = z.infer<typeof Message>

export const FoundMessage = z.object({ message: Message, participant: Participant })
export type FoundMessage = z.infer<typeof FoundMessage>

export const UnreadMessages = z.object({
  /** For the header's badge: unread messages in the person's own and shared inboxes, excluding requests and muted conversations. */
  count: z.int(),
  own: z.int(),
  /** Requests that the person hasn't accepted or declined, counted up to 100. */
  requests: z.int(),
  /** Shared inboxes, including those without unread messages. */
  businesses: z.array(z.object({ business: BusinessByline, count: z.int() })),
})
export type UnreadMessages = z.infer<typeof UnreadMessages>

export const MessageSettings = z.object(settingFields.messages)
export type MessageSettings = z.infer<typeof MessageSettings>

/** Omitted settings don't change. */
const MessageSettingsChange = z.partial(MessageSettings)
export type MessageSettingsChange = z.infer<typeof MessageSettingsChange>

/** `me`, or the ID of a business whose inbox the person can access. */
const inbox = z._default(z.union([z.literal('me'), Id]), 'me')

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'List the conversations in an inbox, latest message first; requests are listed separately',
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
  summary:
    "Open the conversation with a person or a business without sending anything. If there is none yet and you can't write to them, the 403 says why.",
  tag: 'Messages',
  access: 'member',
  body: z.object({
    to: z.discriminatedUnion('kind', [z.object({ kind: z.literal('person'), id: Id }), z.object({ kind: z.literal('business'), id: Id })]),
    /** Sends on behalf of this business, to one of its subscribers or to someone who wrote to it first. */
    as: z._default(z.nullable(Id), null),
  }),
  response: Conversation,
})

export const deleteConversation = endpoint({
  method: 'DELETE',
  path: '/api/conversations/:id',
  summary: "Delete your copy of a conversation's messages; the other participant keeps theirs",
  tag: 'Messages',
  access: 'member',
  params: IdParams,
})

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/conversations/:id/messages',
  summary: 'List the messages in a conversation, newest first; with `after`, those after that message, oldest first',
  tag: 'Messages',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object({
    ...page,
    /** The highest sequence number already received, or 0. Returns the messages after it. */
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
      /** A UUIDv7 from the client, so resending after a lost response doesn't duplicate the message. */
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

export const markConversationRead = endpoint({
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
  summary: "Signal that you're typing. Passed on immediately, at most once every three seconds, and never stored.",
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
  summary: 'Decline a request without notifying the sender. Removes it from the list and blocks new requests for at least 30 days.',
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
    'Find messages in an inbox that contain every word of the query, newest first. Only the first eight words count. Each page searches a limited range, so a short or empty page can be followed by another.',
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
  method: 'PATCH',
  path: '/api/message-settings',
  summary: 'Change who can write to you, and whether read receipts are on',
  tag: 'Messages',
  access: 'member',
  body: MessageSettingsChange,
  response: MessageSettings,
})
