import { newId } from '../../kernel/ids.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { type DemoReview, demoReviews } from './demo-reviews.ts'
import { type Deed, daysBefore, type Loading, needed } from './loading.ts'

export async function addReviews(loading: Loading): Promise<Deed[]> {
  const { tx, now, people, businesses } = loading
  const owners = new Map(demoBusinesses.map(({ key, owner }) => [key, needed(people, owner)]))
  const all = demoReviews.map((review) => ({ ...review, id: newId(), owner: needed(owners, review.business) }))
  await tx
    .insertInto('reviews')
    .values(
      all.map(({ id, person, business, owner, rating, review, daysAgo, isFreebie, helped, reply }) => ({
        id,
        business_id: needed(businesses, business),
        user_id: needed(people, person),
        rating,
        review,
        is_freebie: isFreebie ?? false,
        helpful_count: helped?.length ?? 0,
        reply: reply?.content ?? null,
        replied_by: reply ? owner : null,
        replied_at: reply ? daysBefore(now, reply.daysAgo) : null,
        created_at: daysBefore(now, daysAgo),
      })),
    )
    .execute()
  const votes = all.flatMap((review) =>
    (review.helped ?? []).map((person, i) => ({
      review_id: review.id,
      user_id: needed(people, person),
      created_at: helpedAt(now, review, i),
    })),
  )
  await tx.insertInto('review_votes').values(votes).execute()
  return all.flatMap((review) => deedsOf(loading, review))
}

/** Somebody reads it about every second day; the last ones today. */
const helpedAt = (now: Date, { daysAgo }: DemoReview, order: number) => daysBefore(now, daysAgo / (order * 2 + 2))

function deedsOf({ now, people, businesses }: Loading, review: DemoReview & { id: string; owner: string }): Deed[] {
  const { id, person, business, owner, daysAgo, helped = [], reply } = review
  const about = { businessId: needed(businesses, business), reviewId: id }
  const writer = needed(people, person)
  const deeds: Deed[] = [
    { ...about, tells: [owner], type: 'review', groupKey: `review:${about.businessId}`, actorId: writer, at: daysBefore(now, daysAgo) },
    ...helped.map(
      (helper, i): Deed => ({
        ...about,
        tells: [writer],
        type: 'helpful',
        groupKey: `helpful:${id}`,
        actorId: needed(people, helper),
        at: helpedAt(now, review, i),
      }),
    ),
  ]
  if (reply) {
    const at = daysBefore(now, reply.daysAgo)
    deeds.push({ ...about, tells: [writer], type: 'review_reply', groupKey: `review_reply:${id}:${at.getTime()}`, actorId: null, at })
  }
  return deeds
}
