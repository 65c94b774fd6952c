import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BusinessSort } from '#contracts/businesses.ts'
import { distanceMiles } from '#server/kernel/geo/distance.ts'
import { cityCenter } from '#server/kernel/geo/gazetteer.ts'
import { addBusiness, ratedBy } from '#tests/support/businesses.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { listBusinesses } from './read-businesses.ts'

const now = new Date()

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

/** See docs/decisions/006-rank.md: ten virtual ratings of 3.5 stars. */
const ratingScore = (ratingSum: number, totalRatings: number) => (ratingSum + 35) / (totalRatings + 10)

function licenseTrust({ isDemo, isVerified, isListed }: { isDemo: boolean; isVerified: boolean; isListed: boolean }): number {
  if (isDemo) return 0
  return isVerified ? 2 : Number(isListed)
}

it('scores a business by its ratings and ten virtual ones of 3.5 stars', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 400 }), async (ratings) => {
      const sum = ratings.reduce((total, rating) => total + rating, 0)
      const count = (stars: number) => ratings.filter((rating) => rating === stars).length
      const { id } = await addBusiness(database.db, {
        ...ratedBy(count(1), count(2), count(3), count(4), count(5)),
        slug: `scored-${Math.random().toString(36).slice(2)}`,
      })
      const row = await database.db.selectFrom('businesses').select('rating_score').where('id', '=', id).executeTakeFirstOrThrow()
      expect(row.rating_score).toBe(ratingScore(sum, ratings.length))
    }),
    { numRuns: 30 },
  )
})

it('rounds an average once, to the one decimal that is shown', async () => {
  const averageOf = async (...counts: Parameters<typeof ratedBy>) => {
    const { id } = await addBusiness(database.db, { ...ratedBy(...counts), slug: `rated-${counts.join('-')}` })
    return (await database.db.selectFrom('businesses').select('average_rating').where('id', '=', id).executeTakeFirstOrThrow())
      .average_rating
  }
  // 4.946 would be 4.95 with two decimals, and then 5.0.
  expect(await averageOf(0, 0, 1, 0, 36)).toBe(4.9)
  expect(await averageOf(0, 0, 0, 1, 19)).toBe(5)
  expect(await averageOf(0, 0, 0, 1, 2)).toBe(4.7)
  expect(await averageOf(0, 0, 0, 0, 0)).toBe(0)
})

it('ranks the licensed business first of two with the same name, on every page', async () => {
  await database.db.deleteFrom('businesses').execute()
  const copy = await addBusiness(database.db, { name: 'Copper Gate', license_standing: 'none' })
  const listed = await addBusiness(database.db, { name: 'copper gate', slug: 'copper-gate-listed' })
  const later = await addBusiness(database.db, { name: 'Copper Gates', license_standing: 'none', slug: 'copper-gates' })
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const { items, nextCursor } = await listBusinesses(database.db, { sort: 'name', limit: 1, cursor }, now)
    ids.push(...items.map(({ id }) => id))
    cursor = nextCursor ?? undefined
  } while (cursor)
  expect(ids).toEqual([listed.id, copy.id, later.id])
})

it('ranks by rating, and ranks licensed businesses higher when ratings are equal', async () => {
  const center = cityCenter('Denver', 'CO')
  const rowOf = fc.record({
    rating: fc.constantFrom(ratedBy(0, 0, 0, 0, 0), ratedBy(0, 0, 0, 0, 1), ratedBy(1, 0, 0, 0, 0), ratedBy(0, 0, 2, 0, 0)),
    standing: fc.constantFrom('listed' as const, 'none' as const, 'inactive' as const, 'missing' as const),
    isVerified: fc.boolean(),
    isDemo: fc.boolean(),
    distance: fc.constantFrom(0, 0.1),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(rowOf, { minLength: 2, maxLength: 12 }), fc.constantFrom({}, { near: 'Denver, CO' }), async (rows, place) => {
      await database.db.deleteFrom('businesses').execute()
      const expected = new Map<string, [score: number, trust: number]>()
      for (const { rating, standing, isVerified, isDemo, distance } of rows) {
        const { id } = await addBusiness(database.db, {
          ...rating,
          slug: `trusted-${Math.random().toString(36).slice(2)}`,
          license_standing: standing,
          license_verified_through: isVerified ? '2099-12-31' : null,
          is_demo: isDemo,
          pin_latitude: (center?.latitude ?? 0) + distance,
        })
        const trust = licenseTrust({ isDemo, isVerified, isListed: standing === 'listed' })
        expected.set(id, [ratingScore(rating.rating_sum, rating.total_ratings), trust])
      }
      const { items } = await listBusinesses(database.db, { ...place, sort: 'highest_rated', limit: 100 }, new Date())
      expect(items).toHaveLength(rows.length)
      const keys = items.map(({ id }) => expected.get(id) as [number, number])
      expect(keys).toEqual([...keys].sort(([a, b], [c, d]) => c - a || d - b))
    }),
    { numRuns: 25 },
  )
})

describe('a paginated list', () => {
  beforeEach(async () => {
    await database.db.deleteFrom('businesses').execute()
  })

  const sorts: BusinessSort[] = ['highest_rated', 'distance', 'name', 'newest']

  it.each(sorts)('never skips or repeats a row during inserts when sorted by %s', async (sort) => {
    const center = cityCenter('Denver', 'CO')
    // There are few distinct values, so most rows tie and are ordered by ID.
    const rowOf = fc.record({
      name: fc.constantFrom('Alder', 'alder', 'Birch', 'Éclat', 'zest'),
      rating: fc.constantFrom(ratedBy(0, 0, 0, 0, 0), ratedBy(0, 0, 0, 1, 1), ratedBy(3, 0, 0, 0, 0)),
      distance: fc.constantFrom(0, 0.05, 0.1, null),
      created: fc.constantFrom('2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.001Z', '2026-03-01T00:00:00.000Z'),
    })
    const insert = ({ name, rating, distance, created }: typeof rowOf extends fc.Arbitrary<infer R> ? R : never) =>
      addBusiness(database.db, {
        name,
        ...rating,
        created_at: created,
        description: 'denver',
        search_text: 'denver',
        slug: `paged-${Math.random().toString(36).slice(2)}`,
        ...(center && distance !== null
          ? { pin_latitude: center.latitude + distance, pin_longitude: center.longitude, pin_precision: 'premise' as const }
          : { pin_latitude: null, pin_longitude: null, pin_precision: null }),
      })
    await fc.assert(
      fc.asyncProperty(
        fc.array(rowOf, { maxLength: 25 }),
        fc.array(rowOf, { maxLength: 10 }),
        fc.integer({ min: 1, max: 7 }),
        async (first, later, limit) => {
          await database.db.deleteFrom('businesses').execute()
          const atStart = new Set<string>()
          for (const row of first) atStart.add((await insert(row)).id)
          const query = { q: 'Denver', sort, limit }
          const whole = (await listBusinesses(database.db, { ...query, limit: 100 }, now)).items.map((item) => item.id)
          expect(new Set(whole)).toEqual(atStart)

          const paged: string[] = []
          const waiting = [...later]
          let cursor: string | null = null
          do {
            const page = await listBusinesses(database.db, { ...query, ...(cursor ? { cursor } : {}) }, now)
            expect(page.items.length).toBeLessThanOrEqual(limit)
            paged.push(...page.items.map((item) => item.id))
            cursor = page.nextCursor
            const next = waiting.pop()
            if (next) await insert(next)
          } while (cursor !== null)
          expect(new Set(paged).size).toBe(paged.length)
          expect(paged.filter((id) => atStart.has(id))).toEqual(whole)
        },
      ),
      { numRuns: 12 },
    )
  })
})

it('measures distances in SQL as the code does', async () => {
  await database.db.deleteFrom('businesses').execute()
  const center = { latitude: 39.7392, longitude: -104.9903 }
  await fc.assert(
    fc.asyncProperty(
      fc.double({ min: -1.6, max: 1.6, noNaN: true }),
      fc.double({ min: -2.1, max: 2.1, noNaN: true }),
      async (north, east) => {
        const point = { latitude: center.latitude + north, longitude: center.longitude + east }
        await database.db.deleteFrom('businesses').execute()
        await addBusiness(database.db, {
          slug: 'measured',
          pin_latitude: point.latitude,
          pin_longitude: point.longitude,
          pin_precision: 'premise',
        })
        const query = { near: `${center.latitude},${center.longitude}`, sort: 'distance' as const, limit: 1 }
        const [found] = (await listBusinesses(database.db, { ...query, radius: 500 }, now)).items
        expect(found?.distanceMiles).toBeCloseTo(distanceMiles(center, point), 0)
        const inside = (await listBusinesses(database.db, { ...query, radius: 100 }, now)).items.length
        expect(inside).toBe(distanceMiles(center, point) <= 100 ? 1 : 0)
      },
    ),
    { numRuns: 25 },
  )
})
