import type { Message } from '../../../contracts/messages.ts'
import type { Db } from '../../db/connect.ts'
import { mediaOf } from '../media/index.ts'
import { peopleById } from '../people/index.ts'
import { toBusinessByline } from '../posts/index.ts'
import { isOwnMessage, isTakenFromView } from './conversations.view.ts'
import { type Held, partyOf } from './held.ts'
import { type MessageRow, photosOfMessages } from './messages.queries.ts'

/** These messages as the sides that hold their conversations see them, in the same order. */
export async function toMessages(db: Db, held: ReadonlyMap<string, Held>, rows: readonly MessageRow[]): Promise<Message[]> {
  const photos = await photosOfMessages(
    db,
    rows.map(({ id }) => id),
  )
  const media = await mediaOf(db, [...photos.values()].flat())
  // Blocked or not: they stand in a conversation that one has.
  const people = await peopleById(
    db,
    rows.map((row) => row.sender_id),
  )
  return rows.flatMap((row) => {
    const from = held.get(row.conversation_id)
    if (!from) return []
    const isOwn = isOwnMessage(from.row, { senderId: row.sender_id, isFromBusiness: row.is_from_business })
    const isRemoved = isTakenFromView(row.moderation, isOwn)
    const writer = row.sender_id === null ? null : (people.get(row.sender_id) ?? null)
    return {
      id: row.id,
      sequence: row.sequence,
      conversationId: row.conversation_id,
      isOwn,
      sender: row.is_from_business ? partyOf(null, toBusinessByline(from.row)) : partyOf(writer, null),
      writtenBy: row.is_from_business && !from.row.is_self ? writer : null,
      content: isRemoved ? '' : row.content,
      media: isRemoved ? [] : (photos.get(row.id) ?? []).flatMap((id) => media.get(id) ?? []),
      createdAt: row.created_at.toISOString(),
      isRemoved,
      abilities: { report: !isOwn && !isRemoved },
    }
  })
}
