import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'

/**
 * Removes the demo's people and businesses with everything of theirs, and nothing else. People may have used the demo
 * accounts on real businesses, and their own accounts on the demo's; the counts of what stays are set right.
 */
export function removeDemo({ db }: Pick<Context, 'db'>): Promise<{ businesses: number; people: number }> {
  return inTransaction(db, async (tx) => {
    await uncountDemoPeople(tx)
    await uncountDemoBusinesses(tx)
    const businesses = await tx.deleteFrom('businesses').where('is_demo', '=', true).executeTakeFirstOrThrow()
    const people = await tx.deleteFrom('users').where('is_demo', '=', true).executeTakeFirstOrThrow()
    return { businesses: Number(businesses.numDeletedRows), people: Number(people.numDeletedRows) }
  })
}

/** What demo accounts added to the counts of real businesses. */
async function uncountDemoPeople(tx: Tx): Promise<void> {
  await sql`
    update businesses set subscriber_count = subscriber_count - gone.count
    from (
      select business_id, count(*) from subscriptions join users on users.id = user_id
      where users.is_demo group by business_id) as gone
    where businesses.id = gone.business_id and not businesses.is_demo`.execute(tx)
  await sql`
    update businesses set total_ratings = total_ratings - gone.count, rating_sum = rating_sum - gone.sum
    from (
      select business_id, count(*), sum(rating) from reviews join users on users.id = user_id
      where users.is_demo group by business_id) as gone
    where businesses.id = gone.business_id and not businesses.is_demo`.execute(tx)
}

/** What the demo's businesses added to the counts of real people. */
async function uncountDemoBusinesses(tx: Tx): Promise<void> {
  await sql`
    update users set following_count = following_count - gone.count
    from (
      select user_id, count(*) from subscriptions join businesses on businesses.id = business_id
      where businesses.is_demo group by user_id) as gone
    where users.id = gone.user_id and not users.is_demo`.execute(tx)
  await sql`
    update users set posts_count = posts_count - gone.count
    from (
      select author_id, count(*) from posts join businesses on businesses.id = business_id
      where businesses.is_demo group by author_id) as gone
    where users.id = gone.author_id and not users.is_demo`.execute(tx)
}
