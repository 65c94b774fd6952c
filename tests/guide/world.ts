import type { Amenity } from '#contracts/amenities.ts'
import type { BusinessType } from '#contracts/business-types.ts'
import type { DB, Db } from '#server/db/connect.ts'
import { insertItems } from '#server/features/menus/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, ratedBy } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import type { TestApp, TestPerson } from '#tests/support/test-app.ts'

type Category = NonNullable<DB['products']['category']>
type Item = {
  name: string
  category: Category
  price: number
  /** The current price for everyone. */
  sale?: number
  strain?: string
  strainType?: 'indica' | 'sativa' | 'hybrid'
  brand?: string
  thc?: number
  unit?: 'percent' | 'mg'
  weight?: number
  /** The unit of the weights, if it isn't grams. */
  by?: 'piece' | 'oz'
  isSoldOut?: true
  /** Additional sizes, with weights in the same unit. */
  sizes?: { weight: number; price: number; sale?: number }[]
}
type Shop = {
  name: string
  type?: BusinessType
  city: string
  state: string
  /** Miles north of the city's center. */
  north?: number
  address?: string
  phone?: string
  website?: string
  zone?: string
  /** From Monday to Sunday: "10-20", "16-2", or "" for closed. */
  hours?: [string, string, string, string, string, string, string]
  ratings?: [number, number, number, number, number]
  standing?: 'listed' | 'inactive'
  isHidden?: true
  amenities?: Amenity[]
  menu?: Item[]
}

const daily = (hours: string): NonNullable<Shop['hours']> => [hours, hours, hours, hours, hours, hours, hours]
const flower = (name: string, price: number, thc: number, more: Partial<Item> = {}): Item => ({
  name,
  category: 'Flower',
  price,
  strain: name,
  thc,
  unit: 'percent',
  weight: 3.5,
  ...more,
})
const denver = { city: 'Denver', state: 'CO' }
const boulder = { city: 'Boulder', state: 'CO' }

/** The small world that the guide's questions are about. Everything in it is fictitious. */
export const shops = {
  lanternfold: {
    ...denver,
    name: 'Lanternfold Dispensary',
    north: 0.2,
    address: '1421 Larimer St',
    phone: '(303) 555-0142',
    website: 'https://lanternfold.example',
    hours: ['10-20', '10-20', '10-20', '10-20', '10-20', '10-20', ''],
    ratings: [0, 0, 1, 4, 9],
    amenities: ['adult_use', 'curbside', 'debit', 'parking'],
    menu: [
      flower('Blue Dream', 34, 21),
      flower('Gorilla Glue', 42, 27),
      flower('Northern Lights', 28, 18, { strainType: 'indica' }),
      { name: 'Blue Dream Pre-Roll', category: 'Pre-Rolls', price: 9, strain: 'Blue Dream', thc: 21, unit: 'percent', weight: 1 },
      { name: 'Dark Chocolate Bar', category: 'Edibles', price: 22, brand: 'Cocoa Kettle', thc: 100, unit: 'mg' },
      { name: 'Mango Gummies', category: 'Edibles', price: 18, thc: 100, unit: 'mg' },
      { name: 'Live Rosin', category: 'Concentrates', price: 60, thc: 78, unit: 'percent', weight: 1 },
      { name: 'Sour Diesel Cartridge', category: 'Vapes', price: 30, strain: 'Sour Diesel', thc: 85, unit: 'percent', isSoldOut: true },
    ],
  },
  'mile-high': {
    ...denver,
    name: 'Mile High Green',
    north: 1.5,
    address: '900 E Colfax Ave',
    phone: '(303) 555-0150',
    hours: daily('8-23:45'),
    ratings: [0, 1, 1, 4, 4],
    menu: [
      flower('Granddaddy Purple', 25, 20, { strainType: 'indica', sale: 19 }),
      flower('Blue Dream', 38, 22),
      { name: 'Peach Gummies', category: 'Edibles', price: 12, thc: 100, unit: 'mg' },
      { name: 'Lemon Seltzer', category: 'Drinks', price: 7, thc: 10, unit: 'mg' },
      { name: 'CBD Tincture', category: 'Tinctures', price: 45 },
      { name: 'OG Kush Cartridge', category: 'Vapes', price: 40, sale: 32, strain: 'OG Kush', thc: 88, unit: 'percent', weight: 1 },
    ],
  },
  'night-owl': {
    ...denver,
    name: 'Night Owl Cannabis',
    north: 3,
    address: '3001 Brighton Blvd',
    phone: '(303) 555-0151',
    hours: daily('16-2'),
    ratings: [0, 1, 2, 2, 2],
  },
  'quiet-garden': { ...denver, name: 'Quiet Garden', north: 0.8, address: '500 Acoma St' },
  expired: { ...denver, name: 'Expired Greens', north: 1, hours: daily('9-23'), standing: 'inactive', ratings: [0, 0, 0, 2, 3] },
  'early-bird': {
    ...denver,
    name: 'Early Bird Cannabis',
    north: 2,
    address: '18 Santa Fe Dr',
    phone: '(303) 555-0153',
    hours: daily('7-15'),
    ratings: [1, 1, 2, 2, 0],
  },
  hidden: {
    ...denver,
    name: 'Hidden House',
    north: 0.1,
    hours: daily('0-24'),
    ratings: [0, 0, 0, 0, 30],
    isHidden: true,
    menu: [flower('Blue Dream', 5, 35)],
  },
  doorstep: { ...denver, name: 'Doorstep Delivery', type: 'delivery', north: 2.5, phone: '(303) 555-0154', hours: daily('11-21') },
  'prairie-glass': { ...denver, name: 'Prairie Glass', type: 'glass_shop', north: 1.2, address: '77 S Broadway', hours: daily('11-19') },
  'amber-lounge': {
    ...denver,
    name: 'Amber Lounge',
    type: 'food_service',
    north: 1.1,
    address: '4 Wazee St',
    hours: ['', '', '', '17-23', '17-23', '17-23', '17-23'],
  },
  quietwater: {
    ...boulder,
    name: 'Quietwater Dispensary',
    north: 0.3,
    address: '2020 Pearl St',
    phone: '(303) 555-0160',
    hours: daily('9-21'),
    ratings: [0, 0, 0, 1, 9],
    menu: [
      flower('Blue Dream', 30, 20),
      flower('Wedding Cake', 48, 31),
      { name: 'Sour Gummies', category: 'Edibles', price: 15, thc: 100, unit: 'mg' },
    ],
  },
  flatiron: {
    ...boulder,
    name: 'Flatiron Buds',
    north: 0.6,
    address: '1 Baseline Rd',
    hours: ['10-17', '10-17', '10-17', '10-17', '10-17', '10-17', '12-17'],
    ratings: [0, 1, 2, 4, 3],
  },
  cottonwood: { ...boulder, name: 'Cottonwood Smoke', type: 'smoke_shop', north: 0.4, phone: '(303) 555-0162', hours: daily('10-22') },
  'slow-furrow': { city: 'Eugene', state: 'OR', name: 'Slow Furrow Farm', type: 'farm', ratings: [0, 0, 0, 2, 8] },
  willamette: { city: 'Eugene', state: 'OR', name: 'Willamette Roots', type: 'farm', ratings: [0, 1, 1, 3, 2] },
  'rose-city': {
    city: 'Portland',
    state: 'OR',
    name: 'Rose City Leaf',
    north: 0.5,
    address: '77 NW Couch St',
    zone: 'America/Los_Angeles',
    hours: daily('8-22'),
    ratings: [0, 0, 1, 3, 6],
    menu: [
      flower('Blue Dream', 20, 19),
      {
        name: 'Durban Poison Pre-Roll',
        category: 'Pre-Rolls',
        price: 6,
        strain: 'Durban Poison',
        thc: 18,
        unit: 'percent',
        weight: 1,
      },
    ],
  },
  sooner: {
    city: 'Oklahoma City',
    state: 'OK',
    name: 'Sooner Leaf',
    north: 0.5,
    address: '12 NW 23rd St',
    zone: 'America/Chicago',
    hours: daily('10-21'),
    menu: [flower('Northern Lights', 25, 17), { name: 'Peanut Butter Brownie', category: 'Edibles', price: 14, thc: 50, unit: 'mg' }],
  },
  'star-pueblo': { city: 'Pueblo', state: 'CO', name: 'Star Buds' },
  'star-alamosa': { city: 'Alamosa', state: 'CO', name: 'Star Buds' },
  'star-trinidad': { city: 'Trinidad', state: 'CO', name: 'Star Buds' },
  'star-durango': { city: 'Durango', state: 'CO', name: 'Star Buds' },
} satisfies Record<string, Shop>

export const itemNames = Object.values(shops as Record<string, Shop>).flatMap(({ menu = [] }) => menu.map(({ name }) => name))

export const viewers = {
  denver: { birthday: '1990-04-01', location: 'Denver, CO' },
  boulder: { birthday: '1990-04-01', location: 'Boulder, CO' },
  nowhere: { birthday: '1990-04-01', location: null },
  'denver-19': { birthday: '2007-02-01', location: 'Denver, CO' },
  'oklahoma-19': { birthday: '2007-02-01', location: 'Oklahoma City, OK' },
} as const
export type ViewerKey = keyof typeof viewers

/** A Friday, 6 PM in Denver. */
export const friday = '2026-06-12T18:00:00-06:00'

export async function loadWorld(test: TestApp): Promise<Record<ViewerKey, TestPerson>> {
  test.clock.set(friday)
  const people = {} as Record<ViewerKey, TestPerson>
  for (const [key, { birthday, location }] of Object.entries(viewers)) {
    const person = await test.signUp({ birthday })
    await test.db.updateTable('users').set({ location }).where('id', '=', person.user.id).execute()
    people[key as ViewerKey] = person
  }
  for (const [slug, shop] of Object.entries(shops as Record<string, Shop>)) await addShop(test.db, slug, shop)
  await addLicense(test.db)
  await addEvents(test.db)
  const words = { search_text: 'outdoor growers', category: 'growing' as const }
  await addCommunity(test.db, { owner: people.denver.user.id }, { name: 'Outdoor Growers', slug: 'outdoor-growers', ...words })
  await test.runJobs()
  return people
}

const milesPerDegree = 69

async function addShop(db: Db, slug: string, shop: Shop): Promise<void> {
  const { name, city, state, type = 'dispensary', north = 0, ratings, standing = 'listed', isHidden, menu = [] } = shop
  const { id } = await addBusiness(db, {
    name,
    slug,
    type,
    city,
    state,
    address: shop.address ?? null,
    phone: shop.phone ?? null,
    website: shop.website ?? null,
    license_standing: standing,
    amenities: shop.amenities ?? [],
    moderation: isHidden ? 'hidden' : null,
    ...(ratings && ratedBy(...ratings)),
  })
  if (type !== 'farm') {
    await db
      .updateTable('businesses')
      .set((eb) => ({ pin_latitude: eb('pin_latitude', '+', north / milesPerDegree), pin_precision: 'premise' as const }))
      .where('id', '=', id)
      .execute()
  }
  if (shop.hours) await addHours(db, { id, name, city, state, zone: shop.zone ?? 'America/Denver' }, shop.hours)
  await addMenu(db, id, menu)
}

const minuteOf = (time: string): number => {
  const [hour = '0', minute = '0'] = time.split(':')
  return (Number(hour) % 24) * 60 + Number(minute)
}

async function addHours(
  db: Db,
  { id, name, city, state, zone }: { id: string; name: string; city: string; state: string; zone: string },
  hours: NonNullable<Shop['hours']>,
): Promise<void> {
  const place = { location: `${city}, ${state}`, city, state, country: 'US' }
  await db
    .insertInto('locations')
    .values({ id, business_id: id, name, ...place, time_zone: zone, has_hours: true, is_farm: false })
    .execute()
  const rows = hours.flatMap((times, weekday) => {
    const [opens, closes] = times.split('-')
    return opens && closes ? [{ location_id: id, weekday, opens: minuteOf(opens), closes: minuteOf(closes) }] : []
  })
  if (rows.length > 0) await db.insertInto('location_hours').values(rows).execute()
}

export async function addMenu(db: Db, businessId: string, menu: readonly Item[]): Promise<void> {
  const rows = menu.map(({ name, category, price, sale, strain, strainType, brand, thc, unit, weight, by, isSoldOut, sizes = [] }) => {
    const item = { id: newId(), name, category, subcategory: null, strain: strain ?? null, strain_type: strainType ?? null }
    const potency = { thc: thc ?? null, thc_max: null, thc_unit: unit ?? null, cbd: null, cbd_max: null, cbd_unit: null }
    const variants = [{ weight, price, sale }, ...sizes].map((size) => ({
      id: newId(),
      sku: null,
      weight: size.weight ?? null,
      weight_unit: size.weight === undefined ? null : (by ?? ('g' as const)),
      price_cents: size.price * 100,
      sale_price_cents: size.sale === undefined ? null : size.sale * 100,
      sale_starts_on: null,
      sale_ends_on: null,
      member_price_cents: null,
      stock: null,
      is_available: !isSoldOut,
      batch: null,
      external_id: null,
    }))
    return {
      ...item,
      ...potency,
      brand: brand ?? null,
      description: null,
      certificate_id: null,
      image_id: null,
      external_id: null,
      picture_url: null,
      variants,
    }
  })
  await db.transaction().execute((tx) => insertItems(tx, businessId, rows, new Date(friday)))
}

async function addLicense(db: Db): Promise<void> {
  const { id } = await db.selectFrom('businesses').select('id').where('slug', '=', 'lanternfold').executeTakeFirstOrThrow()
  const importId = newId()
  await db
    .insertInto('license_imports')
    .values({ id: importId, source: 'test', started_at: new Date(friday) })
    .execute()
  await db
    .insertInto('licenses')
    .values({
      id: newId(),
      register_key: 'test:1',
      business_id: id,
      name_key: 'lanternfold dispensary',
      state: 'CO',
      license_number: '402R-00123',
      license_number_key: '402R00123',
      business_name: 'Lanternfold Dispensary',
      business_type: 'dispensary',
      status: 'Active',
      standing: 'listed',
      authority: 'Colorado Marijuana Enforcement Division',
      source: 'test',
      source_date: '2026-05-01',
      content_hash: 'x',
      last_import_id: importId,
    })
    .execute()
}

async function addEvents(db: Db): Promise<void> {
  const events = [
    ['Rosin Night', 'lanternfold', '2026-06-13T19:00:00-06:00', denver],
    ['Sunday Growers Market', 'quietwater', '2026-06-14T11:00:00-06:00', boulder],
    ['Summer Glass Fair', 'prairie-glass', '2026-07-18T11:00:00-06:00', denver],
  ] as const
  for (const [title, slug, startsAt, { city, state }] of events) {
    const shop = await db
      .selectFrom('businesses')
      .select(['id', 'pin_latitude', 'pin_longitude'])
      .where('slug', '=', slug)
      .executeTakeFirstOrThrow()
    const starts = new Date(startsAt)
    await db
      .insertInto('events')
      .values({
        id: newId(),
        business_id: shop.id,
        title,
        description: '',
        audience: 'everyone',
        starts_at: starts,
        ends_at: new Date(starts.getTime() + 3 * 3_600_000),
        time_zone: 'America/Denver',
        city: `${city}, ${state}`,
        pin_latitude: shop.pin_latitude,
        pin_longitude: shop.pin_longitude,
        is_farm: false,
        sequence: 0,
        created_at: new Date(friday),
        updated_at: new Date(friday),
      })
      .execute()
  }
}
