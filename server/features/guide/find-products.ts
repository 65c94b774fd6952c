import { type RawBuilder, sql } from 'kysely'
import type { Business, Precision } from '#contracts/businesses.ts'
import type { GuideLink } from '#contracts/guide.endpoints.ts'
import { eighthsLabel, gramsInOunce, packLabel, productCategories } from '#contracts/menu-fields.rules.ts'
import { formatCents, shortPrice } from '#contracts/money.rules.ts'
import type { DistanceUnit } from '#contracts/settings.ts'
import type { Db } from '#server/db/connect.ts'
import { containsWord, distanceOrFarthest } from '#server/features/businesses/index.ts'
import { mayAdvertisePrices, placesWithDeals, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { gramsOf, isFluid, saleNow, shownCentsInSql } from '#server/features/menus/index.ts'
import { noBlockWithBusiness } from '#server/features/people/index.ts'
import { readerOf, type Viewer, viewerOf } from '#server/features/posts/index.ts'
import { allStrains, nameKey } from '#server/features/strains/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { boxAround, distanceInSql, isInBox, type Point } from '#server/kernel/geo/distance.ts'
import { isSafeItemName, isSafeName } from './boundaries.ts'
import { distanceWords, type Finding, type FoundRecord, type PlaceToSearch, plainName } from './find-records.ts'
import type { AskedProduct, ParsedQuestion } from './question.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

const maxItems = 5
/** More than `maxItems`, because items whose names sound like a cure are left out. */
const readsUpTo = 15
const radiusMiles = 25

/** Menu items in stock at a place, cheapest or strongest first, otherwise by license trust and distance. */
export async function findProducts(
  ctx: Ctx,
  actor: Actor,
  asked: ParsedQuestion,
  where: PlaceToSearch,
  words: readonly string[],
): Promise<Finding> {
  const what = describe(asked, words)
  const there = `${where.isInside || where.kind === 'state' ? 'in' : 'near'} ${where.label}`
  const more = searchLinks(asked, words, where)
  const tooYoung = underAge(ctx, actor, productAgeOf({ country: 'US', state: where.state }))
  if (tooYoung) return tooYoung
  const area: ItemArea =
    where.kind === 'state'
      ? { kind: 'state', state: where.state }
      : { kind: 'around', center: where, radiusMiles, city: where.isInside ? where.name : null }
  const items = await readItems(ctx, actor, asked, words, area)
  if (items.length === 0 && mayNotListDeals(asked, where.state)) return { unknown: noDeals, more: [] }
  if (items.length === 0) return { unknown: `I couldn’t find any ${what} in stock ${there}${limitWords(asked)}.`, more }
  return {
    lead: `In stock ${there}${orderWords(asked)}:`,
    found: items.map((item) => foundItem(item, asked, where.isInside ? null : where.distanceUnit)),
    more,
    isPrivate: where.isHome,
  }
}

export async function findProductsAt(
  ctx: Ctx,
  actor: Actor,
  asked: ParsedQuestion,
  business: Pick<Business, 'id' | 'slug' | 'name' | 'state' | 'productAge'>,
  words: readonly string[],
): Promise<Finding> {
  const name = plainName(business.name)
  const tooYoung = underAge(ctx, actor, business.productAge)
  if (tooYoung) return tooYoung
  const more = [{ title: `Menu for ${name}`, path: `/business/${business.slug}` }]
  const items = await readItems(ctx, actor, asked, words, { kind: 'business', id: business.id })
  if (items.length === 0 && mayNotListDeals(asked, business.state)) return { unknown: noDeals, more }
  if (items.length === 0) return { unknown: `I couldn’t find any ${describe(asked, words)} in stock at ${name}${limitWords(asked)}.`, more }
  return {
    lead: `In stock at ${name}${orderWords(asked)}:`,
    found: items.map((item) => foundItem(item, asked, null)),
    more,
    isPrivate: false,
  }
}

/** Only the United States has places with deals. */
const mayNotListDeals = ({ product }: ParsedQuestion, state: string | null): boolean =>
  product.isOnSale && !mayAdvertisePrices({ country: 'US', state })
const noDeals = 'I don’t know whether prices may be advertised there, so I don’t list deals.'

/** Menus are only for people of the place's legal age. */
function underAge({ clock }: Ctx, actor: Actor, { minimumAge, rule }: Business['productAge']): Finding | null {
  const age = ageOf(actor, clock.now())
  if (age !== null && age >= minimumAge) return null
  return { lead: `You must be ${minimumAge} or older to see products there. ${rule}`, found: [], more: [], isPrivate: true }
}

async function readItems(
  ctx: Ctx,
  actor: Actor,
  { product }: ParsedQuestion,
  moreWords: readonly string[],
  area: ItemArea,
): Promise<FoundItem[]> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  const items = await findItems(ctx.db, viewer, { ...product, moreWords }, area, readsUpTo, now)
  return items.filter(({ name, businessName }) => isSafeItemName(name) && isSafeName(businessName)).slice(0, maxItems)
}

/** Leaves out the distance if `unit` is null. */
function foundItem(item: FoundItem, { product }: ParsedQuestion, unit: DistanceUnit | null): FoundRecord {
  const shown = (cents: number) => shortPrice(formatCents(cents), item.currency ?? 'USD')
  const isSale = item.hasDeals && item.priceCents < item.regularCents
  const facts = [
    `${shown(item.priceCents)}${sizeWords(item)}${isSale ? `, on sale from ${shown(item.regularCents)}` : ''}`,
    item.thc !== null && (product.sort === 'potency' || item.thcUnit === 'mg') ? `${thcOf(item)} THC on its label` : null,
    `at ${plainName(item.businessName)}${item.location ? `, ${item.location}` : ''}`,
    item.distanceMiles === null || unit === null ? null : distanceWords(item.distanceMiles, item.precision, unit),
  ]
  return { title: plainName(item.name), path: `/product/${item.id}`, fact: facts.filter(Boolean).join(', ') }
}

/** " for 3.5 g", " for a 4-pack", " each"; empty if unspecified. */
function sizeWords({ weight, weightUnit }: FoundItem): string {
  if (weight === null || weightUnit === null) return ''
  const eighths = weightUnit === 'oz' && weight < 1 ? eighthsLabel(weight * 8) : null
  if (eighths) return ` for ${eighths}`
  if (weightUnit !== 'piece') return ` for ${weight} ${weightUnit}`
  const words = packLabel(weight)
  return words === 'each' ? ' each' : ` for ${words.endsWith('-pack') ? 'a ' : ''}${words}`
}

/** "21%", "18–24%", "100 mg". */
const thcOf = ({ thc, thcMax, thcUnit }: FoundItem): string =>
  `${thcMax === null || thcMax === thc ? thc : `${thc}–${thcMax}`}${thcUnit === 'mg' ? ' mg' : '%'}`

/** "indica flower", "gummies": how an answer names the requested products. */
function describe({ product }: ParsedQuestion, words: readonly string[]): string {
  const names = product.words.map((word) => (word === 'gumm' ? 'gummies' : word))
  const kind = names.length > 0 ? null : product.categories.map((category) => category.toLowerCase()).join(' or ')
  const quoted = words.length > 0 ? `“${words.join(' ')}”` : null
  const all = [quoted, product.strainType, ...names, kind].filter(Boolean).join(' ')
  const size = product.weight === null ? '' : ` of ${product.weight} g`
  const strength = product.milligrams === null ? '' : ` with ${product.milligrams} mg of THC`
  return `${all || 'items'}${size}${strength}${product.isOnSale ? ' on sale' : ''}`
}

function limitWords({ product: { price } }: ParsedQuestion): string {
  if (price.below === null) return ''
  const each = price.perGram ? ' a gram' : ''
  if (!price.isInclusive) return ` under ${dollars(price.below)}${each}`
  const highest = dollars(price.below - 1)
  return price.min === null ? ` for up to ${highest}${each}` : ` from ${dollars(price.min)} to ${highest}${each}`
}

const dollars = (cents: number): string => shortPrice(formatCents(cents), 'USD')

function orderWords(asked: ParsedQuestion): string {
  const { sort } = asked.product
  const order = sort === 'potency' ? ', highest THC on the label first' : sort === 'price' ? ', cheapest first' : ''
  return `${limitWords(asked)}${order}`
}

function searchLinks({ product }: ParsedQuestion, words: readonly string[], where: PlaceToSearch): GuideLink[] {
  const names = product.words.map((word) => (word === 'gumm' ? 'gummies' : word))
  const [category] = product.categories.length === 1 && names.length === 0 ? product.categories : []
  const q = [...words, ...names].join(' ')
  const { price, sort, strainType, isOnSale } = product
  const params = new URLSearchParams({
    ...(q ? { q } : {}),
    near: where.label,
    ...(category ? { category } : {}),
    ...(strainType ? { strainType } : {}),
    ...(price.min !== null ? { minPrice: String(price.min / 100) } : {}),
    ...(price.below !== null ? { maxPrice: String((price.below - 1) / 100), ...(price.perGram ? { perGram: 'true' } : {}) } : {}),
    inStock: 'true',
    ...(isOnSale ? { deals: 'true' } : {}),
    ...(sort === 'potency' ? { sort } : sort === 'price' ? { sort: price.perGram ? 'price_per_gram' : 'price' } : {}),
  })
  const what = [strainType, q || category?.toLowerCase()].filter(Boolean).join(' ')
  return [
    { title: `Products${what ? `: ${what}` : ''} ${where.kind === 'state' ? 'in' : 'near'} ${where.label}`, path: `/products?${params}` },
  ]
}

type ItemArea =
  | { kind: 'around'; center: Point; radiusMiles: number; city: string | null }
  | { kind: 'state'; state: string }
  | { kind: 'business'; id: string }

type FoundItem = {
  id: string
  name: string
  slug: string
  businessId: string
  businessName: string
  location: string | null
  /** What anyone pays now, with tax if the menu's rate is known. */
  priceCents: number
  regularCents: number
  /** Prices may be advertised at the business's place. */
  hasDeals: boolean
  currency: 'USD' | 'CAD' | 'EUR' | null
  /** The value, or the low end of a range if `thcMax` isn't null. */
  thc: number | null
  thcMax: number | null
  thcUnit: 'percent' | 'mg' | null
  weight: number | null
  weightUnit: string | null
  /** A place known only by its city or ZIP code counts as at least `minMiles` away, as in business lists. */
  distanceMiles: number | null
  precision: Precision | null
}

/**
 * Items in stock that this viewer may see, each with the variant that fits best. Leaves out businesses that are closed, whose license is
 * inactive or missing, that moderators or blocks hide, or that the viewer is too young for.
 */
async function findItems(
  db: Db,
  viewer: Viewer,
  wanted: AskedProduct & { moreWords: readonly string[] },
  area: ItemArea,
  limit: number,
  now: Date,
): Promise<FoundItem[]> {
  const distance = area.kind === 'around' ? distanceOrFarthest(area.center) : sql<number | null>`null::float8`
  const hasDeals = sql<boolean>`coalesce(businesses.country || ' ' || coalesce(businesses.state, '') = any(${placesWithDeals}::text[]), false)`
  const { categories, strainType, sort } = wanted
  return (
    db
      .selectFrom('products')
      .innerJoin('businesses', 'businesses.id', 'products.business_id')
      .leftJoin('menu_settings', 'menu_settings.business_id', 'products.business_id')
      .innerJoinLateral(bestVariant(wanted, now).as('variant'), (join) => join.onTrue())
      .select(['products.id', 'products.name', 'businesses.slug', 'businesses.id as businessId', 'businesses.name as businessName'])
      .select(['businesses.location', 'products.thc', 'products.thc_max as thcMax', 'products.thc_unit as thcUnit'])
      .select('menu_settings.currency')
      .select([
        sql<number>`variant.price`.as('priceCents'),
        sql<number>`variant.regular`.as('regularCents'),
        hasDeals.as('hasDeals'),
        sql<number | null>`variant.weight`.as('weight'),
        sql<string | null>`variant.weight_unit`.as('weightUnit'),
        sql<number | null>`${distance}`.as('distanceMiles'),
        sql<Precision | null>`businesses.pin_precision`.as('precision'),
      ])
      .where('products.moderation', 'is', null)
      .where('businesses.moderation', 'is', null)
      .where('businesses.closure', 'is', null)
      .where('businesses.license_standing', 'not in', ['inactive', 'missing'])
      .where(noBlockWithBusiness(viewer.id, 'businesses.id'))
      .where(sql<boolean>`coalesce(${readerOf(viewer).isOfAge}, false)`)
      .where(isIn(area))
      // The item's own figures rule out most items before their variants are read.
      .where('products.is_available', '=', true)
      .$if(wanted.isOnSale, (query) => query.where('products.is_on_sale', '=', true).where(hasDeals))
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

/** The item's cheapest variant in stock that fits the question, with its prices as shoppers see them. */
function bestVariant({ weight, price, isOnSale }: AskedProduct, now: Date) {
  const sale = saleNow(sql`products.business_id`, now)
  const addedTax = sql`case when menu_settings.prices_include_tax then null else menu_settings.tax_rate end`
  const shown = (cents: RawBuilder<unknown>) => sql<number>`${shownCentsInSql(cents, addedTax)}::integer`
  const paid = shown(sql`coalesce(${sale}, price_cents)`)
  const measured = price.perGram ? sql`(${paid} / ${gramsOf(isFluid)})` : paid
  const conditions = [
    sql<boolean>`product_id = products.id and is_available and coalesce(stock, 1) > 0`,
    ...(weight === null ? [] : [weighs(weight)]),
    ...(price.below === null ? [] : [sql<boolean>`${measured} < ${price.below}`]),
    ...(price.min === null ? [] : [sql<boolean>`${measured} >= ${price.min}`]),
    ...(isOnSale ? [sql<boolean>`${sale} is not null`] : []),
  ]
  return sql<{ price: number }>`(
    select ${paid} as price, ${shown(sql`price_cents`)} as regular, weight, weight_unit, ${measured} as measured from product_variants
    where ${sql.join(conditions, sql` and `)}
    order by ${measured}, position limit 1)`
}

function isIn(area: ItemArea) {
  if (area.kind === 'business') return sql<boolean>`products.business_id = ${area.id}::uuid`
  if (area.kind === 'state') return sql<boolean>`businesses.state = ${area.state}`
  const pin = { latitude: 'businesses.pin_latitude', longitude: 'businesses.pin_longitude' }
  const box = isInBox(boxAround(area.center, area.radiusMiles), pin)
  const city = area.city === null ? sql`true` : sql`lower(businesses.city) = ${area.city.toLowerCase()}`
  return sql<boolean>`(${box} and ${distanceInSql(area.center, pin)} <= ${area.radiusMiles} and ${city})`
}

/** The type on the menu, or the one in the strain list. */
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

/** Menus state an eighth as 3.5 g or as an eighth of an ounce. */
const weighs = (grams: number) =>
  sql<boolean>`(weight_unit = 'g' and weight = ${grams} or weight_unit = 'oz' and weight = ${grams / gramsInOunce})`
