import type { Insertable } from 'kysely'
import type { WeeklyHours } from '#contracts/locations.ts'
import type { DB } from '#server/db/connect.ts'
import { emptyRow, emptyVariant, freeItems, insertItems, type MenuRow } from '#server/features/menus/index.ts'
import { findZip } from '#server/kernel/geo/gazetteer.ts'
import { newId } from '#server/kernel/ids.ts'
import { guessTimeZone } from '#server/kernel/time-zones.ts'
import { type DemoBusiness, demoBusinesses } from './demo-businesses.ts'
import { type DemoItem, type DemoPotency, demoMenus } from './demo-menus.ts'
import { addPlan, visitedBusinesses } from './load-visits.ts'
import { daysBefore, type LoadContext, requireKey } from './loading.ts'

export async function addMenus(loading: LoadContext): Promise<void> {
  for (const business of demoBusinesses) {
    await addItems(loading, business)
    await addLocations(loading, business)
  }
}

async function addItems(loading: LoadContext, business: DemoBusiness): Promise<void> {
  const { tx, now, businesses } = loading
  const businessId = requireKey(businesses, business.key)
  const items = [...business.products, ...(demoMenus[business.key] ?? [])].map(toRow)
  if (items.length === 0) return
  // Most businesses confirmed their menu a few hours ago, the others the day before.
  await insertItems(tx, businessId, items, daysBefore(now, items.length % 3 === 0 ? 1.2 : 0.1))
  await tx
    .insertInto('menu_settings')
    .values({ business_id: businessId, prices_include_tax: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Menus beyond the free limit need the plan; businesses with visits get it in `addVisits`.
  if (items.length > freeItems && !(business.key in visitedBusinesses)) await addPlan(loading, business.key, businessId)
}

const smoked = new Set<DemoItem['category']>(['Flower', 'Pre-Rolls', 'Vapes', 'Concentrates'])

function toRow({ name, category, subcategory, description, strain, strainType, brand, thc, cbd, sizes, isAvailable }: DemoItem): MenuRow {
  const unit = smoked.has(category) ? 'percent' : 'mg'
  const rangeOf = (potency: DemoPotency | undefined) => (typeof potency === 'number' ? [potency] : (potency ?? []))
  const [[thcLow, thcHigh], [cbdLow, cbdHigh]] = [rangeOf(thc), rangeOf(cbd)]
  return {
    ...emptyRow(newId()),
    name,
    category,
    subcategory: subcategory ?? null,
    description: description ?? null,
    strain: strain ?? null,
    strain_type: strainType ?? null,
    brand: brand ?? null,
    thc: thcLow ?? null,
    thc_max: thcHigh ?? null,
    thc_unit: thcLow === undefined ? null : unit,
    cbd: cbdLow ?? null,
    cbd_max: cbdHigh ?? null,
    cbd_unit: cbdLow === undefined ? null : unit,
    variants: sizes.map(({ weight, cents, saleCents, memberCents, stock }) => ({
      ...emptyVariant(newId()),
      weight: weight?.[0] ?? null,
      weight_unit: weight?.[1] ?? null,
      price_cents: cents,
      sale_price_cents: saleCents ?? null,
      member_price_cents: memberCents ?? null,
      stock: stock ?? null,
      is_available: isAvailable ?? true,
    })),
  }
}

async function addLocations(loading: LoadContext, { key, name, state }: DemoBusiness): Promise<void> {
  const businessId = requireKey(loading.businesses, key)
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
  if (!point) throw new Error(`The gazetteer doesn’t contain ${zip}.`)
  const pin = { pin_latitude: point.latitude, pin_longitude: point.longitude, pin_precision: 'zip' as const }
  return { ...contact, location: `${city}, ${state}`, city, state, zip, ...pin }
}

async function addLocation({ tx, now }: LoadContext, row: Insertable<DB['locations']>, hours: DemoLocation['hours']): Promise<void> {
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

/** Days on which every location is closed, as month and day. */
const demoHolidays = [
  { day: '01-01', note: 'New Year’s Day' },
  { day: '12-25', note: 'Christmas Day' },
] as const
