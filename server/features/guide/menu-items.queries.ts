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
  /** From `thc` to `thcMax`, if that isn't null. */
  thc: number | null
  thcMax: number | null
  thcUnit: 'percent' | 'mg' | null
  weight: number | null
  weightUnit: string | null
  distanceMiles: number | null
}

/**
 * Items in stock that this viewer may see, each with the variant that fits best: of businesses that moderators and blocks don't hide,
 * where the viewer is old enough. All of the guide's reads of menu items are here.
 */
export async function findItems(
  db: Db,
  viewer: Viewer,
  wanted: AskedProduct & { moreWords: readonly string[] },
  area: ItemArea,
  limit: number,
): Promise<FoundItem[]> {
  const distance =
    area.kind === 'around'
      ? distanceInSql(area.center, { latitude: 'businesses.pin_latitude', longitude: 'businesses.pin_longitude' })
      : sql<number | null>`null::float8`
  const { categories, strainType, sort } = wanted
  return (
    db
      .selectFrom('products')
      .innerJoin('businesses', 'businesses.id', 'products.business_id')
      .innerJoinLateral(bestVariant(wanted).as('variant'), (join) => join.onTrue())
      .leftJoin('menu_settings', 'menu_settings.business_id', 'products.business_id')
      .select(['products.id', 'products.name', 'businesses.slug', 'businesses.id as businessId', 'businesses.name as businessName'])
      .select(['businesses.location', 'products.thc', 'products.thc_max as thcMax', 'products.thc_unit as thcUnit'])
      .select(['menu_settings.tax_rate as taxRate', 'menu_settings.currency'])
      .select([
        sql<number>`variant.price`.as('priceCents'),
        sql<number>`variant.regular`.as('regularCents'),
        sql<number | null>`variant.weight`.as('weight'),
        sql<string | null>`variant.weight_unit`.as('weightUnit'),
        sql<boolean>`coalesce(menu_settings.prices_include_tax, false)`.as('pricesIncludeTax'),
        sql<number | null>`${distance}`.as('distanceMiles'),
      ])
      .where('products.moderation', 'is', null)
      .where('businesses.moderation', 'is', null)
      .where('businesses.closure', 'is', null)
      .where('businesses.license_standing', 'not in', ['inactive', 'missing'])
      .where(businessNotBlocked(viewer.id, 'businesses.id'))
      .where(sql<boolean>`coalesce(${readerOf(viewer).isOfAge}, false)`)
      .where(isIn(area))
      // An item's figures spare most items the look at their variants.
      .where('products.is_available', '=', true)
      .$if(wanted.isOnSale, (query) => query.where('products.is_on_sale', '=', true))
      .$if(wanted.price.below !== null && !wanted.price.perGram, (query) =>
        query.where('products.low_price_cents', '<', wanted.price.below as number),
      )
      .$if(categories.length > 0, (query) =>
        query.where(
          'products.category_rank',
          'in',
          categories.map((category) => productCategories.indexOf(category)),
        ),
      )
      .$if(strainType !== null, (query) => query.where(isOfType(strainType as string)))
      .$if(wanted.milligrams !== null, (query) => query.where('products.thc_unit', '=', 'mg').where('products.thc', '=', wanted.milligrams))
      .$if(sort === 'potency', (query) => query.where('products.thc', 'is not', null))
      .where((eb) => eb.and([...wanted.words, ...wanted.moreWords].map((word) => containsWord(eb.ref('products.search_text'), word))))
      .orderBy(
        sort === 'potency'
          ? sql`products.potency_order`
          : sort === 'price' || wanted.price.below !== null
            ? sql`variant.measured`
            : sql`businesses.license_trust desc, ${distance} nulls last`,
      )
      .orderBy(sql`variant.price`)
      .orderBy('products.id')
      .limit(limit)
      .execute() as Promise<FoundItem[]>
  )
}

/** The item's cheapest variant in stock of what was asked for. */
function bestVariant({ weight, price, isOnSale }: AskedProduct) {
  const paid = sql`coalesce(sale_price_cents, price_cents)`
  const measured = price.perGram
    ? sql`(${paid} / nullif(weight * case weight_unit when 'g' then 1 when 'oz' then ${gramsInOunce}::float8 end, 0))`
    : paid
  const conditions = [
    sql<boolean>`product_id = products.id and is_available and coalesce(stock, 1) > 0`,
    ...(weight === null ? [] : [weighs(weight)]),
    ...(price.below === null ? [] : [sql<boolean>`${measured} < ${price.below}`]),
    ...(price.min === null ? [] : [sql<boolean>`${measured} >= ${price.min}`]),
    ...(isOnSale ? [sql<boolean>`sale_price_cents is not null`] : []),
  ]
  return sql<{ price: number }>`(
    select ${paid} as price, price_cents as regular, weight, weight_unit, ${measured} as measured from product_variants
    where ${sql.join(conditions, sql` and `)}
    order by ${measured}, position limit 1)`
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

/** As the menu says, or else the strain list. */
function isOfType(type: string) {
  const names = strainsOf(type)
  return sql<boolean>`coalesce(products.strain_type = ${type}, lower(products.strain) = any(${names}::text[]))`
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
  sql<boolean>`(weight_unit = 'g' and weight = ${grams} or weight_unit = 'oz' and weight = ${grams / gramsInOunce})`
