import { type Kysely, sql } from 'kysely'

/** Lists show held posts and replies to their authors only. There are few of them, so these indexes stay small. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index posts_held_of_author on posts (author_id, created_at desc, id desc) where moderation = 'held'`.execute(db)
  await sql`
    create index posts_held_of_business on posts (business_id, created_at desc, id desc)
    where moderation = 'held' and business_id is not null`.execute(db)
  await sql`create index replies_held on comments (parent_id, author_id) where moderation = 'held' and parent_id is not null`.execute(db)
}
