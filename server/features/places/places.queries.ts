import { sql } from 'kysely'
import type { BusinessType } from '#contracts/business-types.ts'
import type { PlaceSort } from '#contracts/visitor-pages.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { distanceOrNowhere, isOpenAt } from '#server/features/businesses/index.ts'
import type { Point } from '#server/kernel/geo/distance.ts'
import { decodeCursor } from '#server/kernel/keyset.ts'

/** Businesses in good standing in a public register, or with a license verified here. */
const licensed = (db: Db) =>
  db.selectFrom('businesses').where('moderation', 'is', null).where('closure', 'is', null).where('license_standing', '=', 'listed')

/** Reads only the index `businesses_by_city`. */
export const countsByCity = (db: Db) =>
  licensed(db)
    .select((eb) => [
      eb.ref('state').$notNull().as('state'),
      eb.ref('city').$notNull().as('city'),
      'type',
      eb.fn.countAll<number>().as('count'),
    ])
    .where('state', 'is not', null)
    .where('city', 'is not', null)
    .groupBy(['state', 'city', 'type'])
    .execute()

export type CitySearch = {
  state: string
  /** The city's name as businesses spell it. */
  spellings: string[]
  type: BusinessType
  center: Point | null
  sort: PlaceSort
  now: Date
}

type Found = { id: string; rank: number; name: string }

export const keyOfFound = ({ rank, name, id }: Found) => [rank, name, id] as const

/** One page of IDs. Reads one row beyond the limit, as `toPage` expects. @throws AppError invalid_input for a forged cursor */
export async function businessesOfCity(db: Db, search: CitySearch, limit: number, cursor: string | undefined): Promise<Found[]> {
  const after = decodeCursor(cursor, ['number', 'string', 'id'])
  return licensed(db)
    .select((eb) => ['id', rankIn(search, eb).as('rank'), sql<string>`lower(name)`.as('name')])
    .where('state', '=', search.state)
    .where('city', 'in', search.spellings)
    .where('type', '=', search.type)
    .$if(after !== null, (query) =>
      query.where(
        (eb) => sql<boolean>`(${rankIn(search, eb)}, lower(name), id) > (${after?.[0]}::float8, ${after?.[1]}::text, ${after?.[2]}::uuid)`,
      ),
    )
    .orderBy('rank')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit + 1)
    .execute()
}

const hasHours = sql<boolean>`exists (select from locations where locations.id = businesses.id and locations.has_hours)`

/** Lower comes first. Names break ties. A closed business ranks above one whose hours no one knows. */
function rankIn({ sort, center, now }: CitySearch, eb: Parameters<typeof isOpenAt>[0]) {
  if (sort === 'open') return sql<number>`case when ${isOpenAt(eb, now)} then 0::float8 when ${hasHours} then 1::float8 else 2::float8 end`
  return sort === 'distance' ? distanceOrNowhere(center) : sql<number>`0::float8`
}

/** When each of these menus was last confirmed. Businesses without items are missing. */
export async function menusConfirmedAt(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('products')
    .select((eb) => ['business_id', eb.fn.min('confirmed_at').as('confirmed_at')])
    .where(sql<boolean>`business_id = ${pageIds(ids)}`)
    .groupBy('business_id')
    .execute()
  return new Map(rows.map((row) => [row.business_id, row.confirmed_at.toISOString()]))
}
