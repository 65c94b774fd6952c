import { type Kysely, sql } from 'kysely'

/** People who joined a business's team after reviewing it kept a review that counted. Only its author can still read it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ business_id: string }>`
    with own as (
      delete from reviews using business_members
      where business_members.business_id = reviews.business_id and business_members.user_id = reviews.user_id
      returning reviews.*
    ), stored as (
      insert into merged_reviews (id, business_id, user_id, rating, review, is_freebie, reply, created_at, edited_at, merged_at)
      select id, business_id, user_id, rating, review, is_freebie, reply, created_at, edited_at, now() from own
    )
    select distinct business_id from own`.execute(db)
  const ids = rows.map((row) => row.business_id)
  if (ids.length === 0) return
  await sql`
    update businesses
    set rating_counts = array[counted.one, counted.two, counted.three, counted.four, counted.five],
      total_ratings = counted.total, rating_sum = counted.sum
    from (
      select businesses.id, count(reviews.id)::integer as total, coalesce(sum(rating), 0)::integer as sum,
        (count(*) filter (where rating = 1))::integer as one, (count(*) filter (where rating = 2))::integer as two,
        (count(*) filter (where rating = 3))::integer as three, (count(*) filter (where rating = 4))::integer as four,
        (count(*) filter (where rating = 5))::integer as five
      from businesses left join reviews on reviews.business_id = businesses.id and reviews.moderation is null
      where businesses.id = any(${ids}::uuid[])
      group by businesses.id
    ) counted
    where businesses.id = counted.id`.execute(db)
}
