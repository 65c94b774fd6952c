import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { requestFullReindex, type SearchPosition } from '#server/kernel/search.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { bestFirstQuery, prepare } from './matches.queries.ts'
import { createPostgresSearch } from './postgres.ts'

let t: TestApp

beforeAll(async () => {
  t = await startTestApp()
  await indexed()
}, 90_000)
afterAll(() => t?.close())

async function indexed(): Promise<void> {
  await inTransaction(t.db, requestFullReindex)
  await t.ctx.jobs.enqueue('search.index', {})
  await t.runJobs()
}

const everywhere = { kinds: null, state: null, businessType: null, area: null }
const denver = { center: { latitude: 39.7392, longitude: -104.9847 }, radiusMiles: 60 }

it('returns the same order whether it sorts all matches or walks the best ones', async () => {
  const sorting = createPostgresSearch(t.db, { sorted: 100_000, walked: 1 })
  const walking = createPostgresSearch(t.db, { sorted: 0, walked: 1 })
  const shortly = createPostgresSearch(t.db, { sorted: 3, walked: 40 })
  for (const text of ['blue', 'dream b', 'gr', 'purple haze', 'the', 'hybrid blue']) {
    const asked = { ...everywhere, text }
    const all = (await sorting.find(asked, null, 150)).matches
    expect(all.length, text).toBeGreaterThan(5)
    for (const index of [walking, shortly]) {
      expect((await index.find(asked, null, 150)).matches, text).toEqual(all)
      const middle = all[Math.floor(all.length / 2)] as SearchPosition
      expect((await index.find(asked, middle, 20)).matches, text).toEqual((await sorting.find(asked, middle, 20)).matches)
    }
  }
}, 60_000)

it('returns the same order near a place whether it reads all matches or pages through them in stages', async () => {
  const businesses: Parameters<typeof addBusiness>[1][] = [
    { name: 'Juniper' },
    { name: 'Juniper Terrace', city: 'Boulder' },
    { name: 'Old Juniper' },
    { name: 'Junipers' },
    { name: 'Juniperhouse', city: 'Boulder' },
    { name: 'Evergreen', description: 'Under the juniper' },
    { name: 'Cypress', description: 'Two junipers', city: 'Boulder' },
    { name: 'Juniper Far', city: 'Portland', state: 'OR' },
  ]
  for (const details of businesses) await addBusiness(t.db, details)
  await indexed()
  const question = { ...everywhere, text: 'juniper', area: denver }
  const atOnce = createPostgresSearch(t.db, { sorted: 100_000, walked: 1 })
  const inStages = createPostgresSearch(t.db, { sorted: 0, walked: 1 })
  const all = (await atOnce.find(question, null, 20)).matches
  expect(all.map(({ stage }) => stage)).toEqual([0, 1, 1, 2, 2, 3, 3])
  for (const limit of [1, 2, 3, 20]) {
    const paged: typeof all = []
    for (let hasMore = true; hasMore; ) {
      const page = await inStages.find(question, paged.at(-1) ?? null, limit)
      paged.push(...page.matches)
      hasMore = page.hasMore
    }
    expect(paged, `${limit} at once`).toEqual(all)
  }
})

it('ranks nearby results first among equal matches on every page, whether it sorts or walks them', async () => {
  const home = { center: denver.center, radiusMiles: 60 }
  const question = { ...everywhere, text: 'juniper', home }
  const sorting = createPostgresSearch(t.db, { sorted: 100_000, walked: 1 })
  const walking = createPostgresSearch(t.db, { sorted: 0, walked: 1 })
  const all = (await sorting.find(question, null, 200)).matches
  const without = (await sorting.find({ ...question, home: null }, null, 200)).matches
  expect(all.map(({ id }) => id).sort()).toEqual(without.map(({ id }) => id).sort())
  // Each stage starts with its nearby matches.
  const order = all.map(({ stage, distanceMiles }) => 2 * stage + Number(!((distanceMiles ?? Number.POSITIVE_INFINITY) <= 60)))
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(new Set(order).size).toBeGreaterThan(4)
  expect(all.some(({ distanceMiles }) => (distanceMiles ?? 0) > 500)).toBe(true)
  for (const index of [sorting, walking]) {
    for (const limit of [1, 3, 200]) {
      const paged: typeof all = []
      for (let hasMore = true; hasMore; ) {
        const page = await index.find(question, paged.at(-1) ?? null, limit)
        paged.push(...page.matches)
        hasMore = page.hasMore
      }
      expect(paged, `${limit} at once`).toEqual(all)
    }
    const suggested = (await index.findOfEach(question, ['business'], 2)).matches
    expect(suggested.map(({ id }) => id)).toEqual(
      all
        .filter(({ kind }) => kind === 'business')
        .slice(0, 2)
        .map(({ id }) => id),
    )
  }
}, 60_000)

it('finds the best matches of a kind without sorting them all, at any depth', async () => {
  // Without statistics, the planner assumes that strains are few and scattered, and would sort them.
  const of = { kind: 'strain', query: "'~blue'", stage: 1, area: null, after: null, limit: 31 } as const
  for (const max of [2000, null]) {
    const plan = await inTransaction(t.db, async (tx) => {
      await prepare(tx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${bestFirstQuery(of, max)}`.execute(tx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toContain('using search_documents_best')
    expect(plan).not.toMatch(/\bSort\b|Bitmap/)
  }
})

it('samples only matching documents of each kind, and all of them if they are few', async () => {
  // The planner needs statistics to recognize common words.
  await sql`analyze search_documents`.execute(t.db)
  const index = createPostgresSearch(t.db)
  const kinds = ['strain', 'business', 'product'] as const
  for (const question of [
    ...['blue', 'hybrid', 'purple haze', 'dispensaries', 'zzxyqq', '!!!'].map((text) => ({ ...everywhere, text })),
    { ...everywhere, text: 'juniper', state: 'CO' },
    { ...everywhere, text: 'juniper', area: denver },
  ]) {
    for (const limit of [1, 4, 4000]) {
      for (const { kind, ids, hasMore } of await index.sampleOfEach(question, kinds, limit)) {
        const all = (await index.find({ ...question, kinds: [kind] }, null, 20_000)).matches.map(({ id }) => id)
        const of = `${question.text}, ${kind}, ${limit}`
        expect(new Set(ids).size, of).toBe(Math.min(limit, all.length))
        expect(new Set(all).isSupersetOf(new Set(ids)), of).toBe(true)
        expect(hasMore, of).toBe(all.length > limit)
      }
    }
  }
  const [{ ids: strains } = { ids: [] }] = await index.sampleOfEach({ ...everywhere, text: 'blue' }, kinds, 4000)
  expect(strains.length).toBeGreaterThan(20)
}, 60_000)
