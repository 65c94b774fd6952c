import { type Kysely, sql } from 'kysely'

/** For the shops that have a strain, and for the newest reviews of the site. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index products_by_strain on products (lower(strain), business_id) where strain is not null`.execute(db)
  await sql`
    create index reviews_newest on reviews (created_at desc, id desc)
    where moderation is null and review is not null`.execute(db)
}
