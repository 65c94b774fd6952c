import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { setRatingCounts } from '#server/features/businesses/index.ts'
import { changeFollowingCount, lockPeople } from '#server/features/people/index.ts'
import type { Pair } from './merge-tables.ts'
import { supersededReviews } from './merges.queries.ts'

/**
 * Followers, subscribers and blocks. Someone who chose something about the business that stays keeps that: a follower of both keeps one
 * follow, a follow of someone with a block at the other business ends, and so does a block of someone who follows or subscribes to it.
 * Paid subscriptions always move; `findObstacle` refuses merges in which they would conflict. The caller has locked both businesses.
 */
export async function mergePeople(tx: Tx, { fromId, intoId }: Pair): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from business_follows where business_id in (${fromId}::uuid, ${intoId}::uuid) group by user_id
    having bool_or(business_id = ${fromId}::uuid)`.execute(tx)
  await lockPeople(
    tx,
    rows.map(({ user_id }) => user_id),
  )
  await sql`
    update subscriptions present set is_paid = true from subscriptions moving
    where present.business_id = ${intoId}::uuid and moving.business_id = ${fromId}::uuid
      and present.user_id = moving.user_id and moving.is_paid and not present.is_paid`.execute(tx)
  const isBlocked = (userId: string) => sql<boolean>`(exists (select from business_blocks b
      where b.business_id = ${intoId}::uuid and b.user_id = ${sql.ref(userId)})
    or exists (select from business_person_blocks b where b.business_id = ${intoId}::uuid and b.person_id = ${sql.ref(userId)}))`
  await sql`
    update subscriptions moving set business_id = ${intoId}::uuid
    where business_id = ${fromId}::uuid and not ${isBlocked('moving.user_id')} and not exists (
      select from subscriptions present where present.business_id = ${intoId}::uuid and present.user_id = moving.user_id)`.execute(tx)
  // A follow that someone chose stays when a subscription ends; one that a subscription implied doesn't.
  await sql`
    update business_follows present set is_implied = false from business_follows moving
    where present.business_id = ${intoId}::uuid and moving.business_id = ${fromId}::uuid
      and present.user_id = moving.user_id and not moving.is_implied and present.is_implied`.execute(tx)
  await sql`
    update business_follows moving set business_id = ${intoId}::uuid
    where business_id = ${fromId}::uuid and not ${isBlocked('moving.user_id')} and not exists (
      select from business_follows present where present.business_id = ${intoId}::uuid and present.user_id = moving.user_id)`.execute(tx)
  const ended = await tx.deleteFrom('business_follows').where('business_id', '=', fromId).returning('user_id').execute()
  for (const { user_id } of ended) await changeFollowingCount(tx, user_id, -1)
  for (const [table, person] of [
    ['business_blocks', 'user_id'],
    ['business_person_blocks', 'person_id'],
  ] as const) {
    const same = sql`present.business_id = ${intoId}::uuid and present.${sql.ref(person)} = moving.${sql.ref(person)}`
    await sql`
      update ${sql.table(table)} moving set business_id = ${intoId}::uuid where business_id = ${fromId}::uuid
        and not exists (select from ${sql.table(table)} present where ${same})
        and not exists (select from business_follows present where present.business_id = ${intoId}::uuid
          and present.user_id = moving.${sql.ref(person)})`.execute(tx)
  }
  await sql`
    update businesses set subscriber_count = (select count(*) from subscriptions where business_id = ${intoId}::uuid)
    where id = ${intoId}::uuid`.execute(tx)
}

/**
 * A person has one review of a business: of two, the one written or edited last stays. The other one, and reviews by the team, are taken
 * off the page and kept in `merged_reviews` for the author's export. Votes and replies go with them. The caller has locked both businesses.
 * @returns the IDs of the reviews that are no longer shown
 */
export async function mergeReviews(tx: Tx, { fromId, intoId }: Pair, now: Date): Promise<string[]> {
  const { rows: superseded } = await sql<{ id: string }>`
    insert into merged_reviews (id, business_id, user_id, rating, review, is_freebie, reply, created_at, edited_at, merged_at)
    select reviews.id, ${intoId}::uuid, user_id, rating, review, is_freebie, reply, created_at, edited_at, ${now}::timestamptz
    from reviews where id in (${supersededReviews({ fromId, intoId })})
    returning id`.execute(tx)
  const ids = superseded.map(({ id }) => id)
  await sql`delete from reviews where id = any(${ids}::uuid[])`.execute(tx)
  await tx.updateTable('reviews').set({ business_id: intoId }).where('business_id', '=', fromId).execute()
  const { rows } = await sql<{ count: number }>`
    select count(reviews.id)::int as count from generate_series(1, 5) as stars
    left join reviews on business_id = ${intoId}::uuid and rating = stars and moderation is null
    group by stars order by stars`.execute(tx)
  await setRatingCounts(
    tx,
    intoId,
    rows.map(({ count }) => count),
  )
  return ids
}
