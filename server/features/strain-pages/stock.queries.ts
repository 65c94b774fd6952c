import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import type { OpenPlaces } from '#server/features/jurisdictions/index.ts'
import { boxAround, distanceInSql, type Point } from '#server/kernel/geo/distance.ts'

const licensedMenus = (db: Db) =>
  db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .where('products.is_available', '=', true)
    .where('products.moderation', 'is', null)
    .where('businesses.moderation', 'is', null)
    .where('businesses.closure', 'is', null)
    .where('businesses.license_standing', '=', 'listed')

export type Circle = { center: Point; radiusMiles: number }

/** Shops in a circle that have a strain, by distance. Uses `products_by_strain`. */
export function shopsWithStrain(
  db: Db,
  names: readonly string[],
  { center, radiusMiles }: Circle,
  { everywhere, open, closed }: OpenPlaces,
  limit: number,
) {
  const box = boxAround(center, radiusMiles)
  const distance = distanceInSql(center, { latitude: 'businesses.pin_latitude', longitude: 'businesses.pin_longitude' })
  const place = sql`(businesses.country || ' ' || coalesce(businesses.state, ''))`
  return (
    licensedMenus(db)
      .select((eb) => [
        'businesses.id',
        sql<number>`min(${distance})`.as('distance'),
        eb.fn.max('products.confirmed_at').as('confirmed_at'),
        sql<string[]>`(array_agg(products.name order by products.name))[1:3]`.as('item_names'),
        eb.fn.countAll<number>().as('item_count'),
      ])
      .where(sql<string>`lower(products.strain)`, 'in', names)
      .where('businesses.pin_latitude', '>=', box.south)
      .where('businesses.pin_latitude', '<=', box.north)
      // Near the antimeridian, the distance decides alone.
      .$if(box.west <= box.east, (query) =>
        query.where('businesses.pin_longitude', '>=', box.west).where('businesses.pin_longitude', '<=', box.east),
      )
      .where(distance, '<=', radiusMiles)
      .where(
        sql<boolean>`(${everywhere}::boolean or ${place} = any(${open}::text[])
        or ((businesses.country || ' ') = any(${open}::text[]) and ${place} <> all(${closed}::text[])))`,
      )
      .groupBy('businesses.id')
      .orderBy('distance')
      .orderBy('businesses.id')
      .limit(limit)
      .execute()
  )
}

/** Lower-case names of the strains that a licensed shop has, without demo content. */
export async function strainsInStock(db: Db): Promise<string[]> {
  const rows = await licensedMenus(db)
    .select(sql<string>`lower(products.strain)`.as('strain_name'))
    .where('products.strain', 'is not', null)
    .where('businesses.is_demo', '=', false)
    .groupBy('strain_name')
    .execute()
  return rows.map((row) => row.strain_name)
}
