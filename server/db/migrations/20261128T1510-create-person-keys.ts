import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Keys of people, for programs that read and write their hunts. Revoking one deletes it.
  await sql`
    create table person_keys (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      name text not null check (length(name) between 1 and 60),
      scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['hunts:read', 'hunts:write']),
      secret_hash text not null unique,
      secret_end text not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3),
      last_used_at timestamptz(3)
    )`.execute(db)
  await sql`create index person_keys_of_user on person_keys (user_id, id desc)`.execute(db)
  await sql`create unique index person_keys_names on person_keys (user_id, lower(name))`.execute(db)
}
