import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BusinessSummary } from '#contracts/businesses.ts'
import { distanceMiles } from '#server/kernel/geo/distance.ts'
import { cityCenter } from '#server/kernel/geo/gazetteer.ts'
import { isInState } from '#server/kernel/geo/state-shapes.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { loadShippedDirectory } from './import-licenses.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
  await loadShippedDirectory(test.ctx)
}, 120_000)
afterAll(() => test?.close())

const list = async (query: string): Promise<BusinessSummary[]> => (await test.request('GET', `/api/businesses${query}`)).json()

it('has more than 5,000 listings', async () => {
  const { count } = await test.db
    .selectFrom('businesses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(count).toBeGreaterThan(5000)
})

it('finds businesses near "Denver", nearest first', async () => {
  const found = await list('?q=Denver&limit=100')
  const denver = cityCenter('Denver', 'CO')
  expect(found).toHaveLength(100)
  const distances = found.map((business) => business.distanceMiles as number)
  expect(distances).toEqual([...distances].sort((a, b) => a - b))
  expect(distances[99]).toBeLessThan(25)
  expect(found.filter((business) => business.location === 'Denver, CO').length).toBeGreaterThan(90)
  const minDistances = { premise: 0, zip: 1, city: 3 }
  for (const { pin, distanceMiles: distance } of found) {
    expect(distance).toBeCloseTo(Math.max(distanceMiles(denver as never, pin as never), pin ? minDistances[pin.precision] : 0), 0)
  }
  // Shops with a known address rank before farms, which only have a city.
  expect(found.slice(0, 20).every(({ pin }) => pin?.precision !== 'city')).toBe(true)
})

it.each(['Los Angeles, CA', 'San Francisco, CA', 'New York, NY', 'Baltimore, MD', 'Denver, CO'])(
  'lists the licensed dispensaries of %s, nearest first',
  async (city) => {
    const found = await list(`?near=${encodeURIComponent(city)}&type=dispensary&limit=50`)
    expect(found).toHaveLength(50)
    expect(found.every(({ type, licenseStanding }) => type === 'dispensary' && licenseStanding === 'listed')).toBe(true)
    const distances = found.map((business) => business.distanceMiles as number)
    expect(distances).toEqual([...distances].sort((a, b) => a - b))
    expect(distances[9]).toBeLessThanOrEqual(5)
  },
)

it('keeps every pin inside its state and hides every grow', async () => {
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

it('omits the regulator’s own office', async () => {
  const { count } = await test.db
    .selectFrom('businesses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('address', 'like', '3400 Vassar%')
    .executeTakeFirstOrThrow()
  expect(count).toBe(0)
})

const imported = async () =>
  (await test.db.selectFrom('license_imports').select('source').orderBy('id').execute()).map(({ source }) => source)

it('loads each file once', async () => {
  const before = await imported()
  expect(before).toHaveLength(2)
  await loadShippedDirectory(test.ctx)
  expect(await imported()).toEqual(before)
})

it('loads a file that a new version adds, but not after an operator’s own import', async () => {
  const [oldest, newest] = (await imported()) as [string, string]
  const unfinish = (source: string) =>
    test.db.updateTable('license_imports').set({ finished_at: null }).where('source', '=', source).execute()
  await unfinish(newest)
  await loadShippedDirectory(test.ctx)
  expect(await imported()).toEqual([oldest, newest, newest])

  await unfinish(newest)
  await test.db.updateTable('license_imports').set({ source: 'my-register.csv' }).where('source', '=', oldest).execute()
  await loadShippedDirectory(test.ctx)
  expect(await imported()).toHaveLength(3)
})
