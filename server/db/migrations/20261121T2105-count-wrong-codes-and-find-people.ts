import { type Kysely, sql } from 'kysely'
import { addTrigramIndex } from '../trigram-index.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table second_factors
      -- Another authenticator's, until its first code was right; encrypted like the one in use.
      add column next_secret text,
      -- Wrong codes since wrong_since: five in a quarter of an hour, and none is compared until that is over.
      add column wrong_count integer not null default 0 check (wrong_count >= 0),
      add column wrong_since timestamptz(3)`.execute(db)

  // For the admin's search; without the trigram extension it reads the rows.
  await addTrigramIndex(db, 'users_name_trigrams', 'users', 'name')
  await addTrigramIndex(db, 'users_display_name_trigrams', 'users', 'display_name')
  await addTrigramIndex(db, 'users_email_trigrams', 'users', 'email')
}
