import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table posts
      drop constraint posts_content_check,
      -- A poll may say everything in its title.
      add constraint posts_content_check check (content <> '' or post_type = 'poll')`.execute(db)
  // A kind that is rare in a large community, too.
  await sql`
    create index posts_of_community_by_type on posts (community_id, post_type, created_at desc, id desc)
    where community_id is not null and moderation is null`.execute(db)
  // A rare tag is found without reading a community from its newest post to its first.
  await sql`create index posts_tagged on posts using gin (tags) where community_id is not null and moderation is null`.execute(db)
}
