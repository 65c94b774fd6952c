import type { Insertable } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { searchTextOf } from '#server/features/businesses/index.ts'
import { cityCenter } from '#server/kernel/geo/gazetteer.ts'
import { newId } from '#server/kernel/ids.ts'

export type TestBusiness = { id: string; slug: string }

let count = 0

/** A business as created by the register or an owner; by default pinned at its city's center. */
export async function addBusiness(db: Db, details: Partial<Insertable<DB['businesses']>> = {}): Promise<TestBusiness> {
  const number = ++count
  const { city = 'Denver', state = 'CO' } = details
  const center = city && state ? cityCenter(city, state) : null
  const name = details.name ?? `Business ${number}`
  const location = city && state ? `${city}, ${state}` : null
  const row = {
    id: newId(),
    slug: `business-${number}`,
    name,
    type: 'dispensary' as const,
    location,
    city,
    state,
    country: 'US',
    pin_latitude: center?.latitude ?? null,
    pin_longitude: center?.longitude ?? null,
    pin_precision: center ? ('city' as const) : null,
    license_standing: 'listed' as const,
    search_text: searchTextOf({ name, description: details.description ?? null, location: details.location ?? location }),
    ...details,
  }
  await db.insertInto('businesses').values(row).execute()
  return { id: row.id, slug: row.slug }
}

/** Columns of a business with a verified license, which promotions require. */
export const licensed = { license_verified_through: '2099-12-31' }

/** Columns of a business with this many reviews of 1, 2, 3, 4 and 5 stars. */
export const ratedBy = (...counts: [number, number, number, number, number]) => ({
  rating_counts: counts,
  total_ratings: counts.reduce((total, count) => total + count, 0),
  rating_sum: counts.reduce((sum, count, i) => sum + count * (i + 1), 0),
})
