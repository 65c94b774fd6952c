import type { Insertable } from 'kysely'
import type { DB } from '../../db/connect.ts'
import { findZip } from '../../kernel/geo/gazetteer.ts'
import { newId } from '../../kernel/ids.ts'
import { guessTimeZone } from '../locations/index.ts'
import { emptyRow, freeItems, type ItemRow, insertItems } from '../menus/index.ts'
import { type DemoBusiness, demoBusinesses } from './demo-businesses.ts'
import { type DemoLocation, demoHolidays, demoHours, demoLocations } from './demo-locations.ts'
import { type DemoItem, demoMenus, potencyUnitOf } from './demo-menus.ts'
import { addPlan, visitedBusinesses } from './load-visits.ts'
import { daysBefore, type Loading, needed } from './loading.ts'

/** The menus, locations and hours of the demo's businesses. */
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
  // Looked over this morning, by most of them.
  await insertItems(tx, businessId, items, daysBefore(now, items.length % 3 === 0 ? 1.2 : 0.1))
  await tx
    .insertInto('menu_settings')
    .values({ business_id: businessId, prices_include_tax: true })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // Whoever has more than a free account holds has the plan for it; those with visits get it with them.
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
