import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** A message and whom it is for: a person, or where `receiver_id` is null the team of the business. */
export const sentMessage = (db: Db, messageId: string) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['messages.conversation_id', 'messages.sender_id', 'messages.is_from_business', 'messages.created_at'])
    .select(['conversations.business_id', 'conversations.accepted_at'])
    .select(
      sql<string | null>`case
        when conversations.business_id is not null then case when messages.is_from_business then conversations.person_id end
        when conversations.person_id = messages.sender_id then conversations.other_id
        else conversations.person_id
      end`.as('receiver_id'),
    )
    .where('messages.id', '=', messageId)
    .executeTakeFirst()
