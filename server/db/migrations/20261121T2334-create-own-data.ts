import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The account is to be deleted then; until then its owner may keep it, and nobody else sees who they are.
  await sql`alter table users add column leaves_at timestamptz(3)`.execute(db)
  await sql`create index users_leaving on users (leaves_at) where leaves_at is not null`.execute(db)

  await sql`
    create table account_deletions (
      user_id uuid primary key references users on delete cascade,
      asked_at timestamptz(3) not null,
      -- What moderators had made of the profile: it stands again where the account is kept.
      profile_moderation text check (profile_moderation in ('held', 'hidden', 'removed')),
      gives_up_businesses boolean not null,
      reminded_at timestamptz(3),
      -- From then on there is no way back.
      began_at timestamptz(3),
      told_at timestamptz(3)
    )`.execute(db)

  await sql`
    create table data_exports (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      status text not null default 'waiting' check (status in ('waiting', 'making', 'ready', 'failed')),
      requested_at timestamptz(3) not null,
      -- Of a hundred.
      progress smallint not null default 0 check (progress between 0 and 100),
      attempts smallint not null default 0,
      -- Whoever makes it says so from time to time; after a silence another one takes over.
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
