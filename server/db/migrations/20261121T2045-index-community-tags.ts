import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table posts
      drop constraint posts_content_check,
      -- A poll may consist of a title only.
      add constraint posts_content_check check (content <> '' or post_type = 'poll')`.execute(db)
  // Also fast for a rare type in a large community.
  await sql`
    create index posts_of_community_by_type on posts (community_id, post_type, created_at desc, id desc)
    where community_id is not null and moderation is null`.execute(db)
  // Finds a rare tag without scanning all posts of a community.
  await sql`create index posts_tagged on posts using gin (tags) where community_id is not null and moderation is null`.execute(db)
}
