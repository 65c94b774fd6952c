import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Null for demo accounts, which nobody reads mail for. */
const mailbox = sql<string | null>`case when users.is_demo then null else users.email end`.as('email')

export const moderationOf = (db: Db, actionId: string) =>
  db
    .selectFrom('moderation_actions as actions')
    .leftJoin('users', 'users.id', 'actions.user_id')
    .select(['actions.action', 'actions.user_id', 'actions.created_at', 'actions.undone_at', mailbox])
    .where('actions.id', '=', actionId)
    .executeTakeFirst()

export const appealOf = (db: Db, appealId: string) =>
  db
    .selectFrom('moderation_appeals as appeals')
    .innerJoin('users', 'users.id', 'appeals.user_id')
    .select(['appeals.action_id', 'appeals.user_id', 'appeals.decided_at', mailbox])
    .where('appeals.id', '=', appealId)
    .executeTakeFirst()
