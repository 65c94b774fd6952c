import type { Insertable } from 'kysely'
import type { WeeklyHours } from '#contracts/locations.ts'
import type { ProductCategory, WeightUnit } from '#contracts/menu-fields.ts'
import type { DB } from '#server/db/connect.ts'
import { guessTimeZone } from '#server/features/locations/index.ts'
import { emptyRow, freeItems, type ItemRow, insertItems } from '#server/features/menus/index.ts'
import { findZip } from '#server/kernel/geo/gazetteer.ts'
import { newId } from '#server/kernel/ids.ts'
import { type DemoBusiness, demoBusinesses } from './demo-businesses.ts'
import { addPlan, visitedBusinesses } from './load-visits.ts'
import { daysBefore, type Loading, needed } from './loading.ts'

export async function addMenus(loading: Loading): Promise<void> {
  for (const business of demoBusinesses) {
    await addItems(loading, business)
    await addLocations(loading, business)
  }
}

async function addItems(loading: Loading, business: DemoBusiness): Promise<void> {
  const { tx, now, businesses } = loading
  const businessId = needed(businesses, business.key)
  const items = [...business.products.map(described), ...(demoMenus[business.key] ?? []).map(listed)]
  if (items.length === 0) return
  // Most businesses confirmed their menu this morning.
  await insertItems(tx, businessId, items, daysBefore(now, items.length % 3 === 0 ? 1.2 : 0.1))
  await tx
    .insertInto('menu_settings')
    .values({ business_id: businessId, prices_include_tax: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Menus beyond the free limit need the plan; businesses with visits get it in `addVisits`.
  if (items.length > freeItems && !(business.key in visitedBusinesses)) await addPlan(loading, business.key, businessId)
}

const described = (product: DemoBusiness['products'][number]): ItemRow => ({
  ...emptyRow(newId()),
  name: product.name,
  price_cents: product.cents,
  description: product.description,
  category: product.category,
  is_available: product.isAvailable ?? true,
})

const listed = ({ name, category, cents, strain, brand, thc, cbd, weight, memberCents, isAvailable }: DemoItem): ItemRow => ({
  ...emptyRow(newId()),
  name,
  category,
  price_cents: cents,
  member_price_cents: memberCents ?? null,
  strain: strain ?? null,
  brand: brand ?? null,
  thc: thc ?? null,
  cbd: cbd ?? null,
  potency_unit: thc === undefined && cbd === undefined ? null : potencyUnitOf(category),
  weight: weight?.[0] ?? null,
  weight_unit: weight?.[1] ?? null,
  is_available: isAvailable ?? true,
})

async function addLocations(loading: Loading, { key, name, state }: DemoBusiness): Promise<void> {
  const businessId = needed(loading.businesses, key)
  const hours = demoHours[key]
  if (!hours) return
  const timeZone = guessTimeZone({ country: 'US', state })
  await addLocation(loading, { id: businessId, business_id: businessId, name, time_zone: timeZone }, hours)
  for (const [i, { hours: own, ...place }] of (demoLocations[key] ?? []).entries()) {
    const row = { id: newId(), business_id: businessId, time_zone: timeZone, country: 'US', ...placed(place) }
    await addLocation(loading, { ...row, created_at: new Date(loading.now.getTime() + i + 1) }, own)
  }
}

function placed({ city, state, zip, ...contact }: Omit<DemoLocation, 'hours'>) {
  const point = findZip(zip)
  if (!point) throw new Error(`The gazetteer does not know ${zip}.`)
  const pin = { pin_latitude: point.latitude, pin_longitude: point.longitude, pin_precision: 'zip' as const }
  return { ...contact, location: `${city}, ${state}`, city, state, zip, ...pin }
}

async function addLocation({ tx, now }: Loading, row: Insertable<DB['locations']>, hours: DemoLocation['hours']): Promise<void> {
  await tx
    .insertInto('locations')
    .values({ created_at: now, ...row, has_hours: true })
    .execute()
  await tx
    .insertInto('location_hours')
    .values(hours.flatMap((day, weekday) => day.map((interval) => ({ location_id: row.id, weekday, ...interval }))))
    .execute()
  const years = [now.getUTCFullYear(), now.getUTCFullYear() + 1]
  const days = years.flatMap((year) => demoHolidays.map(({ day, note }) => ({ location_id: row.id, day: `${year}-${day}`, note })))
  await tx.insertInto('location_special_days').values(days).execute()
}

const hour = 60
const each = (opens: number, closes: number) => [{ opens: opens * hour, closes: closes * hour }]

/** Monday to Friday, Saturday, Sunday; null if closed. */
function week(weekdays: [number, number], saturday: [number, number] | null, sunday: [number, number] | null): WeeklyHours {
  const day = (times: [number, number] | null) => (times ? each(...times) : [])
  return [...Array.from({ length: 5 }, () => day(weekdays)), day(saturday), day(sunday)]
}

const demoHours: Record<string, WeeklyHours> = {
  lanternfold: week([10, 20], [10, 21], [11, 18]),
  quietwater: week([11, 19], [10, 19], null),
  hourglass: week([16, 24], [14, 2], [14, 23]),
  gantry: week([10, 21], [10, 22], [10, 20]),
  achterberg: week([12, 18], [11, 17], null),
  thirdkettle: week([10, 20], [10, 20], [12, 18]),
  osier: week([9, 20], [9, 20], [10, 18]),
  saltandmeadow: week([9, 17], null, null),
  measuredlight: week([8, 17], null, null),
}

type DemoLocation = { name: string; city: string; state: string; zip: string; phone: string; hours: WeeklyHours }

/** Locations in addition to the main one. */
const demoLocations: Record<string, DemoLocation[]> = {
  lanternfold: [
    {
      name: 'Lanternfold Belmar',
      city: 'Lakewood',
      state: 'CO',
      zip: '80226',
      phone: '(303) 555-0143',
      hours: week([10, 20], [10, 20], [11, 17]),
    },
    {
      name: 'Lanternfold Clear Creek',
      city: 'Golden',
      state: 'CO',
      zip: '80401',
      phone: '(303) 555-0144',
      hours: week([11, 19], [10, 19], null),
    },
  ],
  gantry: [
    {
      name: 'Gantry Street East',
      city: 'Gresham',
      state: 'OR',
      zip: '97030',
      phone: '(503) 555-0156',
      hours: week([10, 20], [10, 20], [11, 18]),
    },
  ],
}

/** Special hours that recur every year, as month and day. */
const demoHolidays = [
  { day: '01-01', note: 'New Year’s Day' },
  { day: '12-25', note: 'Christmas Day' },
] as const

type DemoItem = {
  name: string
  category: ProductCategory
  cents: number
  strain?: string
  brand?: string
  thc?: number
  cbd?: number
  weight?: readonly [number, WeightUnit]
  memberCents?: number
  isAvailable?: false
}

const smoked = new Set<ProductCategory>(['Flower', 'Pre-Rolls', 'Vapes', 'Concentrates'])
const potencyUnitOf = (category: ProductCategory): 'percent' | 'mg' => (smoked.has(category) ? 'percent' : 'mg')

const flower = (strain: string, cents: number, thc: number, brand: string, more: Partial<DemoItem> = {}): DemoItem => ({
  name: `${strain}, 3.5 g`,
  category: 'Flower',
  cents,
  strain,
  brand,
  thc,
  weight: [3.5, 'g'],
  ...more,
})

const preRoll = (strain: string, cents: number, thc: number, brand: string): DemoItem => ({
  name: `${strain} pre-roll, 1 g`,
  category: 'Pre-Rolls',
  cents,
  strain,
  brand,
  thc,
  weight: [1, 'g'],
})

const slowFurrow = 'Slow Furrow Farm'
const hollowReed = 'Hollow Reed Farm'
const saltAndMeadow = 'Salt & Meadow Kitchen'

/** Menu items in addition to those defined with each business. Strains are real, everything else is invented. */
const demoMenus: Record<string, DemoItem[]> = {
  lanternfold: [
    flower('Durban Poison', 3400, 21.4, 'Lower Terrace', { memberCents: 3000 }),
    flower('Northern Lights', 3200, 18.9, 'Lower Terrace'),
    flower('Strawberry Cough', 3500, 20.2, 'Quarry Hill', { memberCents: 3100 }),
    flower('Harlequin', 3300, 7.1, 'Quarry Hill', { cbd: 11.8 }),
    preRoll('Jack Herer', 900, 19.5, 'Lower Terrace'),
    preRoll('White Widow', 900, 20.8, 'Quarry Hill'),
    {
      name: 'Blueberry live resin cartridge, 0.5 g',
      category: 'Vapes',
      cents: 4200,
      strain: 'Blueberry',
      brand: 'Still Room',
      thc: 78.4,
      weight: [0.5, 'g'],
    },
    {
      name: 'Bubble hash, 1 g',
      category: 'Concentrates',
      cents: 3600,
      strain: 'Afghan Kush',
      brand: 'Still Room',
      thc: 52.3,
      weight: [1, 'g'],
    },
    { name: 'Seltzer, grapefruit and rosemary', category: 'Drinks', cents: 650, brand: 'Still Room', thc: 5, weight: [355, 'ml'] },
  ],
  quietwater: [
    flower('Hindu Kush', 3600, 19.7, 'North Slope'),
    flower('Tangie', 3400, 21.1, 'North Slope', { memberCents: 3000 }),
    preRoll('Cherry Pie', 1000, 18.6, 'North Slope'),
    { name: 'Drops, one to one', category: 'Tinctures', cents: 3900, brand: 'Creek Bend', thc: 150, cbd: 150, weight: [30, 'ml'] },
    { name: 'Honey sticks, ten', category: 'Edibles', cents: 1800, brand: 'Creek Bend', thc: 50, weight: [10, 'piece'] },
  ],
  hourglass: [
    preRoll('Pineapple Express', 1100, 20.1, 'Quarry Hill'),
    { name: 'Ginger chews, twenty', category: 'Edibles', cents: 1700, brand: 'Still Room', thc: 100, weight: [20, 'piece'] },
  ],
  gantry: [
    flower('Sour Diesel', 2800, 22.6, slowFurrow),
    flower('Blueberry', 2600, 17.9, slowFurrow),
    flower('Trainwreck', 2700, 20.4, hollowReed, { isAvailable: false }),
    preRoll('Super Lemon Haze', 700, 21.3, hollowReed),
    preRoll('Skunk #1', 600, 16.8, slowFurrow),
    {
      name: 'Press room rosin, 1 g',
      category: 'Concentrates',
      cents: 3100,
      strain: 'Tangie',
      brand: 'Press Room',
      thc: 71.2,
      weight: [1, 'g'],
    },
    {
      name: 'Chemdawg cartridge, 1 g',
      category: 'Vapes',
      cents: 3400,
      strain: 'Chemdawg',
      brand: 'Press Room',
      thc: 81.5,
      weight: [1, 'g'],
    },
    { name: 'Balm, arnica and cedar', category: 'Topicals', cents: 2400, brand: 'Press Room', cbd: 200, weight: [60, 'ml'] },
    {
      name: 'Clone, Acapulco Gold',
      category: 'Seeds & Clones',
      cents: 2500,
      strain: 'Acapulco Gold',
      brand: hollowReed,
      weight: [1, 'piece'],
    },
  ],
  osier: [
    flower('Granddaddy Purple', 5200, 20.7, 'Lakefront Rooms', { memberCents: 4600 }),
    flower('Amnesia Haze', 5000, 22.1, 'Lakefront Rooms'),
    flower('ACDC', 4600, 1.1, 'Prairie Edge', { cbd: 14.2 }),
    preRoll('Maui Wowie', 1300, 18.4, 'Prairie Edge'),
    { name: 'Cocoa nib bar, ten squares', category: 'Edibles', cents: 2600, brand: 'Prairie Edge', thc: 100, weight: [10, 'piece'] },
    { name: 'Lemonade, unsweetened', category: 'Drinks', cents: 900, brand: 'Prairie Edge', thc: 10, weight: [240, 'ml'] },
  ],
  thirdkettle: [
    { name: 'Glass tips, box of six', category: 'Accessories', cents: 1400, weight: [6, 'piece'] },
    { name: 'Hemp wick, 60 feet', category: 'Accessories', cents: 700 },
  ],
  saltandmeadow: [
    { name: 'Blood orange pastilles, ten', category: 'Edibles', cents: 2200, brand: saltAndMeadow, thc: 50, weight: [10, 'piece'] },
    {
      name: 'Bitter lemon cordial',
      category: 'Drinks',
      cents: 2800,
      brand: saltAndMeadow,
      thc: 100,
      weight: [250, 'ml'],
      isAvailable: false,
    },
  ],
}
