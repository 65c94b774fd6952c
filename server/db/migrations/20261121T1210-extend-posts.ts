import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table posts rename column image_url to source_image_url`.execute(db)
  await sql`
    alter table posts
      add column tags text[] not null default '{}',
      add column place text,
      add column edited_at timestamptz(3),
      add constraint people_advertise_nothing check (business_id is not null or post_type not in ('promotion', 'product'))`.execute(db)
  await sql`drop index posts_of_author`.execute(db)
  // Includes the type, so that an index-only scan finds the newest visible post: see server/features/posts/feed.queries.ts.
  await sql`drop index posts_of_business`.execute(db)
  await sql`create index posts_of_business on posts (business_id, created_at desc, id desc) include (post_type)`.execute(db)
  await sql`create index posts_of_person on posts (author_id, created_at desc, id desc) where business_id is null`.execute(db)
  await sql`create index posts_of_author on posts (author_id)`.execute(db)
  await sql`create index posts_newest on posts (created_at desc, id desc)`.execute(db)

  await sql`
    create table post_media (
      post_id uuid not null references posts on delete cascade,
      position smallint not null check (position between 0 and 9),
      media_id uuid not null unique references media on delete cascade,
      primary key (post_id, position)
    )`.execute(db)

  await sql`
    create table post_likes (
      post_id uuid not null references posts on delete cascade,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (post_id, user_id)
    )`.execute(db)
  await sql`create index post_likes_of_user on post_likes (user_id, created_at desc)`.execute(db)

  await sql`
    create table comments (
      id uuid primary key,
      post_id uuid not null references posts on delete cascade,
      parent_id uuid references comments on delete cascade,
      author_id uuid not null references users on delete cascade,
      business_id uuid references businesses on delete cascade,
      -- Cleared on deletion; the row stays while it has replies.
      content text not null,
      replies_count integer not null default 0 check (replies_count >= 0),
      is_deleted boolean not null default false,
      created_at timestamptz(3) not null default now(),
      edited_at timestamptz(3),
      constraint comments_say_something check (is_deleted = (content = '')),
      constraint replies_have_no_replies check (parent_id is null or replies_count = 0)
    )`.execute(db)
  await sql`create index comments_of_post on comments (post_id, created_at, id) where parent_id is null`.execute(db)
  await sql`create index comments_all_of_post on comments (post_id)`.execute(db)
  await sql`create index replies_of_comment on comments (parent_id, created_at, id) where parent_id is not null`.execute(db)
  await sql`create index comments_of_author on comments (author_id, created_at desc)`.execute(db)
  await sql`create index comments_of_business on comments (business_id) where business_id is not null`.execute(db)
}
