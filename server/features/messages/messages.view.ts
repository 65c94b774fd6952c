import type { Conversation, Message } from '#contracts/messages.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { peopleById } from '#server/features/people/index.ts'
import { toBusinessByline } from '#server/features/posts/index.ts'
import type { ConversationRow, LastMessage } from './conversation.queries.ts'
import { type ConversationView, isOpenRequest, toParticipant } from './conversation.ts'
import { type MessageRow, photosOfMessages } from './messages.queries.ts'

/** Keeps the order of the rows. */
export async function toMessages(db: Db, views: ReadonlyMap<string, ConversationView>, rows: readonly MessageRow[]): Promise<Message[]> {
  const photos = await photosOfMessages(db, idsOf(rows))
  const media = await mediaOf(db, [...photos.values()].flat())
  // Includes blocked people, who still appear in an existing conversation.
  const personIds = rows.map((row) => row.sender_id)
  const people = await peopleById(db, personIds)
  return rows.flatMap((row) => {
    const from = views.get(row.conversation_id)
    if (!from) return []
    const isOwn = isOwnMessage(from.row, { senderId: row.sender_id, isFromBusiness: row.is_from_business })
    const isRemoved = isTakenFromView(row.moderation, isOwn)
    const writer = row.sender_id === null ? null : (people.get(row.sender_id) ?? null)
    return {
      id: row.id,
      sequence: row.sequence,
      conversationId: row.conversation_id,
      isOwn,
      sender: row.is_from_business ? toParticipant(null, toBusinessByline(from.row)) : toParticipant(writer, null),
      writtenBy: row.is_from_business && !from.row.is_self ? writer : null,
      content: isRemoved ? '' : row.content,
      media: isRemoved ? [] : (photos.get(row.id) ?? []).flatMap((id) => media.get(id) ?? []),
      createdAt: row.created_at.toISOString(),
      isRemoved,
      abilities: { report: !isOwn && !isRemoved },
    }
  })
}

export function toConversation(conversation: ConversationView): Conversation {
  const { row, sending } = conversation
  const maySend = sending.refusal === null
  // A deleted account no longer awaits an answer.
  const awaitsAnswer = isOpenRequest(conversation) && conversation.participant.kind !== 'gone'
  return {
    id: row.id,
    participant: conversation.participant,
    as: conversation.as,
    isRequest: isOpenRequest(conversation),
    isPending: sending.isPending,
    sendsRequest: sending.asRequest,
    isMuted: row.muted_at !== null,
    isBlocked: row.has_blocked,
    unreadCount: row.unread_count,
    lastMessage: row.last && toLastMessage(row, row.last),
    readSequence: row.read_sequence,
    theirReadSequence: showsReadReceipts(row) ? row.their_read_sequence : null,
    abilities: {
      send: maySend,
      sendPhotos: maySend && !sending.asRequest,
      accept: awaitsAnswer && !row.has_blocked,
      decline: awaitsAnswer,
      block: conversation.participant.kind !== 'gone' && (row.is_self || row.may_block),
    },
    sendRefusal: sending.refusal,
    needsSubscription: sending.needsSubscription,
  }
}

/**
 * Whether read receipts and typing indicators show: both participants have them turned on, the conversation is accepted, and neither has
 * blocked the other.
 */
export const showsReadReceipts = (row: ConversationRow): boolean =>
  row.both_show_marks && row.accepted_at !== null && !row.has_blocked && !row.is_blocked

type Sent = Pick<LastMessage, 'senderId' | 'isFromBusiness'>

/** Sent as the viewer: by the person themselves, or by any team member for the business. */
export const isOwnMessage = (row: Pick<ConversationRow, 'is_self' | 'self_id'>, sent: Sent): boolean =>
  row.is_self ? !sent.isFromBusiness && sent.senderId === row.self_id : sent.isFromBusiness

/** Authors can still see their hidden messages; only moderators can see removed ones. */
const isTakenFromView = (moderation: LastMessage['moderation'], isOwn: boolean): boolean =>
  moderation === 'removed' || (moderation !== null && !isOwn)

const excerptLength = 140

function toLastMessage(row: ConversationRow, last: LastMessage): NonNullable<Conversation['lastMessage']> {
  const isOwn = isOwnMessage(row, last)
  const isRemoved = isTakenFromView(last.moderation, isOwn)
  return {
    sequence: last.sequence,
    text: isRemoved ? '' : excerptOf(last.beginning),
    createdAt: new Date(last.createdAt).toISOString(),
    isOwn,
    hasPhotos: !isRemoved && last.hasPhotos,
    isRemoved,
  }
}

/** One line, cut at a word boundary if there is one near the end. */
function excerptOf(beginning: string): string {
  const line = beginning.replace(/\s+/g, ' ').trim()
  if (line.length <= excerptLength) return line
  const cut = line.slice(0, excerptLength)
  const space = cut.lastIndexOf(' ')
  // Drops half of a surrogate pair.
  const text = space > excerptLength - 30 ? cut.slice(0, space) : cut.replace(/[\uD800-\uDBFF]$/, '')
  return `${text}…`
}
