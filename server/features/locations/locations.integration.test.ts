import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Location } from '#contracts/locations.ts'
import { up as correctTimeZones } from '#server/db/migrations/20261201T0830-correct-time-zones-of-listings.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addKeepers, addMember } from '#tests/support/keepers.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { addProduct, withOneVariant } from '#tests/support/menus.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  shop = await addBusiness(test.db)
  owner = await addMember(test, shop, 'owner')
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', rest = '', body?: object, as: TestPerson | null = owner) =>
  test.request(method, `/api/businesses/${shop.id}/locations${rest}`, as, body)
const all = async () => (await call('GET', '', undefined, null)).json() as Location[]
const place = (details: object = {}) => ({ name: 'North', location: 'Boulder, CO', timeZone: 'America/Denver', ...details })
const everyDay = Array.from({ length: 7 }, () => [{ opens: 540, closes: 1020 }])

describe('the main location', () => {
  it('is taken from the business until it is saved', async () => {
    const [main, ...others] = await all()
    expect(others).toEqual([])
    expect(main).toMatchObject({
      id: shop.id,
      isMain: true,
      location: 'Denver, CO',
      address: null,
      timeZone: 'America/Denver',
      hours: null,
      openNow: null,
      pin: { precision: 'city' },
    })
  })

  it('determines the business’s location, which register imports then leave alone', async () => {
    const pin = { latitude: 40.015, longitude: -105.27 }
    const specialDays = [{ day: '2026-12-25', intervals: [], note: 'Holiday' }]
    const saved = await call(
      'PUT',
      `/${shop.id}`,
      place({ name: 'Pearl Street', address: '1 Pearl St', phone: '(303) 555-0100', pin, hours: everyDay, specialDays }),
    )
    expect(saved.json(), saved.body).toMatchObject({
      id: shop.id,
      isMain: true,
      name: 'Pearl Street',
      address: '1 Pearl St',
      hours: everyDay,
      specialDays,
      pin: { ...pin, precision: 'premise' },
      openNow: { isOpen: expect.any(Boolean), changesAt: expect.any(String) },
    })
    expect((await test.request('GET', `/api/businesses/${shop.id}`)).json()).toMatchObject({
      location: 'Boulder, CO',
      city: 'Boulder',
      address: '1 Pearl St',
      phone: '(303) 555-0100',
      pin: { ...pin, precision: 'premise' },
    })
    const row = await test.db.selectFrom('businesses').select('edited_fields').where('id', '=', shop.id).executeTakeFirstOrThrow()
    expect(row.edited_fields).toEqual(['address', 'location', 'phone'])
    expect(await all()).toEqual([saved.json()])
    const again = await call('PUT', `/${shop.id}`, place({ hours: null, address: '2 Pearl St, Boulder, CO 80302' }))
    expect(again.json()).toMatchObject({ hours: null, openNow: null, specialDays: [], pin: { precision: 'zip' }, phone: null })
  })

  it('keeps its ZIP code, its pin and an unknown town until its place changes', async () => {
    const zipPin = { pin_latitude: 40.38, pin_longitude: -104.69, pin_precision: 'zip' as const }
    const known = { location: 'Garden City, CO', city: 'Garden City', zip: '80631', address: '2 Garden Ave' }
    await test.db
      .updateTable('businesses')
      .set({ ...known, ...zipPin })
      .where('id', '=', shop.id)
      .execute()
    const row = () =>
      test.db
        .selectFrom('businesses')
        .select(['location', 'city', 'zip', 'address', 'pin_latitude', 'pin_longitude', 'pin_precision', 'edited_fields'])
        .where('id', '=', shop.id)
        .executeTakeFirstOrThrow()
    const same = place({ location: known.location, address: known.address })
    await call('PUT', `/${shop.id}`, { ...same, hours: everyDay })
    expect(await row()).toEqual({ ...known, ...zipPin, edited_fields: [] })
    await call('PUT', `/${shop.id}`, { ...same, phone: '(303) 555-0100' })
    expect(await row()).toEqual({ ...known, ...zipPin, edited_fields: ['phone'] })
    const pin = { latitude: 40.39, longitude: -104.7 }
    await call('PUT', `/${shop.id}`, { ...same, pin })
    expect(await row()).toMatchObject({ city: 'Garden City', zip: '80631', pin_latitude: 40.39, pin_precision: 'premise' })
    await call('PUT', `/${shop.id}`, { ...same, pin, phone: '(303) 555-0199' })
    expect(await row()).toMatchObject({ city: 'Garden City', zip: '80631', pin_precision: 'premise' })
    // Without the pin, the ZIP code places it.
    await call('PUT', `/${shop.id}`, same)
    expect(await row()).toMatchObject({ zip: '80631', pin_precision: 'zip' })
    await call('PUT', `/${shop.id}`, place({ address: '1 Pearl St' }))
    expect(await row()).toMatchObject({ city: 'Boulder', zip: null, pin_precision: 'city' })
  })

  it('rejects dates that the database’s calendar lacks', async () => {
    const specialDays = [{ day: '0000-01-01', intervals: [] }]
    expect((await call('PUT', `/${shop.id}`, place({ specialDays }))).json().fields).toEqual({ 'specialDays.0.day': expect.any(String) })
  })

  it('can’t be removed', async () => {
    expect((await call('DELETE', `/${shop.id}`)).statusCode).toBe(409)
  })
})

describe('another location', () => {
  it('is added, changed, and removed along with its prices', async () => {
    const added = (await call('POST', '', place({ hours: everyDay }))).json() as Location
    expect(added).toMatchObject({ isMain: false, name: 'North', pin: { precision: 'city' }, hours: everyDay })
    const variant = await addProduct(test.db, shop.id)
    await test.db.insertInto('product_offers').values({ variant_id: variant, location_id: added.id, price_cents: 5 }).execute()
    expect((await call('PUT', `/${added.id}`, place({ name: 'Renamed', location: '80205' }))).json()).toMatchObject({
      name: 'Renamed',
      location: 'Denver, CO',
      hours: null,
      pin: { precision: 'zip' },
    })
    const saved = await test.db.selectFrom('locations').select(['zip', 'pin_latitude']).where('id', '=', added.id).execute()
    expect(saved).toMatchObject([{ zip: '80205' }])
    await call('PUT', `/${added.id}`, place({ location: 'Denver, CO', hours: everyDay }))
    expect(await test.db.selectFrom('locations').select(['zip', 'pin_latitude']).where('id', '=', added.id).execute()).toEqual(saved)
    expect((await all()).map((location) => location.isMain)).toEqual([true, false])
    for (let i = 0; i < 2; i++) expect((await call('DELETE', `/${added.id}`)).statusCode).toBe(204)
    expect((await call('PUT', `/${added.id}`, place())).statusCode).toBe(404)
    expect(await test.db.selectFrom('product_offers').select('variant_id').where('location_id', '=', added.id).execute()).toEqual([])
  })

  it('isn’t overwritten by an outdated edit', async () => {
    const manager = await addMember(test, shop, 'manager')
    const added = (await call('POST', '', place({ hours: everyDay }))).json() as Location
    for (const location of [(await all())[0] as Location, added]) {
      const { version } = location
      const edit = { ...place({ phone: '(303) 555-0100', hours: everyDay }), version }
      const first = await call('PUT', `/${location.id}`, edit, manager)
      expect(first.json(), first.body).toMatchObject({ phone: '(303) 555-0100' })
      const outdated = await call('PUT', `/${location.id}`, place({ hours: null, version }))
      expect([outdated.statusCode, outdated.json().code]).toEqual([409, 'conflict'])
      expect((await all()).find(({ id }) => id === location.id)).toEqual(first.json())
      // A repeated request whose first response was lost changes nothing.
      expect((await call('PUT', `/${location.id}`, edit, manager)).json()).toEqual(first.json())
      const current = { ...place({ name: 'South' }), version: first.json().version }
      expect((await call('PUT', `/${location.id}`, current)).json()).toMatchObject({ name: 'South', hours: null })
    }
  })

  it('never shows more than the city of a farm, however it was entered', async () => {
    const farm = await addBusiness(test.db, { type: 'farm' })
    const farmer = await addMember(test, farm, 'owner')
    const pin = { latitude: 39.7001, longitude: -104.9001 }
    const body = place({ address: '1 Hidden Rd', location: '80205', pin })
    const url = `/api/businesses/${farm.id}/locations`
    await test.request('POST', url, farmer, body)
    await test.request('PUT', `${url}/${farm.id}`, farmer, body)
    const shown = (await test.request('GET', url)).body
    for (const secret of ['Hidden', '39.7001', '80205', '"premise"', '"zip"']) expect(shown).not.toContain(secret)
    expect(JSON.parse(shown).map((location: Location) => location.pin?.precision)).toEqual(['city', 'city'])
    for (const location of ['4120 Hidden Rd, Nowhere County', '12 Hidden Rd, Kelowna, BC, Canada']) {
      expect((await test.request('POST', url, farmer, place({ location }))).json().fields).toEqual({ location: expect.any(String) })
      expect((await test.request('PUT', `${url}/${farm.id}`, farmer, place({ location }))).statusCode).toBe(400)
    }
    const fromCounty = { location: 'Weld, CO', city: null, pin_latitude: 40.42, pin_longitude: -104.7 }
    await test.db.updateTable('businesses').set(fromCounty).where('id', '=', farm.id).execute()
    const saved = await test.request('PUT', `${url}/${farm.id}`, farmer, place({ location: 'Weld, CO', address: '1 Hidden Rd', pin }))
    expect(saved.json()).toMatchObject({ address: null, pin: { latitude: 40.42, longitude: -104.7, precision: 'city' } })
    const hidden = { id: newId(), business_id: farm.id, name: 'X', time_zone: 'UTC', is_farm: true }
    for (const finer of [
      { address: '1 Hidden Rd' },
      { zip: '80205' },
      { pin_latitude: 1, pin_longitude: 1, pin_precision: 'zip' as const },
    ]) {
      await expect(
        test.db
          .insertInto('locations')
          .values({ ...hidden, ...finer })
          .execute(),
      ).rejects.toThrow(/farm_locations/)
    }
    await call('POST', '', place({ address: '1 Hidden Rd', pin: { latitude: 40.01, longitude: -105.27 } }))
    await test.db.updateTable('businesses').set({ type: 'farm' }).where('id', '=', shop.id).execute()
    expect((await all())[1]).toMatchObject({ address: null, pin: null })
  })

  it('is refused beyond 500, the limit on every plan', async () => {
    await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
    await sql`insert into locations (id, business_id, name, time_zone)
      select gen_random_uuid(), ${shop.id}::uuid, 'L', 'UTC' from generate_series(1, 498)`.execute(test.db)
    expect((await call('POST', '', place())).statusCode).toBe(201)
    expect((await call('POST', '', place())).json()).toMatchObject({
      code: 'conflict',
      message: 'A business can have up to 500 locations.',
    })
  })

  it('is refused if it is the sixth without a plan, even concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '', place())))
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(4)
    expect(answers.find((answer) => answer.statusCode !== 201)?.json()).toMatchObject({ code: 'plan_limit' })
    const room = () => test.request('GET', `/api/businesses/${shop.id}/location-room`, owner)
    expect((await room()).json()).toEqual({ locationCount: 5, locationLimit: 5 })
    await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
    expect((await call('POST', '', place())).statusCode).toBe(201)
    expect((await room()).json()).toEqual({ locationCount: 6, locationLimit: null })
    await test.db.deleteFrom('agreements').where('business_id', '=', shop.id).execute()
    expect((await call('POST', '', place())).json().message).toMatch(/You can keep the 6 you have/)
    expect((await call('PUT', `/${shop.id}`, place())).statusCode).toBe(200)
    expect(await all()).toHaveLength(6)
  })

  it('rejects overlapping times, duplicate days, invalid time zones, and distant pins', async () => {
    const hours = [
      [
        { opens: 540, closes: 720 },
        { opens: 700, closes: 800 },
      ],
      [],
      [],
      [],
      [],
      [],
      [],
    ]
    const specialDays = [
      { day: '2026-12-25', intervals: [] },
      { day: '2026-12-25', intervals: [] },
    ]
    const answer = await call('POST', '', place({ timeZone: 'Mars/Olympus', hours, specialDays, pin: { latitude: 10, longitude: 10 } }))
    expect(Object.keys(answer.json().fields).sort()).toEqual(['hours.0.1', 'pin', 'specialDays.1.day', 'timeZone'])
    expect((await call('POST', '', place({ hours: [] }))).statusCode).toBe(400)
  })
})

it('lets only the owner and managers edit locations', async () => {
  const people = await addKeepers(test)
  const location = (await test.request('POST', `/api/businesses/${people.shop.id}/locations`, people.owner, place())).json().id
  const calls = [
    ['GET', 'location-room', undefined, 200],
    ['POST', 'locations', place(), 201],
    ['PUT', `locations/${location}`, place(), 200],
    ['DELETE', `locations/${newId()}`, undefined, 204],
  ] as const
  for (const [method, rest, body, allowed] of calls) {
    const status = async (as: TestPerson | null) =>
      (await test.request(method, `/api/businesses/${people.shop.id}/${rest}`, as, body)).statusCode
    for (const role of ['owner', 'manager'] as const) expect(await status(people[role]), `${role} ${method}`).toBe(allowed)
    for (const role of ['staff', 'stranger', 'ownerOfAnother'] as const) expect(await status(people[role]), `${role} ${method}`).toBe(403)
    expect(await status(null)).toBe(401)
    const foreign = await test.request(method, `/api/businesses/${people.another.id}/${rest}`, people.ownerOfAnother, body)
    if (method === 'PUT') expect(foreign.statusCode).toBe(404)
  }
})

it('refuses offers at a location that is being deleted', async () => {
  const { id } = (await call('POST', '', place())).json()
  const { answer } = await test.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('locations').where('id', '=', id).execute()
    const item = withOneVariant({ name: 'Apple', price: '5', offers: [{ locationId: id, price: '4' }] })
    const answer = test.request('POST', `/api/businesses/${shop.id}/menu-items`, owner, item)
    await untilWaiting(test.db, { statement: 'location' })
    return { answer }
  })
  expect((await answer).json().fields).toEqual({ 'variants.0.offers.0.locationId': 'This location no longer exists' })
})

it('corrects the time zone of hours that members added before, but not an owner’s', async () => {
  const [unclaimed, claimed, inPortland] = [
    await addBusiness(test.db, { city: 'Ontario', state: 'OR' }),
    await addBusiness(test.db, { city: 'Ontario', state: 'OR', claimed_at: new Date() }),
    await addBusiness(test.db, { city: 'Portland', state: 'OR' }),
  ]
  const time_zone = 'America/Los_Angeles'
  for (const { id } of [unclaimed, claimed, inPortland])
    await test.db.insertInto('locations').values({ id, business_id: id, name: 'Main', time_zone }).execute()
  await correctTimeZones(test.db as unknown as Kysely<unknown>)
  const zoneOf = async ({ id }: { id: string }) =>
    (await test.db.selectFrom('locations').select('time_zone').where('id', '=', id).executeTakeFirst())?.time_zone
  expect([await zoneOf(unclaimed), await zoneOf(claimed), await zoneOf(inPortland)]).toEqual(['America/Boise', time_zone, time_zone])
})
