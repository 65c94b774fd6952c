import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id uuid primary key,
      email text not null unique check (email = lower(email)),
      email_verified boolean not null default false,
      name text not null default '',
      image text,
      display_name text,
      first_name text,
      last_name text,
      birthday date,
      user_type text not null default 'consumer' check (user_type in ('consumer', 'business')),
      business_type text check (business_type in ('farm', 'dispensary', 'smoke_shop', 'glass_shop', 'food_service', 'delivery', 'other')),
      license_number text,
      role text not null default 'member' check (role in ('member', 'moderator', 'admin')),
      interests text[] not null default '{}',
      location text,
      bio text,
      is_profile_public boolean not null default false,
      allow_location_sharing boolean not null default true,
      has_completed_onboarding boolean not null default false,
      subscription_tier text,
      following_count integer not null default 0 check (following_count >= 0),
      followers_count integer not null default 0 check (followers_count >= 0),
      posts_count integer not null default 0 check (posts_count >= 0),
      is_demo boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      constraint users_are_adults check (birthday <= ((created_at at time zone 'UTC')::date - interval '18 years')::date),
      constraint users_onboarded_have_birthday check (not has_completed_onboarding or birthday is not null)
    )`.execute(db)
  await sql`create index users_demo on users (id) where is_demo`.execute(db)

  // token is a SHA-256 of the session's token: read access to this table isn't enough to sign in.
  await sql`
    create table sessions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      token text not null unique,
      expires_at timestamptz(3) not null,
      ip_address text,
      user_agent text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index sessions_of_user on sessions (user_id)`.execute(db)
  await sql`create index sessions_by_expiry on sessions (expires_at)`.execute(db)

  await sql`
    create table credentials (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      provider_id text not null,
      account_id text not null,
      password text,
      access_token text,
      refresh_token text,
      id_token text,
      access_token_expires_at timestamptz(3),
      refresh_token_expires_at timestamptz(3),
      scope text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (provider_id, account_id)
    )`.execute(db)
  await sql`create index credentials_of_user on credentials (user_id)`.execute(db)

  await sql`
    create table verifications (
      id uuid primary key,
      identifier text not null,
      value text not null,
      expires_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index verifications_by_identifier on verifications (identifier)`.execute(db)
  await sql`create index verifications_by_expiry on verifications (expires_at)`.execute(db)
}
