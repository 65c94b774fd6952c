import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      -- Credential id from the device, in base64url.
      credential_id text not null unique,
      -- COSE key, in base64url.
      public_key text not null,
      -- The device's signature counter, if it has one; never decreases.
      counter bigint not null check (counter >= 0),
      transports text[] not null,
      -- Model of the device or password manager that stores it.
      aaguid text not null,
      -- Whether it can be, and has been, copied to other devices.
      is_syncable boolean not null,
      is_synced boolean not null check (is_syncable or not is_synced),
      name text not null check (length(name) between 1 and 60),
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3)
    )`.execute(db)
  await sql`create index passkeys_of_user on passkeys (user_id, id)`.execute(db)
  // Accurate to minutes, for the list of devices.
  await sql`alter table sessions add column last_used_at timestamptz(3)`.execute(db)
  // When this session last used a passkey, which makes the password unnecessary for a while.
  await sql`alter table sessions add column proven_at timestamptz(3)`.execute(db)
  await sql`create index sessions_of_user_by_age on sessions (user_id, id)`.execute(db)
  await sql`drop index sessions_of_user`.execute(db)
}
