import { Id } from './fields.ts'
import { Media } from './media.ts'
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
export const Sequence = z.int()

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
  /** How far the viewer's side has read. */
  readSequence: Sequence,
  /** How far the other side has read; null if either side hides read receipts or the request isn't accepted. */
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
  /** From the viewer's side; for a business, by anyone on its team. */
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
