import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table second_factors (
      user_id uuid primary key references users on delete cascade,
      -- The authenticator app's shared secret, encrypted with a key derived from SESSION_SECRET.
      secret text not null,
      -- Null until the first correct code.
      confirmed_at timestamptz(3),
      -- Time step of the last accepted code: none is accepted twice.
      last_step bigint not null default 0,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`
    create table recovery_codes (
      user_id uuid not null references second_factors on delete cascade,
      code_hash text not null,
      used_at timestamptz(3),
      primary key (user_id, code_hash)
    )`.execute(db)
  // When this session completed it; a session without it has a member's rights.
  await sql`alter table sessions add column second_factor_at timestamptz(3)`.execute(db)
}
