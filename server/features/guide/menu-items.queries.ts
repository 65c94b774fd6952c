import { sql } from 'kysely'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import type { Db } from '#server/db/connect.ts'
import { containsWord } from '#server/features/businesses/index.ts'
import { businessNotBlocked } from '#server/features/people/index.ts'
import { readerOf, type Viewer } from '#server/features/posts/index.ts'
import { allStrains, nameKey } from '#server/features/strains/index.ts'
import { boxAround, crossesAntimeridian, distanceInSql, type Point } from '#server/kernel/geo/distance.ts'
import type { AskedProduct } from './question.ts'

/** Where to look: around a point, inside a city or a state, or at one business. */
export type ItemArea =
  | { kind: 'around'; center: Point; radiusMiles: number; city: string | null }
  | { kind: 'state'; state: string }
  | { kind: 'business'; id: string }

export type FoundItem = {
  id: string
  name: string
  slug: string
  businessId: string
  businessName: string
  location: string | null
  /** What anyone pays now, as stated by the menu. */
  priceCents: number
  regularCents: number
  taxRate: number | null
  pricesIncludeTax: boolean
  currency: 'USD' | 'CAD' | 'EUR' | null
  thc: number | null
  potencyUnit: 'percent' | 'mg' | null
  weight: number | null
  weightUnit: string | null
  distanceMiles: number | null
}

/**
 * Items in stock that this viewer may see: of businesses that moderators and blocks don't hide, where the viewer is old enough.
 * All of the guide's reads of menu items are here.
 */
export async function findItems(
  db: Db,
  viewer: Viewer,
  wanted: AskedProduct & { moreWords: readonly string[] },
  area: ItemArea,
  limit: number,
): Promise<FoundItem[]> {
  const price = sql<number>`products.price_cents`
  const measured = wanted.price.perGram ? sql<number>`(${price} / nullif(products.weight, 0))` : price
  const distance =
    area.kind === 'around'
      ? distanceInSql(area.center, { latitude: 'businesses.pin_latitude', longitude: 'businesses.pin_longitude' })
      : sql<number | null>`null::float8`
  return db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .leftJoin('menu_settings', 'menu_settings.business_id', 'products.business_id')
    .select(['products.id', 'products.name', 'businesses.slug', 'businesses.id as businessId', 'businesses.name as businessName'])
    .select(['businesses.location', 'products.thc', 'products.potency_unit as potencyUnit', 'products.weight'])
    .select(['products.weight_unit as weightUnit', 'menu_settings.tax_rate as taxRate', 'menu_settings.currency'])
    .select([
      price.as('priceCents'),
      price.as('regularCents'),
      sql<boolean>`coalesce(menu_settings.prices_include_tax, false)`.as('pricesIncludeTax'),
      sql<number | null>`${distance}`.as('distanceMiles'),
    ])
    .where('businesses.moderation', 'is', null)
    .where('businesses.license_standing', 'not in', ['inactive', 'missing'])
    .where(businessNotBlocked(viewer.id, 'businesses.id'))
    .where(sql<boolean>`coalesce(${readerOf(viewer).isOfAge}, false)`)
    .where(sql<boolean>`products.is_available`)
    .where(isIn(area))
    .$if(wanted.categories.length > 0, (query) =>
      query.where(
        'products.category_rank',
        'in',
        wanted.categories.map((category) => productCategories.indexOf(category)),
      ),
    )
    .$if(wanted.strainType !== null, (query) => query.where(isOfType(wanted.strainType as string)))
    .$if(wanted.weight !== null, (query) => query.where(weighs(wanted.weight as number)))
    .$if(wanted.price.below !== null, (query) => query.where(sql<boolean>`${measured} < ${wanted.price.below}`))
    .$if(wanted.price.min !== null, (query) => query.where(sql<boolean>`${measured} >= ${wanted.price.min}`))
    .$if(wanted.price.perGram, (query) => query.where('products.weight_unit', '=', 'g'))
    .$if(wanted.isOnSale, (query) => query.where(sql<boolean>`false`))
    .$if(wanted.milligrams !== null, (query) =>
      query.where('products.potency_unit', '=', 'mg').where('products.thc', '=', wanted.milligrams),
    )
    .$if(wanted.sort === 'potency', (query) => query.where('products.thc', 'is not', null))
    .where((eb) => eb.and([...wanted.words, ...wanted.moreWords].map((word) => containsWord(eb.ref('products.search_text'), word))))
    .orderBy(
      wanted.sort === 'potency'
        ? sql`products.potency_unit desc nulls last, products.thc desc`
        : wanted.sort === 'price' || wanted.price.below !== null
          ? measured
          : sql`businesses.license_trust desc, ${distance} nulls last`,
    )
    .orderBy(price)
    .orderBy('products.id')
    .limit(limit)
    .execute() as Promise<FoundItem[]>
}

function isIn(area: ItemArea) {
  if (area.kind === 'business') return sql<boolean>`products.business_id = ${area.id}::uuid`
  if (area.kind === 'state') return sql<boolean>`businesses.state = ${area.state}`
  const { west, south, east, north } = boxAround(area.center, area.radiusMiles)
  const longitude = crossesAntimeridian({ west, south, east, north })
    ? sql`(businesses.pin_longitude >= ${west} or businesses.pin_longitude <= ${east})`
    : sql`businesses.pin_longitude between ${west} and ${east}`
  const distance = distanceInSql(area.center, { latitude: 'businesses.pin_latitude', longitude: 'businesses.pin_longitude' })
  const city = area.city === null ? sql`true` : sql`lower(businesses.city) = ${area.city.toLowerCase()}`
  return sql<boolean>`(businesses.pin_latitude between ${south} and ${north} and ${longitude} and ${distance} <= ${area.radiusMiles} and ${city})`
}

/** From the strain list, by the item's strain. */
function isOfType(type: string) {
  const names = strainsOf(type)
  return sql<boolean>`lower(products.strain) = any(${names}::text[])`
}

const byType = new Map<string, string[]>()
function strainsOf(type: string): string[] {
  const known = byType.get(type)
  if (known) return known
  const names = allStrains().flatMap((strain) => (strain.type?.toLowerCase() === type ? [nameKey(strain.name)] : []))
  byType.set(type, names)
  return names
}

const gramsInOunce = 28
/** An eighth is 3.5 g, or an eighth of an ounce. */
const weighs = (grams: number) =>
  sql<boolean>`(products.weight_unit = 'g' and products.weight = ${grams} or products.weight_unit = 'oz' and products.weight = ${grams / gramsInOunce})`
