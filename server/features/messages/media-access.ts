import { sql } from 'kysely'
import { theseIds } from '#server/db/these-ids.ts'
import type { MayReadMedia } from '#server/features/media/index.ts'
import { isDeletedFor, isParticipant } from './conversation.queries.ts'

/**
 * A message's photo is visible to both sides while they have the message. (`mayReadCaseMedia` lets moderators see it in the case
 * about a reported message.)
 */
export const mayReadMessageMedia: MayReadMedia = async (db, actor, messageIds) => {
  const { rows } = await sql`
    select from messages
    join conversations on conversations.id = messages.conversation_id
    join conversation_sides on conversation_sides.conversation_id = conversations.id
    where messages.id = ${theseIds(messageIds)} and ${isParticipant(sql`${actor.id}::uuid`)}
      and messages.sequence > conversation_sides.cleared_sequence
      and not ${isDeletedFor(sql`messages.id`, sql`conversation_sides.user_id`, sql`conversation_sides.business_id`)}
      and (messages.moderation is null or (messages.moderation <> 'removed'
        and case when messages.is_from_business then conversation_sides.business_id is not null
          else conversation_sides.user_id = messages.sender_id end))
    limit 1`.execute(db)
  return rows.length > 0
}
