import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addMember } from '#tests/support/keepers.ts'
import { addListing } from '#tests/support/listings.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { locationJobs } from './plan-move.ts'

let t: TestApp
let owner: TestPerson
let shop: TestBusiness

const firstDay = new Date('2026-11-24T18:00:00Z')

beforeAll(async () => {
  t = await startTestApp({ startsAt: firstDay })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.clock.set(firstDay)
  shop = await addBusiness(t.db, { name: 'Lantern', address: '1 First St', phone: '303-555-0100' })
  owner = await addMember(t, shop, 'owner')
})

const next = { movesOn: '2026-12-01', location: 'Boulder, CO', address: '900 Pearl St, 80302' }
const plan = (details: object = {}, as: TestPerson | null = owner) =>
  t.request('PUT', `/api/businesses/${shop.slug}/move`, as, { ...next, ...details })
const cancel = (as: TestPerson = owner) => t.request('DELETE', `/api/businesses/${shop.slug}/move`, as)
const read = async () => (await t.request('GET', `/api/businesses/${shop.id}`, null)).json() as Business
const near = async (place: string) =>
  ((await t.request('GET', `/api/businesses?near=${place}&radius=5`, null)).json() as BusinessSummary[]).some(({ id }) => id === shop.id)
const moveDue = () => locationJobs(t.ctx)['locations.move-due']({})
const at = (moment: string) => t.clock.set(new Date(moment))
const audited = async () => {
  const rows = await t.db.selectFrom('audit_log').select('action').where('business_id', '=', shop.id).orderBy('sequence').execute()
  return rows.map(({ action }) => action)
}
async function licenseInColorado() {
  const listing = await addListing(t.db)
  await t.db.updateTable('licenses').set({ business_id: shop.id }).where('business_id', '=', listing.id).execute()
}
const refused = async (details: object, as: TestPerson = owner) => {
  const answer = await plan(details, as)
  expect(answer.statusCode, answer.body).toBe(400)
  return Object.keys((answer.json() as { fields: object }).fields)
}

describe('before the day of the move', () => {
  it('shows the current and the next address', async () => {
    expect((await plan()).json()).toMatchObject({
      location: 'Denver, CO',
      address: '1 First St',
      move: { movesOn: '2026-12-01', location: 'Boulder, CO', address: '900 Pearl St, 80302' },
    })
    expect((await read()).move).toMatchObject({ location: 'Boulder, CO', pin: null })
    expect([await near('Denver, CO'), await near('Boulder, CO')]).toEqual([true, false])
  })

  it('stores a single plan, which each change replaces', async () => {
    await plan()
    await plan()
    await plan({ movesOn: '2026-12-24' })
    expect((await read()).move?.movesOn).toBe('2026-12-24')
    expect((await cancel()).json().move).toBeNull()
    expect((await cancel()).statusCode).toBe(200)
    expect(await audited()).toEqual(['business.move_planned', 'business.move_planned', 'business.move_canceled'])
  })

  it('keeps the ZIP code when only the day changes', async () => {
    await plan({ location: '80205', address: '2 Second St' })
    await plan({ location: 'Denver, CO', address: '2 Second St', movesOn: '2026-12-24' })
    const stored = await t.db.selectFrom('business_moves').select(['zip', 'pin_precision']).where('business_id', '=', shop.id).execute()
    expect(stored).toEqual([{ zip: '80205', pin_precision: 'zip' }])
  })

  it('lets only owners and managers plan it', async () => {
    expect((await plan({}, null)).statusCode).toBe(401)
    expect((await plan({}, await addMember(t, shop, 'staff'))).statusCode).toBe(403)
    expect((await plan({}, await t.signUp())).statusCode).toBe(403)
    expect((await plan({}, await addMember(t, shop, 'manager'))).statusCode).toBe(200)
  })

  it('refuses days that aren’t in the future, the current address, distant pins, and states without a license', async () => {
    expect(await refused({ movesOn: '2026-11-24' })).toEqual(['movesOn'])
    expect(await refused({ movesOn: '2028-01-01' })).toEqual(['movesOn'])
    expect(await refused({ movesOn: '2026-02-30' })).toEqual(['movesOn'])
    expect(await refused({ location: 'Denver, CO', address: '1 First St' })).toEqual(['address'])
    expect(await refused({ pin: { latitude: 10, longitude: 10 } })).toEqual(['pin'])
    await licenseInColorado()
    expect(await refused({ location: 'Cheyenne, WY' })).toEqual(['location'])
    expect((await read()).move).toBeNull()
  })

  it('drops a farm’s street', async () => {
    await t.db.updateTable('businesses').set({ type: 'farm', address: null }).where('id', '=', shop.id).execute()
    await plan({ pin: { latitude: 40.01, longitude: -105.27 } })
    expect((await read()).move).toEqual({ movesOn: '2026-12-01', location: 'Boulder, CO', address: null, pin: null })
    at('2026-12-02T00:00:00Z')
    await moveDue()
    expect(await read()).toMatchObject({ address: null, pin: { precision: 'city' } })
  })
})

describe('on the day of the move', () => {
  it('moves the business on its page, in search and on the map at midnight in its time zone', async () => {
    await plan()
    // 11:59 PM in Denver.
    at('2026-12-01T06:59:00Z')
    await moveDue()
    expect(await near('Boulder, CO')).toBe(false)
    at('2026-12-01T07:00:00Z')
    await moveDue()
    expect(await read()).toMatchObject({
      location: 'Boulder, CO',
      address: '900 Pearl St, 80302',
      zip: '80302',
      phone: '303-555-0100',
      pin: { precision: 'zip' },
      move: null,
    })
    expect([await near('Denver, CO'), await near('Boulder, CO')]).toEqual([false, true])
    await moveDue()
    expect(await audited()).toEqual(['business.move_planned', 'business.moved'])
  })

  it('uses the main location’s current time zone, even if it changed after the move was planned', async () => {
    await plan()
    await t.db.updateTable('locations').set({ time_zone: 'Asia/Tokyo' }).where('id', '=', shop.id).execute()
    at('2026-11-30T15:00:00Z')
    await moveDue()
    expect(await near('Boulder, CO')).toBe(true)
    const [main] = (await t.request('GET', `/api/businesses/${shop.id}/locations`, null)).json()
    expect(main.timeZone).toBe('Asia/Tokyo')
  })

  it('changes the time zone with the state if no one chose it', async () => {
    await plan({ location: 'Portland, OR', address: '' })
    at('2026-12-01T07:00:00Z')
    await moveDue()
    const [main] = (await t.request('GET', `/api/businesses/${shop.id}/locations`, null)).json()
    expect(main).toMatchObject({ location: 'Portland, OR', timeZone: 'America/Los_Angeles' })
  })

  it('changes a time zone that was guessed by state before it was by county', async () => {
    await t.db
      .updateTable('businesses')
      .set({ location: 'Ontario, OR', city: 'Ontario', state: 'OR', zip: '97914' })
      .where('id', '=', shop.id)
      .execute()
    await plan()
    await t.db.updateTable('locations').set({ time_zone: 'America/Los_Angeles' }).where('id', '=', shop.id).execute()
    at('2026-12-01T09:00:00Z')
    await moveDue()
    const [main] = (await t.request('GET', `/api/businesses/${shop.id}/locations`, null)).json()
    expect(main).toMatchObject({ location: 'Boulder, CO', timeZone: 'America/Denver' })
  })

  it('uses the pin that the owner set', async () => {
    const pin = { latitude: 40.0176, longitude: -105.2797 }
    await plan({ pin })
    expect((await read()).move).toMatchObject({ pin })
    at('2026-12-01T07:00:00Z')
    await moveDue()
    expect((await read()).pin).toEqual({ ...pin, precision: 'premise' })
  })

  it('keeps the pin of an owner who entered the new address early', async () => {
    await plan()
    const pin = { latitude: 40.0176, longitude: -105.2797 }
    const entered = { name: 'Lantern', location: next.location, address: next.address, timeZone: 'America/Denver', pin }
    const saved = await t.request('PUT', `/api/businesses/${shop.id}/locations/${shop.id}`, owner, entered)
    expect(saved.statusCode, saved.body).toBe(200)
    at('2026-12-01T07:00:00Z')
    await moveDue()
    expect(await read()).toMatchObject({ address: '900 Pearl St, 80302', pin: { ...pin, precision: 'premise' }, move: null })
  })

  it('skips businesses with a license that no longer allows the move, and moves the others', async () => {
    await plan({ location: 'Cheyenne, WY', address: '' })
    await licenseInColorado()
    const other = await addBusiness(t.db, {})
    const person = await addMember(t, other, 'owner')
    await t.request('PUT', `/api/businesses/${other.id}/move`, person, next)
    at('2026-12-01T07:00:00Z')
    await moveDue()
    expect(await read()).toMatchObject({ location: 'Denver, CO', move: null })
    expect(await audited()).toEqual(['business.move_planned', 'business.move_refused'])
    expect((await t.request('GET', `/api/businesses/${other.id}`, null)).json()).toMatchObject({ location: 'Boulder, CO' })
  })

  it('keeps a new plan that replaces a refused one at the same moment', async () => {
    await plan({ location: 'Cheyenne, WY', address: '' })
    await licenseInColorado()
    at('2026-12-01T07:00:00Z')
    const calls = await t.db.transaction().execute(async (tx) => {
      await sql`select from businesses where id = ${shop.id} for update`.execute(tx)
      const moving = moveDue()
      await untilWaiting(t.db)
      const planning = plan({ movesOn: '2026-12-24' })
      await untilWaiting(t.db, { count: 2 })
      return { moving, planning }
    })
    await calls.moving
    expect((await calls.planning).statusCode).toBe(200)
    expect((await read()).move).toMatchObject({ movesOn: '2026-12-24', location: 'Boulder, CO' })
  })

  it('moves once, however many jobs run at the same time', async () => {
    await plan()
    at('2026-12-01T07:00:00Z')
    await Promise.all([moveDue(), moveDue(), moveDue()])
    expect(await audited()).toEqual(['business.move_planned', 'business.moved'])
  })
})
