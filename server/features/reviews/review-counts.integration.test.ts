import fc from 'fast-check'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import { type Rating, type RatingSort, ratingSorts } from '#contracts/reviews.ts'
import { up as removeReviewsByTeams } from '#server/db/migrations/20261130T0140-remove-reviews-by-teams.ts'
import { newId } from '#server/kernel/ids.ts'
import { encodeCursor } from '#server/kernel/keyset.ts'
import { actorOf } from '#tests/support/actors.ts'
import { addBusiness, ratedBy } from '#tests/support/businesses.ts'
import { addPeople } from '#tests/support/people.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { pageQuery } from './read-reviews.ts'
import { changeHelpful, deleteRating, saveRating } from './write-reviews.ts'

let test: TestApp
let people: string[]

beforeAll(async () => {
  test = await startTestApp()
  people = await addPeople(test.db, 100)
})
afterAll(() => test?.close())

const review = (id: string, businessId: string, rating: number) =>
  saveRating(test.ctx, actorOf(id), businessId, { rating, review: '', isFreebie: false })

const wrongCounts = async () =>
  (
    await sql`
      select id from businesses b where row(total_ratings, rating_sum, rating_counts) is distinct from (
        select row(count(*)::integer, coalesce(sum(rating), 0)::integer, array[
          count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
          count(*) filter (where rating = 4), count(*) filter (where rating = 5)]::integer[])
        from reviews where business_id = b.id)
      union all
      select id from reviews r where helpful_count <> (select count(*) from review_votes where review_id = r.id)`.execute(test.db)
  ).rows

it('keeps exact counts after a hundred concurrent reviews by a hundred people or by one', async () => {
  const { id } = await addBusiness(test.db)
  await Promise.all(people.map((person, i) => review(person, id, (i % 5) + 1)))
  expect(await wrongCounts()).toEqual([])
  const { counts, average } = await saveRating(test.ctx, actorOf(people[0] as string), id, { rating: 1, review: '', isFreebie: false })
  expect({ counts, average }).toEqual({ counts: [20, 20, 20, 20, 20], average: 3 })

  const [one] = people as [string]
  await Promise.all(people.map((_, i) => (i % 4 === 3 ? deleteRating(test.ctx, actorOf(one), id) : review(one, id, (i % 5) + 1))))
  expect(await wrongCounts()).toEqual([])
})

it('keeps exact counts of concurrent helpful votes, even while the review is being deleted', async () => {
  const { id } = await addBusiness(test.db)
  const [writer, voter, ...others] = people as [string, string, ...string[]]
  const { own } = await review(writer, id, 4)
  const reviewId = own?.id as string
  const vote = (person: string, isHelpful: boolean) => changeHelpful(test.ctx, person, reviewId, isHelpful)
  await Promise.all([...others.map((person) => vote(person, true)), ...others.map((_, i) => vote(voter, i % 2 === 0))])
  const { helpfulCount } = await vote(voter, true)
  expect(helpfulCount).toBe(others.length + 1)
  expect(await wrongCounts()).toEqual([])
  await Promise.allSettled([
    ...others.map((person) => vote(person, false)),
    deleteRating(test.ctx, actorOf(writer), id),
    ...others.map((person) => review(person, id, 2)),
  ])
  expect(await wrongCounts()).toEqual([])
})

it('keeps counts, total and sum equal to the table during concurrent reviews and deletions', async () => {
  const businesses = [await addBusiness(test.db), await addBusiness(test.db)]
  const step = fc.record({ person: fc.nat(3), business: fc.nat(1), rating: fc.option(fc.integer({ min: 1, max: 5 })) })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 5 }), async (rounds) => {
      for (const round of rounds) {
        await Promise.all(
          round.map(({ person, business, rating }) => {
            const by = people[person] as string
            const of = businesses[business]?.id as string
            return rating === null ? deleteRating(test.ctx, actorOf(by), of) : review(by, of, rating)
          }),
        )
      }
      expect(await wrongCounts()).toEqual([])
    }),
    { numRuns: 25 },
  )
}, 60_000)

type Made = { id: string; rating: number; helpful_count: number; created_at: Date }

/** Independent comparators for each sort order. */
const orders: Record<RatingSort, (a: Made, b: Made) => number> = {
  newest: (a, b) => newer(a, b),
  helpful: (a, b) => b.helpful_count - a.helpful_count || newer(a, b),
  highest: (a, b) => b.rating - a.rating || newer(a, b),
  lowest: (a, b) => a.rating - b.rating || newer(a, b),
}
const newer = (a: Made, b: Made) => b.created_at.getTime() - a.created_at.getTime() || (a.id < b.id ? 1 : -1)

it('no longer counts reviews by teams after the upgrade', async () => {
  const [member, other] = (await addPeople(test.db, 2)) as [string, string]
  const { id } = await addBusiness(test.db, ratedBy(0, 1, 0, 0, 1))
  await test.db.insertInto('business_members').values({ business_id: id, user_id: member, role: 'staff' }).execute()
  const reviews = [
    { id: newId(), business_id: id, user_id: member, rating: 5 },
    { id: newId(), business_id: id, user_id: other, rating: 2 },
  ]
  await test.db.insertInto('reviews').values(reviews).execute()
  for (let i = 0; i < 2; i++) await removeReviewsByTeams(test.db as unknown as Kysely<unknown>)
  const after = await test.db
    .selectFrom('businesses')
    .select(['rating_counts', 'total_ratings', 'rating_sum'])
    .where('id', '=', id)
    .execute()
  expect(after).toEqual([{ rating_counts: [0, 1, 0, 0, 0], total_ratings: 1, rating_sum: 2 }])
  expect(await test.db.selectFrom('merged_reviews').select('user_id').where('business_id', '=', id).execute()).toEqual([
    { user_id: member },
  ])
})

it('paginates every sort without gaps or repeats during inserts', async () => {
  const made = fc.record({ rating: fc.integer({ min: 1, max: 5 }), helpful_count: fc.nat(3), second: fc.nat(4) })
  const sample = fc.record({ reviews: fc.array(made, { maxLength: 20 }), limit: fc.integer({ min: 1, max: 4 }) })
  await fc.assert(
    fc.asyncProperty(sample, async ({ reviews, limit }) => {
      const { id: businessId } = await addBusiness(test.db)
      const rows = reviews.map(({ second, ...each }, i) => ({
        id: newId(),
        business_id: businessId,
        user_id: people[i] as string,
        created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
        ...each,
      }))
      if (rows.length > 0) await test.db.insertInto('reviews').values(rows).execute()
      for (const [n, sort] of ratingSorts.entries()) {
        const seen: string[] = []
        let url: string | null = `/api/businesses/${businessId}/ratings?sort=${sort}&limit=${limit}`
        let latecomer = 40 + n * 15
        while (url !== null) {
          const answer = await test.request('GET', url)
          seen.push(...(answer.json() as Rating[]).map((rating) => rating.id))
          url = nextPage(answer.headers.link as string | undefined)
          const late = { id: newId(), business_id: businessId, user_id: people[latecomer++] as string, rating: (latecomer % 5) + 1 }
          if (latecomer < 40 + (n + 1) * 15) await test.db.insertInto('reviews').values(late).execute()
        }
        const known = new Set(rows.map((row) => row.id))
        expect(seen.filter((id) => known.has(id))).toEqual([...rows].sort(orders[sort]).map((row) => row.id))
        expect(new Set(seen).size).toBe(seen.length)
      }
    }),
    { numRuns: 10 },
  )
}, 120_000)

it('refuses a forged cursor or one from another sort', async () => {
  const { id } = await addBusiness(test.db)
  const at = '2026-01-01T00:00:00.000Z'
  const status = async (sort: string, key: (string | number)[]) =>
    (await test.request('GET', `/api/businesses/${id}/ratings?sort=${sort}&cursor=${encodeCursor(key)}`)).statusCode
  for (const sort of ratingSorts) {
    expect(await status(sort, [sort, 0, at, newId()])).toBe(200)
    const other = ratingSorts.find((each) => each !== sort) as string
    for (const key of [
      [other, 0, at, newId()],
      [sort, 1.5, at, newId()],
      [sort, -1, at, newId()],
      [sort, 1e10, at, newId()],
      [sort, 0, 'yesterday', newId()],
      [sort, 0, at, 'no one'],
      [0, at, newId()],
      [at, newId()],
    ]) {
      expect(await status(sort, key), `${sort} ${JSON.stringify(key)}`).toBe(400)
    }
  }
})

it('reads each sort from its own index', async () => {
  const { id } = await addBusiness(test.db)
  const crowd = await addPeople(test.db, 3000)
  const rows = crowd.map((user_id, i) => ({
    id: newId(),
    business_id: id,
    user_id,
    rating: (i % 5) + 1,
    helpful_count: i % 50,
    created_at: new Date(Date.UTC(2026, 0, 1) + i * 1000),
  }))
  await test.db.insertInto('reviews').values(rows).execute()
  await sql`analyze reviews`.execute(test.db)
  for (const [sort, index] of [
    ['newest', 'reviews_of_business'],
    ['helpful', 'reviews_by_help'],
    ['highest', 'reviews_highest'],
    ['lowest', 'reviews_lowest'],
  ] as const) {
    for (const after of [null, { rank: sort === 'newest' ? 0 : 3, createdAt: '2026-01-01T00:20:00.000Z', id: newId() }]) {
      const query = pageQuery({ businessId: id, viewerId: people[0] as string, sort, after, limit: 21 })
      const { rows: plan } = await sql<{ 'QUERY PLAN': string }>`explain ${query}`.execute(test.db)
      const text = plan.map((row) => row['QUERY PLAN']).join('\n')
      expect(text).toContain(index)
      expect(text).not.toContain('Seq Scan on reviews')
    }
  }
})
