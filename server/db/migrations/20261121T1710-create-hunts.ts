import { type Kysely, sql } from 'kysely'
import { addTrigramIndex } from '#server/db/trigram-index.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hunts (
      id uuid primary key,
      owner_id uuid not null references users on delete cascade,
      hunt_name text not null check (hunt_name <> ''),
      breeders text[] not null default '{}',
      -- As stated by the grower. The actual number of genotypes is counted from the hunt's rows.
      seed_count integer not null default 0 check (seed_count between 0 and 10000),
      -- Name and breeders, folded for the search.
      search_text text not null default '',
      goals text not null default '',
      grow_environment text not null default '',
      germination_date date,
      is_active boolean not null default true,
      completed_on date,
      -- The legal limit on living plants where the grower lives; null if not stated.
      plant_limit integer check (plant_limit between 1 and 100000),
      visibility text not null default 'private' check (visibility in ('private', 'public')),
      -- When it last became public: the order of the public list.
      published_at timestamptz(3),
      -- The number of the next genotype. Numbers are never reused.
      next_number integer not null default 1 check (next_number > 0),
      comments_count integer not null default 0 check (comments_count >= 0),
      is_demo boolean not null default false,
      version integer not null default 1,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      constraint completed_hunts_say_when check (is_active = (completed_on is null)),
      constraint public_hunts_say_since_when check ((visibility = 'public') = (published_at is not null))
    )`.execute(db)
  await sql`create index hunts_of_owner on hunts (owner_id, id desc)`.execute(db)
  await sql`create index public_hunts on hunts (published_at desc, id desc) where visibility = 'public'`.execute(db)

  await addTrigramIndex(db, 'hunts_search', 'hunts', 'search_text')

  await sql`
    create table hunt_shares (
      hunt_id uuid not null references hunts on delete cascade,
      user_id uuid not null references users on delete cascade,
      access text not null check (access in ('view', 'write')),
      created_at timestamptz(3) not null default now(),
      primary key (hunt_id, user_id)
    )`.execute(db)
  await sql`create index hunt_shares_of_person on hunt_shares (user_id, hunt_id)`.execute(db)

  await sql`
    create table hunt_comments (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      author_id uuid not null references users on delete cascade,
      content text not null check (content <> ''),
      created_at timestamptz(3) not null default now(),
      edited_at timestamptz(3)
    )`.execute(db)
  await sql`create index hunt_comments_in_order on hunt_comments (hunt_id, created_at, id)`.execute(db)
  await sql`create index hunt_comments_of_author on hunt_comments (author_id)`.execute(db)
}
