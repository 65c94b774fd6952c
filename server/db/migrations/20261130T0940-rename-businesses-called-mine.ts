import { type Kysely, sql } from 'kysely'

/** The slug `mine` is also part of a call's path, so the page of a business with that slug couldn't be opened. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    update businesses set slug = (
      select free.slug
      from generate_series(1, 1000) as number
        cross join lateral (select 'mine-business' || case when number = 1 then '' else '-' || number end as slug) free
      where not exists (select from businesses taken where taken.slug = free.slug)
        and not exists (select from business_redirects taken where taken.slug = free.slug)
      order by number limit 1)
    where slug = 'mine'`.execute(db)
}
