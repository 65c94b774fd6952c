import { endpoint } from './endpoint.ts'
import { Id, IdParams, line, page, wholeNumber } from './fields.ts'
import { maxMessageLength, maxMessagePhotos } from './messages.rules.ts'
import { Conversation, FoundMessage, Message, MessageSettings, Sequence, UnreadMessages } from './messages.ts'
import * as z from './zod.ts'

/** `me`, or the ID of a business whose inbox the person can access. */
const inbox = z._default(z.union([z.literal('me'), Id]), 'me')

export const listConversations = endpoint({
  method: 'GET',
  path: '/api/conversations',
  summary: 'List the conversations of an inbox, the latest message first; requests have a separate list',
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
  summary: 'Signal that you are typing: passed on at once, never stored, at most once in three seconds',
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
