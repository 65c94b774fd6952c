import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BusinessSummary } from '#contracts/businesses.ts'
import type { SpecialDay, WeeklyHours } from '#contracts/locations.ts'
import { openNow } from '#server/kernel/opening-hours.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { listBusinesses } from './read-businesses.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())

type Times = { timeZone: string; hours: WeeklyHours; specialDays: SpecialDay[] }

async function addShop({ timeZone, hours, specialDays }: Times): Promise<string> {
  const { id } = await addBusiness(test.db, { name: 'A shop' })
  const at = test.clock.now()
  await test.db
    .insertInto('locations')
    .values({ id, business_id: id, name: 'A shop', time_zone: timeZone, has_hours: true, created_at: at, updated_at: at })
    .execute()
  const intervals = hours.flatMap((day, weekday) => day.map((interval) => ({ location_id: id, weekday, ...interval })))
  if (intervals.length > 0) await test.db.insertInto('location_hours').values(intervals).execute()
  for (const { day, intervals: open, note } of specialDays) {
    const [opens, closes] = [open.map((each) => each.opens), open.map((each) => each.closes)]
    await test.db.insertInto('location_special_days').values({ location_id: id, day, opens, closes, note }).execute()
  }
  return id
}

/** Invalidates the responses, which are cached for seconds, because these tests move the clock. */
async function list(query: string): Promise<BusinessSummary[]> {
  test.ctx.cache.invalidate('businesses')
  return (await test.request('GET', `/api/businesses?limit=100&${query}`)).json()
}

const none: WeeklyHours = Array.from({ length: 7 }, () => [])
const nineToNine: WeeklyHours = Array.from({ length: 7 }, () => [{ opens: 540, closes: 1260 }])

it('shows how long a business stays open, in its own time zone', async () => {
  await test.db.deleteFrom('businesses').execute()
  const id = await addShop({ timeZone: 'America/Denver', hours: nineToNine, specialDays: [] })
  await addBusiness(test.db, { name: 'No hours' })
  test.clock.set('2026-11-24T20:00:00Z')
  expect((await list('')).find((business) => business.id === id)).toMatchObject({
    timeZone: 'America/Denver',
    openNow: { isOpen: true, changesAt: '2026-11-25T04:00:00.000Z', note: null },
  })
  expect((await list('')).find((business) => business.name === 'No hours')).toMatchObject({ openNow: null, timeZone: null })
  expect((await list('open=true')).map((business) => business.id)).toEqual([id])

  test.clock.set('2026-11-25T04:00:00Z')
  expect(await list('open=true')).toEqual([])
})

it('shows on the map which businesses are open', async () => {
  await test.db.deleteFrom('businesses').execute()
  const id = await addShop({ timeZone: 'America/Denver', hours: nineToNine, specialDays: [] })
  await addBusiness(test.db, { name: 'No hours' })
  test.clock.set('2026-11-24T20:00:00Z')
  test.ctx.cache.invalidate('businesses')
  const { pins } = (await test.request('GET', '/api/businesses/map')).json()
  const open = new Map(pins.map((pin: { id: string; name: string; openNow: unknown }) => [pin.id === id ? 'shop' : pin.name, pin.openNow]))
  expect(open).toEqual(
    new Map<string, unknown>([
      ['shop', { isOpen: true, changesAt: '2026-11-25T04:00:00.000Z' }],
      ['No hours', null],
    ]),
  )
})

it('includes hours that run past midnight, unless a special day replaces them', async () => {
  await test.db.deleteFrom('businesses').execute()
  const late = none.map((_, day) => (day === 4 ? [{ opens: 1080, closes: 120 }] : []))
  const id = await addShop({ timeZone: 'America/Denver', hours: late, specialDays: [] })
  // Saturday at 1 AM.
  test.clock.set('2026-11-28T08:00:00Z')
  expect((await list('open=true')).map((business) => business.id)).toEqual([id])
  await test.db
    .insertInto('location_special_days')
    .values({ location_id: id, day: '2026-11-27', opens: [], closes: [], note: 'Inventory' })
    .execute()
  test.clock.advance({ minutes: 1 })
  expect(await list('open=true')).toEqual([])
})

it('lists businesses open on a date, with special days in place of the weekly hours, and businesses in a city', async () => {
  await test.db.deleteFrom('businesses').execute()
  const sundays = none.map((_, day) => (day === 6 ? [{ opens: 600, closes: 900 }] : []))
  const open = await addShop({ timeZone: 'America/Denver', hours: sundays, specialDays: [] })
  const closed = { day: '2026-11-29', intervals: [], note: 'Inventory' }
  await addShop({ timeZone: 'America/Denver', hours: sundays, specialDays: [closed] })
  const extra = await addShop({
    timeZone: 'America/Denver',
    hours: none,
    specialDays: [{ ...closed, intervals: [{ opens: 600, closes: 660 }] }],
  })
  const { id: boulder } = await addBusiness(test.db, { name: 'No hours', city: 'Boulder' })
  const ids = async (filters: { openOn?: string; city?: string }) => {
    const { items } = await listBusinesses(test.db, { ...filters, sort: 'name', limit: 10 }, test.clock.now())
    return items.map(({ id }) => id).sort()
  }
  expect(await ids({ openOn: '2026-11-29' })).toEqual([open, extra].sort())
  expect(await ids({ openOn: '2026-11-30' })).toEqual([])
  expect(await ids({ city: 'boulder' })).toEqual([boulder])
})

it('finds the same open businesses in the database as openNow does, at any time', async () => {
  await test.db.deleteFrom('businesses').execute()
  const interval = fc.record({ opens: fc.integer({ min: 0, max: 1439 }), closes: fc.integer({ min: 0, max: 1440 }) })
  const week = fc.array(fc.array(interval, { maxLength: 2 }), { minLength: 7, maxLength: 7 })
  const zone = fc.constantFrom('America/New_York', 'America/St_Johns', 'Europe/Berlin', 'Pacific/Honolulu')
  const holiday = fc.record({
    day: fc.constantFrom('2026-07-03', '2026-07-04', '2026-07-05'),
    intervals: fc.array(interval, { maxLength: 2 }),
    note: fc.constant(''),
  })
  const shops = fc.sample(
    fc.record({ timeZone: zone, hours: week, specialDays: fc.uniqueArray(holiday, { selector: ({ day }) => day, maxLength: 2 }) }),
    { numRuns: 60, seed: 9 },
  )
  const byId = new Map<string, Times>()
  for (const shop of shops) byId.set(await addShop(shop), shop)
  // These times are far from any clock change, so the posted hours are unambiguous.
  for (let hour = 0; hour < 96; hour += 7) {
    const now = new Date(Date.parse('2026-07-02T00:00:00Z') + hour * 3_600_000 + 1_000)
    test.clock.set(now)
    const open = new Set((await list('open=true')).map((business) => business.id))
    for (const business of await list('')) {
      const { isOpen, changesAt } = openNow(byId.get(business.id) as Times, test.clock.now())
      expect([open.has(business.id), business.openNow?.isOpen, business.openNow?.changesAt], business.id).toEqual([
        isOpen,
        isOpen,
        changesAt?.toISOString() ?? null,
      ])
    }
  }
})
