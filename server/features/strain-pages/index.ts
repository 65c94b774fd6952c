import { sql } from 'kysely'
import * as z from 'zod/mini'
import { line } from '#contracts/fields.ts'
import { homeRadiusMiles } from '#contracts/limits.ts'
import { type StrainContent, type StrainLink, strainPath } from '#contracts/visitor-pages.ts'
import type { Db } from '#server/db/connect.ts'
import { distanceOrFarthest, loadSummaries, searchWords } from '#server/features/businesses/index.ts'
import { type OpenPlaces, openPlacesFor, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { allStrains, menuSpellings, pathOfStrain, strainsBySlug } from '#server/features/strains/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { foldText } from '#server/kernel/fold-text.ts'
import { boxAround, distanceInSql, type Point } from '#server/kernel/geo/distance.ts'
import { nameSlug } from '#server/kernel/geo/place-names.ts'
import { resolvePlace } from '#server/kernel/geo/place-search.ts'

const Query = z.object({ near: z.catch(z.optional(line(120)), undefined) })

const shopsShown = 40
const crossesShown = 24

type Viewer = {
  age: number | null
  isAgeKnown: boolean
  /** A member's city, which is searched if the URL names no place. */
  city: string | null
}
type Asked = { text: string; query: unknown; viewer: Viewer }

/** Returns a strain's page, or its canonical path if the URL spells the name differently. @throws AppError not_found */
export async function readStrain(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { text, query, viewer }: Asked,
): Promise<StrainContent | string> {
  const slug = nameSlug(text)
  const strain = strainsBySlug().get(slug)?.[0]
  if (!strain) throw notFound('This strain isn’t in our list.')
  const asked = Query.parse(query).near
  if (slug !== text) return strainPath(slug) + (asked ? `?${new URLSearchParams({ near: asked })}` : '')
  const known = asked ? cityOf(asked) : viewer.city ? cityOf(viewer.city) : null
  const productAge = productAgeOf({ country: 'US', state: known?.state ?? null })
  const isOldEnough = viewer.age !== null && viewer.age >= productAge.minimumAge
  const { shops, hasMoreShops } =
    known && isOldEnough ? await readShops({ db, clock }, strain.name, known, viewer.age) : { shops: null, hasMoreShops: false }
  return {
    kind: 'strain',
    name: strain.name,
    path: strainPath(slug),
    type: strain.type,
    breeder: strain.breeder,
    parents: parentsOf(strain.name),
    crosses: crossesOf(slug),
    near: known?.label ?? asked ?? null,
    isNearKnown: known !== null,
    radiusMiles: homeRadiusMiles,
    shops,
    hasMoreShops,
    ageGate: isOldEnough ? null : { ...productAge, isAgeKnown: viewer.isAgeKnown },
  }
}

/** Null for an unknown place, and for a state, which has no center to search around. */
function cityOf(text: string) {
  const place = resolvePlace(text)
  return place && place.kind !== 'state' ? place : null
}

async function readShops(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  name: string,
  center: { latitude: number; longitude: number },
  age: number | null,
): Promise<Pick<StrainContent, 'shops' | 'hasMoreShops'>> {
  const all = await shopsWithStrain(
    db,
    [...menuSpellings(nameSlug(name))],
    { center, radiusMiles: homeRadiusMiles },
    openPlacesFor(age),
    shopsShown + 1,
  )
  const found = all.slice(0, shopsShown)
  const distances = new Map(found.map(({ id, distance }) => [id, Math.round(distance * 10) / 10]))
  const businesses = await loadSummaries(db, [...distances.keys()], clock.now(), distances)
  const rows = new Map(found.map((row) => [row.id, row]))
  const shops = businesses.flatMap((business) => {
    const row = rows.get(business.id)
    if (!row) return []
    const { item_names: itemNames, item_count: itemCount, confirmed_at, spellings } = row
    return [{ ...business, itemNames, itemCount, menuQuery: menuQuery(name, spellings), menuConfirmedAt: confirmed_at.toISOString() }]
  })
  return { shops, hasMoreShops: all.length > found.length }
}

/** The search that finds all of these spellings on a menu, which looks for words as they are written: "AK-47" doesn't find "AK 47". */
function menuQuery(name: string, spellings: readonly string[]): string {
  const isInAll = (word: string) => spellings.every((spelling) => foldText(spelling).includes(word))
  const found = [name, ...spellings].find((text) => searchWords(text).every(isInAll))
  return (
    found ??
    searchWords(name.replace(/[^\p{L}\p{N}]+/gu, ' '))
      .filter(isInAll)
      .join(' ')
  )
}

const linkTo = (name: string): StrainLink => ({ name, path: pathOfStrain(name) })

const cross = / +[x×] +/i

/**
 * The parents of a cross, taken from its name: "Agent Orange x Blue Dream". The list's parents column is wrong: see decision 043.
 */
function parentsOf(name: string): StrainLink[] {
  const parents = name.split(cross).map((part) => part.replace(/^[(\s]+|[)\s]+$/g, ''))
  return parents.length > 1 ? parents.filter(Boolean).map(linkTo) : []
}

const crossesOf = (slug: string): StrainLink[] =>
  allStrains()
    .filter(({ name }) => cross.test(name) && parentsOf(name).some((parent) => nameSlug(parent.name) === slug))
    .slice(0, crossesShown)
    .map(({ name }) => linkTo(name))

export async function strainPathsInStock(db: Context['db']): Promise<string[]> {
  const inStock = new Set(await strainsInStock(db))
  const isInStock = (slug: string) => [...menuSpellings(slug)].some((name) => inStock.has(name))
  return [...strainsBySlug().keys()].filter(isInStock).map(strainPath)
}

const licensedMenus = (db: Db) =>
  db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .where('products.is_available', '=', true)
    .where('products.moderation', 'is', null)
    .where('businesses.moderation', 'is', null)
    .where('businesses.closure', 'is', null)
    .where('businesses.license_standing', '=', 'listed')

type Circle = { center: Point; radiusMiles: number }

/** Shops in a circle that have a strain, by distance. Uses `products_by_strain`. */
function shopsWithStrain(
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
        sql<number>`min(${distanceOrFarthest(center)})`.as('distance'),
        eb.fn.min('products.confirmed_at').as('confirmed_at'),
        sql<string[]>`(array_agg(products.name order by products.name))[1:3]`.as('item_names'),
        sql<string[]>`array_agg(distinct lower(products.strain))`.as('spellings'),
        eb.fn.countAll<number>().as('item_count'),
      ])
      .where(sql<string>`lower(products.strain)`, 'in', names)
      .where('businesses.pin_latitude', '>=', box.south)
      .where('businesses.pin_latitude', '<=', box.north)
      // Near the antimeridian, longitudes can't be compared, so the distance decides.
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

async function strainsInStock(db: Db): Promise<string[]> {
  const rows = await licensedMenus(db)
    .select(sql<string>`lower(products.strain)`.as('strain_name'))
    .where('products.strain', 'is not', null)
    .where('businesses.is_demo', '=', false)
    .groupBy('strain_name')
    .execute()
  return rows.map((row) => row.strain_name)
}
