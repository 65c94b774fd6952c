import { type Kysely, sql } from 'kysely'

const communityTypes = sql`('grow_update', 'question', 'discussion', 'poll')`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table posts
      add column community_id uuid references communities on delete cascade,
      add column pinned_at timestamptz(3),
      -- The answer accepted by the question's author or a moderator of the community.
      add column accepted_comment_id uuid references comments on delete set null,
      -- The linked subject: at most one of these.
      add column linked_hunt_id uuid references hunts on delete set null,
      add column linked_business_id uuid references businesses on delete set null,
      add column linked_product_id uuid references products on delete set null,
      add column linked_strain text,
      add column moderation text check (moderation in ('held', 'hidden', 'removed')),
      drop constraint posts_post_type_check,
      add constraint posts_post_type_check check (post_type in
        ('update', 'promotion', 'educational', 'product', 'grow_update', 'question', 'discussion', 'poll')),
      add constraint communities_have_their_own_types check ((community_id is not null) = (post_type in ${communityTypes})),
      add constraint communities_are_of_people check (community_id is null or business_id is null),
      add constraint pins_are_of_communities check (pinned_at is null or community_id is not null),
      add constraint questions_have_answers check (accepted_comment_id is null or post_type = 'question'),
      add constraint posts_link_to_one check (num_nonnulls(linked_hunt_id, linked_business_id, linked_product_id, linked_strain) <= 1)`.execute(
    db,
  )

  // Held, hidden and removed posts are in no list; community posts are only in their community's.
  const shown = sql`moderation is null`
  const elsewhere = sql`moderation is null and community_id is null`
  for (const index of ['posts_of_business', 'posts_of_person', 'posts_newest']) await sql`drop index ${sql.ref(index)}`.execute(db)
  await sql`
    create index posts_of_business on posts (business_id, created_at desc, id desc) include (post_type) where ${shown}`.execute(db)
  await sql`
    create index posts_of_person on posts (author_id, created_at desc, id desc) where business_id is null and ${elsewhere}`.execute(db)
  await sql`create index posts_newest on posts (created_at desc, id desc) where ${elsewhere}`.execute(db)
  await sql`create index posts_of_business_all on posts (business_id)`.execute(db)
  await sql`
    create index posts_of_community on posts (community_id, created_at desc, id desc) where community_id is not null and ${shown}`.execute(
    db,
  )
  await sql`create index posts_of_community_all on posts (community_id) where community_id is not null`.execute(db)
  await sql`create index posts_pinned on posts (community_id, pinned_at desc) where pinned_at is not null`.execute(db)
  for (const column of ['accepted_comment_id', 'linked_hunt_id', 'linked_business_id', 'linked_product_id']) {
    const name = sql.ref(`posts_of_${column.replace('_id', '')}`)
    await sql`create index ${name} on posts (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db)
  }

  await sql`
    create table polls (
      post_id uuid primary key references posts on delete cascade,
      closes_at timestamptz(3),
      votes_count integer not null default 0 check (votes_count >= 0)
    )`.execute(db)
  await sql`
    create table poll_options (
      post_id uuid not null references polls on delete cascade,
      position smallint not null check (position between 0 and 9),
      label text not null check (label <> ''),
      votes_count integer not null default 0 check (votes_count >= 0),
      primary key (post_id, position)
    )`.execute(db)
  // One vote per person, who can change it while the poll is open.
  await sql`
    create table poll_votes (
      post_id uuid not null,
      user_id uuid not null references users on delete cascade,
      position smallint not null,
      created_at timestamptz(3) not null default now(),
      primary key (post_id, user_id),
      foreign key (post_id, position) references poll_options on delete cascade
    )`.execute(db)
  await sql`create index poll_votes_of_user on poll_votes (user_id)`.execute(db)
}
