import { type Kysely, sql } from 'kysely'

/**
 * What the lists Top and Active sort by. Not columns of `posts`: their indexes would make every like and comment of any post rewrite all
 * of its index entries.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table community_post_ranks (
      post_id uuid primary key references posts (id) on delete cascade,
      community_id uuid not null references communities (id) on delete cascade,
      likes_count integer not null,
      created_at timestamptz(3) not null,
      active_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index comments_newest_of_post on comments (post_id, created_at desc) where moderation is null and not is_deleted`.execute(
    db,
  )
  await sql`
    insert into community_post_ranks (post_id, community_id, likes_count, created_at, active_at)
    select posts.id, posts.community_id, posts.likes_count, posts.created_at, greatest(posts.created_at, (
      select max(comments.created_at) from comments
      where comments.post_id = posts.id and comments.moderation is null and not comments.is_deleted))
    from posts where posts.community_id is not null and posts.moderation is null`.execute(db)
  await sql`
    create index community_posts_top on community_post_ranks (community_id, likes_count desc, created_at desc, post_id desc)`.execute(db)
  await sql`create index community_posts_active on community_post_ranks (community_id, active_at desc, post_id desc)`.execute(db)
  // Top posts of a week or a month are sorted within their time.
  await sql`
    create index community_posts_recent on community_post_ranks (community_id, created_at desc) include (likes_count, post_id)`.execute(db)
}
