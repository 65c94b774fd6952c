import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import { cityCenter } from '#server/kernel/geo/gazetteer.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, ratedBy } from '#tests/support/businesses.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let person: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  person = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  await test.db.deleteFrom('businesses').execute()
  test.ctx.cache.invalidate('businesses')
})

const list = async (query = ''): Promise<BusinessSummary[]> => {
  const answer = await test.request('GET', `/api/businesses${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const names = async (query?: string) => (await list(query)).map((business) => business.name)
const near = (city: string, state: string, dLatitude = 0) => {
  const center = cityCenter(city, state)
  if (!center) throw new Error(city)
  return { pin_latitude: center.latitude + dLatitude, pin_longitude: center.longitude, pin_precision: 'premise' as const }
}

describe('GET /api/businesses', () => {
  it('is public and returns only what the contract declares', async () => {
    await addBusiness(test.db, {
      name: 'Green Door',
      latitude: 39.7,
      longitude: -104.9,
      geo_precision: 'premise',
      stated_license_number: 'X1',
    })
    const [business] = await list()
    expect(business).toMatchObject({ name: 'Green Door', location: 'Denver, CO', averageRating: 0, isClaimed: false, distanceMiles: null })
    expect(Object.keys(business as object).sort()).toEqual(
      [
        'id',
        'slug',
        'name',
        'type',
        'description',
        'location',
        'address',
        'phone',
        'website',
        'imageUrl',
        'averageRating',
        'totalRatings',
        'subscriberCount',
        'isClaimed',
        'isDemo',
        'isLicenseVerified',
        'hasVerifiedBadge',
        'licenseStanding',
        'pin',
        'distanceMiles',
        'openNow',
        'timeZone',
        'menuConfirmedAt',
        'closure',
        'createdAt',
      ].sort(),
    )
  })

  it('filters by type, state, and license, separately or combined', async () => {
    await addBusiness(test.db, { name: 'Shop' })
    await addBusiness(test.db, { name: 'Closed Shop', license_standing: 'inactive' })
    await addBusiness(test.db, { name: 'Farm', type: 'farm' })
    await addBusiness(test.db, { name: 'Oregon Farm', type: 'farm', city: 'Portland', state: 'OR' })
    expect((await names('?type=farm')).sort()).toEqual(['Farm', 'Oregon Farm'])
    expect(await names('?type=farm&state=or')).toEqual(['Oregon Farm'])
    expect((await names('?verified=true')).sort()).toEqual(['Farm', 'Oregon Farm', 'Shop'])
    expect((await names('?verified=false')).length).toBe(4)
    expect(await names('?type=dispensary&state=CO&verified=true')).toEqual(['Shop'])
  })

  it('matches name, description, and location regardless of case and accents, and treats wildcards as text', async () => {
    await addBusiness(test.db, { name: 'Bouffée Garden' })
    await addBusiness(test.db, { name: 'Second', description: 'Known for sun-grown FLOWER' })
    await addBusiness(test.db, { name: 'Third', city: 'Salida' })
    await addBusiness(test.db, { name: '100% Pure_Co' })
    expect(await names('?q=BOUFFEE')).toEqual(['Bouffée Garden'])
    expect(await names('?q=flower')).toEqual(['Second'])
    expect(await names('?q=salid')).toEqual(['Third'])
    expect(await names('?q=garden%20bouff')).toEqual(['Bouffée Garden'])
    expect(await names(`?q=${encodeURIComponent('100%')}`)).toEqual(['100% Pure_Co'])
    expect(await names(`?q=${encodeURIComponent('e_c')}`)).toEqual(['100% Pure_Co'])
    expect(await names(`?q=${encodeURIComponent('n%d')}`)).toEqual([])
    expect(await names(`?q=${encodeURIComponent("\\'; drop table businesses; --")}`)).toEqual([])
  })

  it('finds businesses near "Denver", nearest first, and businesses with that word in their name', async () => {
    await addBusiness(test.db, { name: 'Five miles', city: 'Lakewood', ...near('Denver', 'CO', 5 / 69) })
    await addBusiness(test.db, { name: 'At the center', ...near('Denver', 'CO') })
    await addBusiness(test.db, { name: 'Two miles', ...near('Denver', 'CO', 2 / 69) })
    await addBusiness(test.db, { name: 'Boulder', city: 'Colorado Springs' })
    await addBusiness(test.db, { name: 'The Denver Store', city: 'Portland', state: 'OR' })
    await addBusiness(test.db, { name: 'Denver somewhere', city: null, state: null })
    const found = await list('?q=Denver')
    expect(found.map((business) => business.name)).toEqual([
      'At the center',
      'Two miles',
      'Five miles',
      'The Denver Store',
      'Denver somewhere',
    ])
    expect(found.map((business) => business.distanceMiles)).toEqual([0, 2, 5, expect.any(Number), null])
    expect(await names('?q=80202')).toEqual(expect.arrayContaining(['At the center', 'Two miles']))
    expect(await names('?q=Denver,%20CO')).toEqual(expect.arrayContaining(['Five miles']))
  })

  it('finds a state by its name', async () => {
    await addBusiness(test.db, { name: 'Here' })
    await addBusiness(test.db, { name: 'There', city: 'Portland', state: 'OR' })
    expect(await names('?q=Colorado')).toEqual(['Here'])
    expect(await names('?near=Oregon')).toEqual(['There'])
  })

  it('widens the radius on request until ten match, and returns that radius', async () => {
    for (let i = 0; i < 3; i++) await addBusiness(test.db, { name: 'Near', ...near('Denver', 'CO', 10 / 69) })
    for (let i = 0; i < 6; i++) await addBusiness(test.db, { name: 'Farther', ...near('Denver', 'CO', 90 / 69) })
    const radius = async (query: string) =>
      (await test.request('GET', `/api/businesses/map?near=Denver,%20CO&radius=50${query}`)).json().place.radiusMiles
    expect(await names('?near=Denver,%20CO&radius=50')).toHaveLength(3)
    // Nine matches are within 100 miles and no more within 500, so 100 is the smallest radius with the most matches.
    expect(await names('?near=Denver,%20CO&radius=50&widen=true')).toHaveLength(9)
    expect(await radius('&widen=true')).toBe(100)
    await addBusiness(test.db, { name: 'Far', ...near('Denver', 'CO', 200 / 69) })
    await addBusiness(test.db, { name: 'Out of reach', ...near('Denver', 'CO', 400 / 69) })
    test.ctx.cache.invalidate('businesses')
    expect((await names('?near=Denver,%20CO&radius=50&widen=true')).sort()).toEqual(
      ['Far', ...Array<string>(6).fill('Farther'), ...Array<string>(3).fill('Near')].sort(),
    )
    expect(await radius('&widen=true')).toBe(250)
    expect(await radius('')).toBe(50)
    expect(await radius('&widen=true&q=Near')).toBe(50)
    expect(await radius('&widen=true&q=zebra')).toBe(50)
  })

  it('limits results to the radius around a place or point, and filters them by the text', async () => {
    await addBusiness(test.db, { name: 'Green Close', ...near('Denver', 'CO', 3 / 69) })
    await addBusiness(test.db, { name: 'Blue Close', ...near('Denver', 'CO', 4 / 69) })
    await addBusiness(test.db, { name: 'Green Edge', ...near('Denver', 'CO', 24.8 / 69) })
    // This shop is in the corner of the bounding box but outside the circle: 20 miles north and 20 east are 28 miles away.
    const edge = near('Denver', 'CO', 20 / 69)
    await addBusiness(test.db, { name: 'Green Corner', ...edge, pin_longitude: edge.pin_longitude + 20 / 53 })
    await addBusiness(test.db, { name: 'Green Far', ...near('Denver', 'CO', 26 / 69) })
    await addBusiness(test.db, { name: 'Green Nowhere', city: null, state: null })
    expect(await names('?near=Denver,%20CO')).toEqual(['Green Close', 'Blue Close', 'Green Edge'])
    expect(await names('?near=Denver,%20CO&radius=10')).toEqual(['Green Close', 'Blue Close'])
    expect(await names('?near=80202&q=green&sort=distance')).toEqual(['Green Close', 'Green Edge'])
    expect(await names('?q=green%2080202&sort=distance')).toEqual(['Green Close', 'Green Edge'])
    expect((await test.request('GET', '/api/businesses/map?q=green%2080202')).json().place).toMatchObject({ otherText: 'green' })
    expect(await names('?near=39.7392,-104.9847&radius=3.5&sort=distance')).toEqual(['Green Close'])
    const far = await test.request('GET', '/api/businesses?near=Xyzzy')
    expect(far.statusCode).toBe(400)
    expect(far.json()).toMatchObject({ code: 'invalid_input', fields: { near: expect.stringContaining('don’t know') } })
  })

  it('limits results to a box, even across the antimeridian', async () => {
    await addBusiness(test.db, { name: 'Inside' })
    await addBusiness(test.db, { name: 'Outside', city: 'Portland', state: 'OR' })
    await addBusiness(test.db, { name: 'Aleutian', pin_latitude: 52, pin_longitude: 179.5, pin_precision: 'premise' })
    expect(await names('?bbox=-105.2,39.5,-104.6,39.9')).toEqual(['Inside'])
    expect(await names('?bbox=179,51,-179,53')).toEqual(['Aleutian'])
    expect((await test.request('GET', '/api/businesses?bbox=1,2,3')).statusCode).toBe(400)
    expect((await test.request('GET', '/api/businesses?bbox=-105,40,-104,39')).statusCode).toBe(400)
  })

  it('ranks by the Bayesian average, then distance, and never by subscribers or claims', async () => {
    await addBusiness(test.db, { name: 'One friend', ...ratedBy(0, 0, 0, 0, 1), ...near('Denver', 'CO') })
    await addBusiness(test.db, { name: 'Many good', ...ratedBy(0, 0, 0, 30, 70), ...near('Denver', 'CO', 0.2) })
    await addBusiness(test.db, { name: 'Many bad', ...ratedBy(0, 100, 0, 0, 0), ...near('Denver', 'CO') })
    await addBusiness(test.db, { name: 'Unrated far', subscriber_count: 900, claimed_at: new Date(), ...near('Denver', 'CO', 0.1) })
    await addBusiness(test.db, { name: 'Unrated near', ...near('Denver', 'CO', 0.01) })
    const expected = ['Many good', 'One friend', 'Unrated near', 'Unrated far', 'Many bad']
    expect(await names('?near=Denver,%20CO')).toEqual(expected)
    const [first] = await list('?near=Denver,%20CO')
    expect(first).toMatchObject({ averageRating: 4.7, totalRatings: 100 })
  })

  it('sorts by name, age, and distance', async () => {
    await addBusiness(test.db, { name: 'beta', created_at: new Date('2026-01-01'), ...near('Denver', 'CO', 0.1) })
    await addBusiness(test.db, { name: 'Alpha', created_at: new Date('2026-02-01'), ...near('Denver', 'CO', 0.2) })
    expect(await names('?sort=name')).toEqual(['Alpha', 'beta'])
    expect(await names('?sort=newest')).toEqual(['Alpha', 'beta'])
    expect(await names('?sort=distance&near=Denver,%20CO')).toEqual(['beta', 'Alpha'])
    const answer = await test.request('GET', '/api/businesses?sort=distance')
    expect(answer.json()).toMatchObject({ code: 'invalid_input', fields: { sort: expect.any(String) } })
  })

  it.each([
    ['not base64 JSON', 'zzz'],
    ['of another sort order', Buffer.from(JSON.stringify(['a', newId()])).toString('base64url')],
    ['with an invalid id', Buffer.from(JSON.stringify([3.5, "x' or 1=1"])).toString('base64url')],
    ['that is not a list', Buffer.from('{"a":1}').toString('base64url')],
  ])('refuses a cursor %s', async (_, cursor) => {
    const answer = await test.request('GET', `/api/businesses?cursor=${cursor}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ code: 'invalid_input', fields: { cursor: expect.any(String) } })
  })

  it('names every invalid filter', async () => {
    const answer = await test.request('GET', '/api/businesses?type=castle&state=COL&limit=1000&sort=best&radius=9999')
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().fields).sort()).toEqual(['limit', 'radius', 'sort', 'state', 'type'])
  })

  it('shows writers their own changes immediately despite the cache', async () => {
    await addBusiness(test.db, { name: 'Before' })
    expect(await names()).toEqual(['Before'])
    await addBusiness(test.db, { name: 'Behind the back' })
    expect(await names()).toEqual(['Before'])
    const made = await test.request('POST', '/api/businesses', person, { businessName: 'Mine', location: 'Denver, CO' })
    expect(made.statusCode, made.body).toBe(201)
    expect((await names()).sort()).toEqual(['Before', 'Behind the back', 'Mine'])
  })
})

describe('GET /api/businesses/:id', () => {
  it('returns a business by ID or slug, with licenses and the minimum age for its products', async () => {
    const { id, slug } = await addBusiness(test.db, { name: 'Green Door', zip: '80202' })
    const importId = newId()
    await test.db.insertInto('license_imports').values({ id: importId, source: 'test', started_at: new Date() }).execute()
    await test.db
      .insertInto('licenses')
      .values({
        id: newId(),
        register_key: `CO:${id}`,
        business_id: id,
        name_key: 'green door',
        state: 'CO',
        license_number: '402R-1',
        business_name: 'Green Door',
        business_type: 'dispensary',
        standing: 'listed',
        source: 'A register',
        source_date: '2023-09-01',
        content_hash: 'x',
        last_import_id: importId,
        authority: 'Colorado Marijuana Enforcement Division',
        street: '1 Secret Way',
      })
      .execute()
    const byId = (await test.request('GET', `/api/businesses/${id}`)).json() as Business
    const bySlug = (await test.request('GET', `/api/businesses/${slug}`)).json() as Business
    expect(bySlug).toEqual(byId)
    expect(byId.licenses).toEqual([
      expect.objectContaining({ licenseNumber: '402R-1', standing: 'listed', source: 'A register', sourceDate: '2023-09-01' }),
    ])
    expect(JSON.stringify(byId)).not.toContain('Secret Way')
    expect(byId.productAge).toMatchObject({ minimumAge: 21, rule: expect.stringContaining('Colorado') })
  })

  it.each([newId(), 'no-such-slug', 'NOT%20A%20SLUG', 'x'.repeat(150)])('returns 404 for %s', async (id) => {
    expect((await test.request('GET', `/api/businesses/${id}`)).statusCode).toBe(404)
  })
})

describe('GET /api/businesses/:id/status', () => {
  it('returns the viewer’s role in the business and whether they subscribe, follow, or favorite it, and refuses visitors', async () => {
    const owner = await test.signUp()
    const made = await test.request('POST', '/api/businesses', owner, { businessName: 'Mine', location: 'Denver, CO' })
    const { id, slug } = made.json() as Business
    const status = async (as: TestPerson, name = id) => (await test.request('GET', `/api/businesses/${name}/status`, as)).json()
    const none = { isSubscribed: false, isFavorited: false, isFollowing: false, isBlocked: false, isMuted: false }
    expect(await status(person, slug)).toEqual({ ...none, role: null })
    await test.request('POST', '/api/subscriptions', person, { businessId: id })
    await test.request('POST', '/api/favorites', person, { businessId: id })
    expect(await status(person)).toEqual({ ...none, isSubscribed: true, isFollowing: true, isFavorited: true, role: null })
    expect(await status(owner)).toEqual({ ...none, role: 'owner' })
    expect((await test.request('GET', `/api/businesses/${id}/status`)).statusCode).toBe(401)
    expect((await test.request('GET', `/api/businesses/${newId()}/status`, person)).statusCode).toBe(404)
  })
})
