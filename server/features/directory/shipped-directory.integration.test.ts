import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BusinessSummary } from '../../../contracts/businesses.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { distanceMiles } from '../../kernel/geo/distance.ts'
import { cityCenter } from '../../kernel/geo/gazetteer.ts'
import { isInState } from '../../kernel/geo/state-shapes.ts'
import { loadShippedDirectory } from './load-shipped-directory.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
  await loadShippedDirectory(test.ctx)
}, 120_000)
afterAll(() => test?.close())

const list = async (query: string): Promise<BusinessSummary[]> => (await test.request('GET', `/api/businesses${query}`)).json()

it('gives more than 5,000 listings', async () => {
  const { count } = await test.db
    .selectFrom('businesses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeGreaterThan(5000)
})

it('finds Denver’s by "Denver", nearest first', async () => {
  const found = await list('?q=Denver&limit=100')
  const denver = cityCenter('Denver', 'CO')
  expect(found).toHaveLength(100)
  const distances = found.map((business) => business.distanceMiles as number)
  expect(distances).toEqual([...distances].sort((a, b) => a - b))
  expect(distances[99]).toBeLessThan(25)
  expect(found.filter((business) => business.location === 'Denver, CO').length).toBeGreaterThan(90)
  const least = { premise: 0, zip: 1, city: 3 }
  for (const { pin, distanceMiles: told } of found) {
    expect(told).toBeCloseTo(Math.max(distanceMiles(denver as never, pin as never), pin ? least[pin.precision] : 0), 0)
  }
  // The shops whose door is known stand before the farms of which only the city is.
  expect(found.slice(0, 20).every(({ pin }) => pin?.precision !== 'city')).toBe(true)
})

it('puts no pin outside of its state, and gives nobody’s grow away', async () => {
  const rows = await test.db.selectFrom('businesses').selectAll().execute()
  for (const row of rows) {
    if (row.pin_latitude !== null)
      expect(isInState(row.pin_latitude, row.pin_longitude as number, row.state as string), row.slug).toBe(true)
    if (row.type === 'farm') expect([row.address, row.pin_precision === 'premise'], row.slug).toEqual([null, false])
    expect(row.description).toBeNull()
  }
  const exposed = await test.db
    .selectFrom('businesses')
    .innerJoin('licenses', 'licenses.business_id', 'businesses.id')
    .select('slug')
    .where('licenses.business_type', '=', 'farm')
    .where('businesses.type', '!=', 'dispensary')
    .where((eb) => eb.or([eb('address', 'is not', null), eb('pin_precision', '!=', 'city')]))
    .execute()
  expect(exposed).toEqual([])
})

it('keeps the regulator’s own office out of the directory', async () => {
  const { count } = await test.db
    .selectFrom('businesses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('address', 'like', '3400 Vassar%')
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})

it('is loaded once', async () => {
  const imports = () => test.db.selectFrom('license_imports').select('id').execute()
  const before = await imports()
  await loadShippedDirectory(test.ctx)
  expect(await imports()).toEqual(before)
})
