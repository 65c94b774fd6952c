import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // When the account is due for deletion; until then its owner may keep it, and no one else sees who they are.
  await sql`alter table users add column leaves_at timestamptz(3)`.execute(db)
  await sql`create index users_leaving on users (leaves_at) where leaves_at is not null`.execute(db)

  await sql`
    create table account_deletions (
      user_id uuid primary key references users on delete cascade,
      asked_at timestamptz(3) not null,
      -- The profile's moderation state, restored if the account is kept.
      profile_moderation text check (profile_moderation in ('held', 'hidden', 'removed')),
      gives_up_businesses boolean not null,
      reminded_at timestamptz(3),
      -- The deletion can't be canceled after this.
      began_at timestamptz(3),
      told_at timestamptz(3)
    )`.execute(db)

  await sql`
    create table data_exports (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      status text not null default 'waiting' check (status in ('waiting', 'making', 'ready', 'failed')),
      requested_at timestamptz(3) not null,
      -- Percent.
      progress smallint not null default 0 check (progress between 0 and 100),
      attempts smallint not null default 0,
      -- Heartbeat of the process creating it; after a silence, another one takes over.
      beat_at timestamptz(3),
      ready_at timestamptz(3),
      expires_at timestamptz(3),
      byte_size bigint check (byte_size > 0),
      constraint ready_exports_have_a_file check (status <> 'ready'
        or (ready_at is not null and expires_at is not null and byte_size is not null))
    )`.execute(db)
  await sql`create unique index data_exports_open on data_exports (user_id) where status in ('waiting', 'making')`.execute(db)
  await sql`create index data_exports_of_user on data_exports (user_id, requested_at desc, id desc)`.execute(db)
  await sql`create index data_exports_kept on data_exports (expires_at) where expires_at is not null`.execute(db)
}
