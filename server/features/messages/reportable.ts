import { type RawBuilder, sql } from 'kysely'
import { isDeletedFor, isParticipant } from './conversation.queries.ts'

/**
 * One row if the person has access to the message, none otherwise. `is_own`: written by their own side, so it can't be reported.
 */
export const messageSubject = (
  personId: string,
  messageId: string,
): RawBuilder<{ is_own: boolean; user_id: string | null; community_id: string | null }> => {
  const self = sql`${personId}::uuid`
  return sql`
    select case when conversation_sides.user_id is null then messages.is_from_business
      else not messages.is_from_business and messages.sender_id is not distinct from ${self} end as is_own,
      messages.sender_id as user_id, null::uuid as community_id
    from messages
    join conversations on conversations.id = messages.conversation_id
    join conversation_sides on conversation_sides.conversation_id = conversations.id
    where messages.id = ${messageId}::uuid and messages.moderation is null and ${isParticipant(self)}
      and messages.sequence > conversation_sides.cleared_sequence
      and not ${isDeletedFor(sql`messages.id`, sql`conversation_sides.user_id`, sql`conversation_sides.business_id`)}`
}
