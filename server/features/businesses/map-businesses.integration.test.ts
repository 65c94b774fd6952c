import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { maxPins } from '#contracts/limits.ts'
import { lastWriteCookie } from '#server/kernel/replica-reads.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  await test.db.deleteFrom('businesses').execute()
  test.ctx.cache.invalidate('businesses')
})

const map = async (query = '') => {
  const answer = await test.request('GET', `/api/businesses/map${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

it('returns the pins in the window, and counts all matches, even those outside it', async () => {
  const inside = await addBusiness(test.db, { name: 'Inside' })
  await addBusiness(test.db, { name: 'Outside', city: 'Portland', state: 'OR' })
  await addBusiness(test.db, { name: 'Nowhere', city: null, state: null })
  const answer = await map('?bbox=-105.2,39.5,-104.6,39.9&zoom=10')
  expect(answer).toMatchObject({ total: 3, place: null })
  expect(answer.pins).toEqual([expect.objectContaining({ id: inside.id, slug: inside.slug, name: 'Inside', precision: 'city', count: 1 })])
})

it('counts all matches once for the windows of a search, until a business changes', async () => {
  const counts = async (...queries: string[]) => {
    const totals: number[] = []
    const statements = await statementsOf(async () => {
      for (const query of queries) totals.push((await map(query)).total)
    })
    return { totals, counted: statements.filter((text) => /^select count\(\*\) as "count" from "businesses"/.test(text)).length }
  }
  await addBusiness(test.db, { type: 'farm' })
  await addBusiness(test.db)
  const windows = ['?bbox=-105.2,39.5,-104.6,39.9&zoom=10', '?bbox=-105.3,39.5,-104.7,39.9&zoom=10', '?bbox=-125,30,-120,40&zoom=5']
  expect(await counts(...windows)).toEqual({ totals: [2, 2, 2], counted: 1 })
  expect(await counts(...windows.map((query) => `${query}&type=farm`))).toEqual({ totals: [1, 1, 1], counted: 1 })
  await addBusiness(test.db)
  test.ctx.cache.invalidate('businesses')
  expect(await counts(...windows)).toEqual({ totals: [3, 3, 3], counted: 1 })
})

it('counts again for someone who has just written, because another node may not know of it yet', async () => {
  const window = '/api/businesses/map?bbox=-105.2,39.5,-104.6,39.9&zoom=10'
  await addBusiness(test.db)
  expect((await test.request('GET', window)).json()).toMatchObject({ total: 1 })
  // As if another node had added it, so that this one keeps its cached responses for a moment.
  await addBusiness(test.db)
  const headers = { cookie: await lastWriteCookie(test.ctx) }
  expect((await test.app.inject({ method: 'GET', url: window, headers })).json()).toMatchObject({ total: 2 })
})

it('applies the list’s filters and names the searched place', async () => {
  await addBusiness(test.db, { name: 'Shop' })
  await addBusiness(test.db, { name: 'Farm', type: 'farm' })
  await addBusiness(test.db, { name: 'Far', city: 'Portland', state: 'OR' })
  const answer = await map('?near=Denver,%20CO&type=farm')
  expect(answer.pins.map((pin: { name: string }) => pin.name)).toEqual(['Farm'])
  expect(answer).toMatchObject({ total: 1, place: { label: 'Denver, CO', radiusMiles: 25 } })
  expect((await map('?q=Colorado')).place).toMatchObject({ label: 'Colorado', radiusMiles: null })
})

it('groups pins into cells when there are too many, without losing any', async () => {
  const lone = await addBusiness(test.db, { name: 'Lone', city: 'Honolulu', state: 'HI' })
  await sql`
    insert into businesses (id, slug, name, type, state, pin_latitude, pin_longitude, pin_precision)
    select gen_random_uuid(), 'many-' || i, 'Many ' || i, 'dispensary', 'CO', 37 + (i % 400) / 100.0, -109 + (i % 700) / 100.0, 'premise'
    from generate_series(1, ${maxPins}) i`.execute(test.db)
  const answer = await map('?zoom=4')
  expect(answer.total).toBe(maxPins + 1)
  expect(answer.pins.length).toBeLessThan(100)
  expect(answer.pins.reduce((sum: number, pin: { count: number }) => sum + pin.count, 0)).toBe(maxPins + 1)
  expect(answer.pins.find((pin: { id: string }) => pin.id === lone.id)).toMatchObject({ name: 'Lone', count: 1, precision: 'city' })
  const cell = answer.pins.find((pin: { count: number }) => pin.count > 1)
  expect(cell).toMatchObject({ slug: null, name: null, type: null, precision: null })
  expect(cell.latitude).toBeGreaterThan(36)
  expect(cell.latitude).toBeLessThan(42)
  const closer = await map('?zoom=9&bbox=-105,38,-104,39')
  expect(closer.pins.every((pin: { count: number }) => pin.count === 1)).toBe(true)
})

it('limits the number of cells in a window that is too wide for its zoom', async () => {
  await sql`
    insert into businesses (id, slug, name, type, pin_latitude, pin_longitude, pin_precision)
    select gen_random_uuid(), 'wide-' || i, 'Wide ' || i, 'dispensary', -80 + (i % 160), -170 + (i * 7 % 340) + i / 100000.0, 'premise'
    from generate_series(1, 12000) i`.execute(test.db)
  const answer = await map('?zoom=20&bbox=-180,-90,180,90')
  expect(answer.pins.length).toBeLessThanOrEqual(maxPins)
  expect(answer.pins.reduce((sum: number, pin: { count: number }) => sum + pin.count, 0)).toBe(12000)
})
