import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Business } from '#contracts/businesses.ts'
import { newId } from '#server/kernel/ids.ts'
import { addListing } from '#tests/support/listings.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { addStoredPicture, findWrongMediaUses } from '#tests/support/media-uses.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let owner: TestPerson
let manager: TestPerson
let staff: TestPerson
let stranger: TestPerson
let business: Business

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.signUp()
  manager = await t.signUp()
  staff = await t.signUp()
  stranger = await t.signUp()
})
afterAll(() => t.close())

beforeEach(async () => {
  business = await make('dispensary')
})

async function make(businessType: string): Promise<Business> {
  const made = (
    await t.request('POST', '/api/businesses', owner, {
      businessType,
      businessName: 'Harbor Door',
      location: '80202',
      address: '1 Main St',
    })
  ).json() as Business
  for (const [person, role] of [
    [manager, 'manager'],
    [staff, 'staff'],
  ] as const) {
    await t.db.insertInto('business_members').values({ business_id: made.id, user_id: person.user.id, role }).execute()
  }
  return made
}

const edit = (as: TestPerson | null, body: object, id = business.slug) => t.request('PATCH', `/api/businesses/${id}`, as, body)
const row = () => t.db.selectFrom('businesses').selectAll().where('id', '=', business.id).executeTakeFirstOrThrow()

it('lets only the owner and managers edit', async () => {
  const statuses: number[] = []
  for (const person of [owner, manager, staff, stranger, null]) statuses.push((await edit(person, { phone: '303-555-0101' })).statusCode)
  expect(statuses).toEqual([200, 200, 403, 403, 401])
  expect((await edit(owner, { phone: '303-555-0101' }, 'no-such-place')).statusCode).toBe(404)
})

it('doesn’t block a change to the team while an edit waits for the business', async () => {
  const calls = await t.db.transaction().execute(async (tx) => {
    // Removing a member takes these two locks.
    await sql`select from businesses where id = ${business.id} for no key update`.execute(tx)
    const editing = edit(manager, { phone: '303-555-0101' })
    await untilWaiting(t.db)
    const member = sql`select from business_members where business_id = ${business.id} and user_id = ${manager.user.id} for update nowait`
    await member.execute(tx)
    return { editing }
  })
  expect((await calls.editing).statusCode).toBe(200)
})

it.each([
  ['an edit', 'PATCH', '', { phone: '303-555-0101' }],
  ['a closure', 'PUT', '/closure', { kind: 'temporary', reopensOn: null }],
] as const)('refuses %s that is waiting when the business is merged', async (_name, method, path, body) => {
  const calls = await t.db.transaction().execute(async (tx) => {
    await sql`select from businesses where id = ${business.id} for update`.execute(tx)
    const changing = t.request(method, `/api/businesses/${business.slug}${path}`, owner, body)
    await untilWaiting(t.db)
    await tx.deleteFrom('businesses').where('id', '=', business.id).execute()
    return { changing }
  })
  const answer = await calls.changing
  expect(answer.statusCode, answer.body).toBe(404)
})

it('shows and removes a logo and amenities without a plan', async () => {
  const [logoId, foreignId] = [await addStoredPicture(t.ctx, owner.user.id), await addStoredPicture(t.ctx, stranger.user.id)]
  const refused = await edit(owner, { logoId: foreignId })
  expect([refused.statusCode, refused.json().fields]).toEqual([400, { logoId: 'Choose a picture that you uploaded' }])
  expect((await edit(owner, { amenities: ['helipad'] })).statusCode).toBe(400)

  const answer = (await edit(owner, { logoId, amenities: ['wheelchair', 'atm', 'atm'] })).json() as Business
  expect(answer).toMatchObject({ amenities: ['atm', 'wheelchair'], logoUrl: expect.stringContaining(logoId), imageUrl: null })
  expect((await t.request('GET', answer.logoUrl ?? '', null)).statusCode).toBe(200)
  expect(await findWrongMediaUses(t.db)).toEqual([])
  expect((await edit(owner, { amenities: ['atm', 'wheelchair'] })).json()).toMatchObject({ logoUrl: answer.logoUrl })

  expect((await edit(owner, { logoId: null, amenities: [] })).json()).toMatchObject({ logoUrl: null, amenities: [] })
  expect(await findWrongMediaUses(t.db)).toEqual([])
  const log = await t.db.selectFrom('audit_log').select('details').where('business_id', '=', business.id).orderBy('sequence').execute()
  expect(log.map(({ details }) => details)).toEqual([{ fields: 'logo amenities' }, { fields: 'logo amenities' }])
})

it('keeps amenities that a teammate changed after the editor read them', async () => {
  await edit(owner, { amenities: ['atm', 'parking'] })
  const amenitiesBefore = ['atm', 'parking']
  expect((await edit(owner, { amenities: ['atm', 'parking', 'wheelchair'], amenitiesBefore })).statusCode).toBe(200)
  const late = { amenities: ['debit', 'parking'], amenitiesBefore }
  for (let i = 0; i < 2; i++) {
    expect((await edit(owner, late)).json(), 'even if repeated').toMatchObject({ amenities: ['debit', 'parking', 'wheelchair'] })
  }
  await edit(owner, { amenities: [] })
})

it('changes only the fields sent and logs the change', async () => {
  const answer = await edit(owner, { description: 'Open late.', website: 'https://harbor.example' })
  expect(answer.json()).toMatchObject({
    description: 'Open late.',
    website: 'https://harbor.example',
    address: '1 Main St',
    name: 'Harbor Door',
  })
  expect(await row()).toMatchObject({ edited_fields: ['description', 'website'], zip: '80202' })
  expect((await t.request('GET', '/api/businesses?q=late')).json()).toMatchObject([{ id: business.id }])
  expect((await edit(owner, { description: '' })).json().description).toBeNull()
  expect((await edit(owner, { type: 'farm', description: 'x' })).json()).toMatchObject({ type: 'dispensary' })
  const log = await t.db.selectFrom('audit_log').select('details').where('business_id', '=', business.id).orderBy('sequence').execute()
  expect(log.map(({ details }) => details)).toEqual([
    { fields: 'description website' },
    { fields: 'description' },
    { fields: 'description' },
  ])
})

it('writes nothing if no field changes', async () => {
  await edit(owner, { phone: '(303) 555-0100' })
  const before = await row()
  expect((await edit(owner, { phone: '(303) 555-0100', address: '1 Main St', imageUrl: '' })).statusCode).toBe(200)
  expect(await row()).toEqual(before)
})

it('moves the pin with the location, but never makes it more precise than the location', async () => {
  expect((await edit(owner, { location: 'Boulder, CO' })).json()).toMatchObject({ city: 'Boulder', zip: null, pin: { precision: 'city' } })
  await t.db
    .updateTable('businesses')
    .set({
      latitude: 40.1,
      longitude: -105.1,
      geo_precision: 'premise',
      pin_latitude: 40.1,
      pin_longitude: -105.1,
      pin_precision: 'premise',
    })
    .where('id', '=', business.id)
    .execute()
  const moved = (await edit(owner, { address: '9 Pearl St' })).json() as Business
  expect(moved).toMatchObject({ location: 'Boulder, CO', address: '9 Pearl St', pin: { precision: 'city' } })
  expect((await row()).latitude).not.toBe(40.1)
  expect((await edit(owner, { location: ' ' })).statusCode).toBe(400)
})

describe('the name', () => {
  const found = async (q: string) => (await t.request('GET', `/api/businesses?q=${q}`)).json().map(({ id }: Business) => id)
  const refused = async (words: string) => {
    const answer = await edit(owner, { name: 'Another', phone: '303-555-0103' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields.name).toContain(words)
    expect(await row()).toMatchObject({ name: 'Harbor Door', phone: null })
    // Sending the current name changes nothing, so forms may include it.
    expect((await edit(owner, { name: 'Harbor Door', phone: '303-555-0103' })).statusCode).toBe(200)
  }

  it('can be corrected before anyone relies on it, is searchable immediately, and keeps the slug', async () => {
    expect((await edit(manager, { name: 'Quillharbor Dorr' })).json()).toMatchObject({ name: 'Quillharbor Dorr', slug: business.slug })
    expect((await edit(owner, { name: '  Quillharbor Door ' })).json().name).toBe('Quillharbor Door')
    expect(await found('quillharbor')).toEqual([business.id])
    expect(await row()).toMatchObject({ edited_fields: ['name'] })
    expect((await edit(owner, { name: ' ' })).statusCode).toBe(400)
    expect((await edit(stranger, { name: 'Mine' })).statusCode).toBe(403)
  })

  it('can’t be changed after a subscription or a review', async () => {
    await t.request('POST', '/api/subscriptions', stranger, { businessId: business.id })
    await refused('subscribed')
    await t.request('DELETE', `/api/subscriptions/${business.id}`, stranger)
    expect((await edit(owner, { name: 'Harbour Door' })).statusCode).toBe(200)
    expect((await edit(owner, { name: 'Harbor Door', phone: '' })).statusCode).toBe(200)
    expect((await t.request('PUT', `/api/businesses/${business.id}/rating`, stranger, { rating: 4 })).statusCode).toBe(200)
    await refused('reviewed')
  })

  it('can still be corrected by an admin, and the register doesn’t revert it', async () => {
    const admin = await t.signUp()
    await giveRole(t, admin, 'admin')
    await t.request('POST', '/api/subscriptions', stranger, { businessId: business.id })
    const correct = (as: TestPerson, body: object, id = business.id) => t.request('PUT', `/api/admin/businesses/${id}/name`, as, body)
    expect((await correct(owner, { name: 'Mine' })).statusCode).toBe(403)
    expect((await correct(admin, { name: 'Zephyrharbor' })).statusCode).toBe(204)
    // Repeating it changes nothing and adds no audit entry.
    expect((await correct(admin, { name: 'Zephyrharbor' })).statusCode).toBe(204)
    expect((await t.request('GET', `/api/businesses/${business.slug}`)).json().name).toBe('Zephyrharbor')
    expect(await found('zephyrharbor')).toEqual([business.id])
    expect((await row()).edited_fields).toEqual(['name'])
    const renamed = t.db.selectFrom('audit_log').select(['actor_id', 'details']).where('action', '=', 'business.renamed')
    expect(await renamed.where('business_id', '=', business.id).execute()).toEqual([{ actor_id: admin.user.id, details: {} }])
    expect((await correct(admin, { name: '' })).statusCode).toBe(400)
    expect((await correct(admin, { name: 'No One' }, newId())).statusCode).toBe(404)
  })
})

describe('a licensed business', () => {
  it('keeps the name on its license', async () => {
    await licensed('CO')
    const answer = await edit(owner, { name: 'Another' })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().fields.name).toContain('license')
  })

  const licensed = async (state: string) => {
    const listing = await addListing(t.db)
    await t.db.updateTable('licenses').set({ business_id: business.id, state }).where('business_id', '=', listing.id).execute()
  }

  it('can’t leave its state, because another minimum age would apply', async () => {
    await licensed('CO')
    for (const location of ['Tulsa, OK', 'Toronto, Ontario', 'Berlin, Germany', 'The moon', 'Oklahoma']) {
      const refused = await edit(owner, { location })
      expect(refused.statusCode, location).toBe(400)
      expect(refused.json().fields.location).toContain('Colorado')
    }
    const place = { name: 'Main', location: 'Tulsa, OK', timeZone: 'America/Chicago' }
    const main = `/api/businesses/${business.slug}/locations/${business.id}`
    expect((await t.request('PUT', main, owner, place)).json().fields).toEqual({ location: expect.stringContaining('Colorado') })
    expect(await row()).toMatchObject({ city: 'Denver', state: 'CO', country: 'US' })
    expect((await t.request('PUT', main, owner, { ...place, location: 'Pueblo, CO' })).statusCode).toBe(200)
    expect((await edit(owner, { location: 'Boulder, CO' })).json()).toMatchObject({ city: 'Boulder' })
    await licensed('OK')
    expect((await edit(owner, { location: 'Tulsa, OK' })).json()).toMatchObject({ city: 'Tulsa' })
  })

  it('can move within its state, or to the license’s state if that is another one', async () => {
    await licensed('OK')
    expect((await edit(owner, { location: 'Boulder, CO' })).statusCode).toBe(200)
    expect((await edit(owner, { location: 'Portland, ME' })).statusCode).toBe(400)
    expect((await edit(owner, { location: 'Tulsa, OK' })).statusCode).toBe(200)
    expect((await edit(owner, { location: 'Boulder, CO' })).statusCode).toBe(400)
  })
})

it('lets a business without a license move to another state', async () => {
  expect((await edit(owner, { location: 'Tulsa, OK' })).json()).toMatchObject({ city: 'Tulsa', productAge: { minimumAge: 18 } })
})

it('never stores a farm’s street', async () => {
  business = await make('farm')
  expect((await edit(owner, { address: '1 Hidden Rd', location: '80302' })).json()).toMatchObject({
    address: null,
    pin: { precision: 'city' },
  })
  expect(JSON.stringify(await row())).not.toContain('Hidden')
})

it('shows and removes the owner’s picture', async () => {
  const pictureOf = async (person: TestPerson, kind: 'image' | 'video' = 'image') => {
    const id = newId()
    const file = { id, owner_id: person.user.id, kind, status: 'ready' as const, byte_size: 10, received_bytes: 10 }
    await t.db
      .insertInto('media')
      .values({ ...file, width: 640, height: 480, widths: [480, 640, 640] })
      .execute()
    return id
  }
  const own = await pictureOf(owner)
  expect((await edit(owner, { imageId: own })).json().imageUrl).toContain(own)
  expect((await edit(owner, { imageId: own })).statusCode).toBe(200)
  for (const other of [await pictureOf(stranger), await pictureOf(owner, 'video'), newId()]) {
    expect((await edit(owner, { imageId: other })).statusCode).toBe(400)
  }
  expect((await edit(owner, { imageUrl: '' })).json().imageUrl).toBeNull()
  expect((await edit(owner, { imageUrl: 'https://harbor.example/front.jpg' })).statusCode).toBe(200)
  expect(await row()).toMatchObject({ image_url: 'https://harbor.example/front.jpg', image_id: null })
})
