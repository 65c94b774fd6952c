import { type Kysely, sql } from 'kysely'

/**
 * The business whose content a case is about. It stays when the content is deleted, so that its team still can't decide the case. No
 * foreign key: reports would lock the business.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table moderation_cases add column business_id uuid`.execute(db)
}
