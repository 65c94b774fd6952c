import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Short-lived tokens of API keys, for systems that use OAuth. They stop with their key.
  await sql`
    create table business_key_tokens (
      token_hash text primary key,
      key_id uuid not null references business_keys on delete cascade,
      scopes text[] not null,
      expires_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index business_key_tokens_of_key on business_key_tokens (key_id, expires_at)`.execute(db)
}
