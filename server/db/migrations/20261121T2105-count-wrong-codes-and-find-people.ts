import { type Kysely, sql } from 'kysely'
import { addTrigramIndex } from '#server/db/trigram-index.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table second_factors
      -- A new authenticator's secret until its first correct code; encrypted like the current one.
      add column next_secret text,
      -- Wrong codes since wrong_since: after five in 15 minutes, none is checked until that time is over.
      add column wrong_count integer not null default 0 check (wrong_count >= 0),
      add column wrong_since timestamptz(3)`.execute(db)

  // For the admin's search, which scans the table without the trigram extension.
  await addTrigramIndex(db, 'users_name_trigrams', 'users', 'name')
  await addTrigramIndex(db, 'users_display_name_trigrams', 'users', 'display_name')
  await addTrigramIndex(db, 'users_email_trigrams', 'users', 'email')
}
