import { type Kysely, sql } from 'kysely'

/** Taking an action back asks for each thing which later action changed it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index moderation_effects_of_subject on moderation_effects (subject, subject_id)`.execute(db)
}
