import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table posts
      drop constraint posts_content_check,
      -- A poll may say everything in its title.
      add constraint posts_content_check check (content <> '' or post_type = 'poll')`.execute(db)
  // A rare tag is found without reading a community from its newest post to its first.
  await sql`create index posts_tagged on posts using gin (tags) where community_id is not null and moderation is null`.execute(db)
}
