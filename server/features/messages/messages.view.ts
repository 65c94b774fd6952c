import type { Message } from '#contracts/messages.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import { peopleById } from '#server/features/people/index.ts'
import { toBusinessByline } from '#server/features/posts/index.ts'
import { type ConversationView, toParticipant } from './conversation.ts'
import { isOwnMessage, isTakenFromView } from './conversations.view.ts'
import { type MessageRow, photosOfMessages } from './messages.queries.ts'

/** The messages as their viewers see them, in the same order. */
export async function toMessages(db: Db, views: ReadonlyMap<string, ConversationView>, rows: readonly MessageRow[]): Promise<Message[]> {
  const photos = await photosOfMessages(
    db,
    rows.map(({ id }) => id),
  )
  const media = await mediaOf(db, [...photos.values()].flat())
  // Includes blocked people, who still appear in an existing conversation.
  const people = await peopleById(
    db,
    rows.map((row) => row.sender_id),
  )
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
