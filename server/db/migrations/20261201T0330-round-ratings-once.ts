import { type Kysely, sql } from 'kysely'

/**
 * An average of 4.946 was stored as 4.95 and shown as 5.0. It is now rounded once, to the one decimal that is shown. The type stays, because
 * otherwise the prepared statements of running servers would fail.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table businesses
      drop column average_rating,
      add column average_rating numeric(3, 2) not null generated always as
        (case when total_ratings = 0 then 0 else round(rating_sum::numeric / total_ratings, 1) end) stored`.execute(db)
}
