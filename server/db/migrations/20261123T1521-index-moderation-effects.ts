import { type Kysely, sql } from 'kysely'

/** Undoing an action looks up later actions on each of its subjects. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index moderation_effects_of_subject on moderation_effects (subject, subject_id)`.execute(db)
}
