import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Text of the last day as 64-bit similarity hashes: shows repeats without storing the text.
  await sql`
    create table recent_words (
      -- The post, comment or review with this text.
      subject_id uuid primary key,
      user_id uuid not null references users on delete cascade,
      fingerprint text not null check (fingerprint ~ '^[0-9a-f]{16}$'),
      is_new_writer boolean not null,
      said_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index recent_words_of_user on recent_words (user_id, said_at)`.execute(db)
  await sql`create index recent_words_same on recent_words (fingerprint, said_at) where is_new_writer`.execute(db)
  await sql`create index recent_words_oldest on recent_words (said_at)`.execute(db)
}
