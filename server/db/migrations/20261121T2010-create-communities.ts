import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table communities (
      id uuid primary key,
      slug text not null unique,
      name text not null check (name <> ''),
      description text not null default '',
      category text not null check (category in ('growing', 'strains', 'medical', 'business', 'general')),
      -- Who can find and join it: see server/features/communities/community-access.ts.
      visibility text not null check (visibility in ('public', 'private', 'invite_only')),
      rules text[] not null default '{}',
      image_id uuid unique references media on delete set null,
      -- Granted by an admin, can't be bought.
      is_verified boolean not null default false,
      member_count integer not null default 0 check (member_count >= 0),
      post_count integer not null default 0 check (post_count >= 0),
      -- Searchable text: name and description in lowercase.
      search_text text not null default '',
      created_by uuid references users on delete set null,
      moderation text check (moderation in ('held', 'hidden', 'removed')),
      is_demo boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  const listed = sql`visibility <> 'private' and moderation is null`
  await sql`create index communities_featured on communities (is_verified desc, member_count desc, id desc) where ${listed}`.execute(db)
  await sql`
    create index communities_of_category on communities (category, is_verified desc, member_count desc, id desc) where ${listed}`.execute(
    db,
  )
  await sql`create index communities_newest on communities (id desc) where ${listed}`.execute(db)
  // Byte order is the same on every machine.
  await sql`create index communities_by_name on communities (lower(name) collate "C", id) where ${listed}`.execute(db)
  await sql`create index communities_of_creator on communities (created_by) where created_by is not null`.execute(db)
  await sql`create index communities_demo on communities (id) where is_demo`.execute(db)

  await sql`
    create table community_members (
      community_id uuid not null references communities on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null default 'member' check (role in ('owner', 'moderator', 'member')),
      joined_at timestamptz(3) not null default now(),
      primary key (community_id, user_id)
    )`.execute(db)
  await sql`create index community_members_newest on community_members (community_id, joined_at desc, user_id desc)`.execute(db)
  await sql`create index community_members_of_user on community_members (user_id, joined_at desc, community_id desc)`.execute(db)
  await sql`create unique index communities_have_one_owner on community_members (community_id) where role = 'owner'`.execute(db)
  await sql`create index community_moderators on community_members (community_id) where role <> 'member'`.execute(db)

  // Join requests; deleted once decided.
  await sql`
    create table community_requests (
      community_id uuid not null references communities on delete cascade,
      user_id uuid not null references users on delete cascade,
      message text not null default '',
      created_at timestamptz(3) not null default now(),
      primary key (community_id, user_id)
    )`.execute(db)
  await sql`create index community_requests_oldest on community_requests (community_id, created_at, user_id)`.execute(db)
  await sql`create index community_requests_of_user on community_requests (user_id)`.execute(db)

  await sql`
    create table community_invitations (
      id uuid primary key,
      community_id uuid not null references communities on delete cascade,
      invited_by uuid not null references users on delete cascade,
      -- For a member of the site, or for anyone with the link, whose secret is stored only as a hash.
      invited_id uuid references users on delete cascade,
      token_hash text unique,
      created_at timestamptz(3) not null default now(),
      expires_at timestamptz(3) not null,
      used_at timestamptz(3),
      used_by uuid references users on delete set null,
      revoked_at timestamptz(3),
      constraint invitations_are_for_one check ((invited_id is null) <> (token_hash is null)),
      constraint invitations_expire check (expires_at > created_at)
    )`.execute(db)
  await sql`create index community_invitations_newest on community_invitations (community_id, created_at desc, id desc)`.execute(db)
  await sql`
    create unique index community_invitations_open on community_invitations (community_id, invited_id)
    where invited_id is not null and used_at is null and revoked_at is null`.execute(db)
  for (const column of ['invited_by', 'invited_id', 'used_by']) {
    const name = sql.ref(`community_invitations_of_${column}`)
    await sql`create index ${name} on community_invitations (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db)
  }

  // Bans; permanent if they have no end.
  await sql`
    create table community_bans (
      community_id uuid not null references communities on delete cascade,
      user_id uuid not null references users on delete cascade,
      ends_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      primary key (community_id, user_id)
    )`.execute(db)
  await sql`create index community_bans_of_user on community_bans (user_id)`.execute(db)

  // Muted people can read but not write until then. Leaving and rejoining doesn't end it.
  await sql`
    create table community_mutes (
      community_id uuid not null references communities on delete cascade,
      user_id uuid not null references users on delete cascade,
      ends_at timestamptz(3) not null,
      created_at timestamptz(3) not null default now(),
      primary key (community_id, user_id)
    )`.execute(db)
  await sql`create index community_mutes_of_user on community_mutes (user_id)`.execute(db)

  // How much a tag is used, with a half-life of a week: the score as of that time.
  await sql`
    create table community_tags (
      community_id uuid not null references communities on delete cascade,
      tag text not null,
      score double precision not null check (score > 0),
      scored_at timestamptz(3) not null,
      primary key (community_id, tag)
    )`.execute(db)
  await sql`create index community_tags_by_age on community_tags (scored_at)`.execute(db)
}
