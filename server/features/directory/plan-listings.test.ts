import { expect, it } from 'vitest'
import type { Listing } from '#server/features/businesses/index.ts'
import { cityCenter } from '#server/kernel/geo/gazetteer.ts'
import type { LicenseAtPlace } from './register.queries.ts'
import { planListings, toListing } from './update-listings.ts'

let number = 0
function license(given: Partial<LicenseAtPlace> = {}): LicenseAtPlace {
  const id = `license-${++number}`
  return {
    id,
    register_key: id,
    business_id: null,
    register_place: 'CO|green door|1 main st, denver',
    address_key: null,
    name_key: 'green door',
    listing_due: true,
    state: 'CO',
    license_number: id,
    license_number_key: id,
    business_name: 'Green Door',
    license_type: 'Stores',
    business_type: 'dispensary',
    status: null,
    standing: 'listed',
    designation: null,
    street: '1 Main St',
    city: 'Denver',
    county: null,
    zip: '80202',
    phone: null,
    website: null,
    latitude: 39.7501,
    longitude: -104.9902,
    geo_precision: 'premise',
    authority: null,
    authority_id: null,
    source: 'test',
    source_date: null,
    expires_on: null,
    content_hash: id,
    last_import_id: 'import',
    missing_since: null,
    created_at: new Date(0),
    updated_at: new Date(0),
    ...given,
  }
}
function listing(from: LicenseAtPlace[], given: Partial<Listing> = {}): Listing {
  return {
    ...toListing(from),
    id: 'listing-1',
    slug: 'green-door-denver',
    description: null,
    register_place: from[0]?.register_place ?? null,
    edited_fields: [],
    claimed_at: null,
    ...given,
  }
}

it('makes one listing from several licenses at one place, a dispensary if any of the licenses is for one', () => {
  const licenses = [license({ business_type: 'farm' }), license({ business_type: 'dispensary' }), license({ business_type: 'other' })]
  const plan = planListings(licenses, [])
  expect(plan.added).toHaveLength(1)
  expect(plan.added[0]).toMatchObject({
    place: licenses[0]?.register_place,
    facts: { type: 'dispensary', address: '1 Main St', pin_precision: 'premise' },
  })
  expect(plan.added[0]?.licenseIds.sort()).toEqual(licenses.map((one) => one.id).sort())
})

it('hides a grow’s address and pins only its city', () => {
  const denver = cityCenter('Denver', 'CO')
  for (const others of [[], ['delivery'], ['other'], ['delivery', 'other']] as const) {
    const facts = toListing([license({ business_type: 'farm' }), ...others.map((business_type) => license({ business_type }))])
    expect(facts).toMatchObject({ address: null, pin_latitude: denver?.latitude, pin_longitude: denver?.longitude, pin_precision: 'city' })
  }
  expect(toListing([license({ business_type: 'farm' })]).type).toBe('farm')
  expect(toListing([license({ business_type: 'farm', city: 'Nowhere', zip: null })])).toMatchObject({
    pin_latitude: null,
    pin_precision: null,
  })
})

it('takes a listing’s standing and type from its best license', () => {
  const dead = license({ business_type: 'dispensary', standing: 'inactive' })
  const alive = license({ business_type: 'other', standing: 'listed' })
  expect(toListing([dead, alive])).toMatchObject({ license_standing: 'listed', type: 'other' })
  expect(toListing([dead])).toMatchObject({ license_standing: 'inactive', type: 'dispensary' })
  expect(toListing([dead, license({ standing: 'missing' })]).license_standing).toBe('inactive')
})

it('makes the same listing whatever the order of the licenses', () => {
  const licenses = [
    license({ phone: '(303) 555-0100' }),
    license({ geo_precision: 'zip', latitude: 39.7 }),
    license({ business_type: 'farm', website: 'https://x.example/' }),
  ]
  expect(toListing([...licenses].reverse())).toEqual(toListing(licenses))
  expect(toListing(licenses)).toMatchObject({ phone: '(303) 555-0100', website: 'https://x.example/', latitude: 39.7501 })
})

it('states a listing’s location as precisely as its license allows', () => {
  expect(toListing([license()]).location).toBe('Denver, CO')
  expect(toListing([license({ city: null, county: 'Kenai Peninsula Borough', state: 'AK' })]).location).toBe('Kenai Peninsula Borough, AK')
  expect(toListing([license({ city: null, county: null })]).location).toBe('Colorado')
})

it('changes nothing that is already correct', () => {
  const licenses = [license({ business_id: 'listing-1', listing_due: false })]
  expect(planListings(licenses, [listing(licenses)])).toEqual({ added: [], changed: [], left: [], settled: [] })
})

it('updates listings, except for fields an owner edited and most fields of claimed listings', () => {
  const old = license({ business_id: 'listing-1' })
  const now = { ...old, business_name: 'Green Gate', phone: '(303) 555-0100', standing: 'inactive' as const }
  const changeOf = (given: Partial<Listing>) => planListings([now], [listing([old], given)]).changed[0]
  expect(changeOf({})).toMatchObject({
    name: 'Green Gate',
    phone: '(303) 555-0100',
    license_standing: 'inactive',
    search_text: expect.stringContaining('green gate'),
  })
  expect(changeOf({ name: 'Ours', edited_fields: ['name'] })).toMatchObject({ name: 'Ours', phone: '(303) 555-0100' })
  expect(changeOf({ name: 'Ours', claimed_at: new Date() })).toMatchObject({ name: 'Ours', phone: null, license_standing: 'inactive' })
  expect(
    changeOf({ location: 'Elsewhere', city: 'Elsewhere', pin_latitude: 1, pin_longitude: 2, edited_fields: ['location'] }),
  ).toMatchObject({
    location: 'Elsewhere',
    city: 'Elsewhere',
    pin_latitude: 1,
    name: 'Green Gate',
  })
})

it('keeps the listing of a business that moved', () => {
  const old = license({ business_id: 'listing-1' })
  const moved = { ...old, register_place: 'CO|green door|2 other st, boulder', street: '2 Other St', city: 'Boulder' }
  const plan = planListings([moved], [listing([old])])
  expect(plan.added).toEqual([])
  expect(plan.changed).toMatchObject([{ id: 'listing-1', register_place: moved.register_place, city: 'Boulder' }])
  expect(plan.settled).toEqual([{ id: old.id, business_id: 'listing-1' }])
})

it('leaves the listing in place when only one of its licenses moves', () => {
  const stays = license({ business_id: 'listing-1', listing_due: false })
  const moves = license({ business_id: 'listing-1', register_place: 'CO|green door|elsewhere' })
  const plan = planListings([stays, moves], [listing([stays])])
  expect(plan.added).toMatchObject([{ place: 'CO|green door|elsewhere', licenseIds: [moves.id] }])
  expect(plan.left).toEqual([])
})

it('drops a listing without any remaining license', () => {
  const gone = license({ business_id: 'listing-1', register_place: null })
  const plan = planListings([gone], [listing([license()])])
  expect(plan.left).toMatchObject([{ id: 'listing-1' }])
  expect(plan.settled).toEqual([{ id: gone.id, business_id: null }])
})

it('leaves a license with the owner’s own business and updates the business’s standing', () => {
  const linked = license({ business_id: 'listing-1', standing: 'missing' })
  const own = listing([license()], { register_place: null, claimed_at: new Date(), name: 'Ours', license_standing: 'listed' })
  const plan = planListings([linked], [own])
  expect(plan.added).toEqual([])
  expect(plan.left).toEqual([])
  expect(plan.changed).toMatchObject([{ id: 'listing-1', name: 'Ours', register_place: null, license_standing: 'missing' }])
})
