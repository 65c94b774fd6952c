import type { GuideLink } from '#contracts/guide.endpoints.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import { shownCents } from '#server/features/menus/index.ts'
import { viewerOf } from '#server/features/posts/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { mayBeNamed, mayBeOffered } from './boundaries.ts'
import { milesWords, type Where } from './find-places.ts'
import type { Finding } from './find-records.ts'
import { type Found, plainName } from './find-records.ts'
import { type FoundItem, findItems, type ItemArea } from './menu-items.queries.ts'
import type { Asked } from './question.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

const maxItems = 5
/** Some may be named like a cure. */
const readsUpTo = 15
const radiusMiles = 25

/** Menu items in stock at a place, cheapest, strongest or nearest first. */
export async function findProducts(ctx: Ctx, actor: Actor, asked: Asked, where: Where, words: readonly string[]): Promise<Finding> {
  const what = describe(asked, words)
  const there = `${where.isInside || where.kind === 'state' ? 'in' : 'near'} ${where.label}`
  const more = searchLinks(asked, words, where)
  const tooYoung = underAge(ctx, actor, where.state)
  if (tooYoung) return tooYoung
  const area: ItemArea =
    where.kind === 'state'
      ? { kind: 'state', state: where.state }
      : { kind: 'around', center: where, radiusMiles, city: where.isInside ? where.name : null }
  const items = await readItems(ctx, actor, asked, words, area)
  if (items.length === 0) return { unknown: `I found no ${what} in stock ${there}${limitWords(asked)}.`, more }
  return {
    lead: `In stock ${there}${orderWords(asked)}:`,
    found: items.map((item) => foundItem(where.isInside ? { ...item, distanceMiles: null } : item, asked)),
    more,
    isPrivate: where.isHome,
  }
}

/** Menu items in stock at a business that the question names. */
export async function findProductsAt(
  ctx: Ctx,
  actor: Actor,
  asked: Asked,
  business: { id: string; slug: string; name: string; state: string | null },
  words: readonly string[],
): Promise<Finding> {
  const name = plainName(business.name)
  const tooYoung = underAge(ctx, actor, business.state)
  if (tooYoung) return tooYoung
  const more = [{ title: `Menu of ${name}`, path: `/business/${business.slug}` }]
  const items = await readItems(ctx, actor, asked, words, { kind: 'business', id: business.id })
  if (items.length === 0) return { unknown: `I found no ${describe(asked, words)} in stock at ${name}${limitWords(asked)}.`, more }
  return {
    lead: `In stock at ${name}${orderWords(asked)}:`,
    found: items.map((item) => foundItem({ ...item, distanceMiles: null }, asked)),
    more,
    isPrivate: false,
  }
}

/** Menus are for people of the place's age. */
function underAge({ clock }: Ctx, actor: Actor, state: string | null): Finding | null {
  const { minimumAge, rule } = productAgeOf({ country: 'US', state })
  const age = ageOf(actor, clock.now())
  if (age !== null && age >= minimumAge) return null
  return { lead: `You must be ${minimumAge} or older to see products there. ${rule}`, found: [], more: [], isPrivate: true }
}

async function readItems(ctx: Ctx, actor: Actor, { product }: Asked, moreWords: readonly string[], area: ItemArea): Promise<FoundItem[]> {
  const viewer = viewerOf(actor, ctx.clock.now())
  const items = await findItems(ctx.db, viewer, { ...product, moreWords }, area, readsUpTo)
  return items.filter(({ name, businessName }) => mayBeOffered(name) && mayBeNamed(businessName)).slice(0, maxItems)
}

function foundItem(item: FoundItem, { product }: Asked): Found {
  const { taxRate, pricesIncludeTax, currency } = item
  const shown = (cents: number) => {
    const amount = formatCents(shownCents(cents, { currency: currency ?? 'USD', taxRate, pricesIncludeTax }))
    return currency === null || currency === 'USD' ? `$${amount}` : `${amount} ${currency}`
  }
  const size = item.weight === null || item.weightUnit === null ? null : `${item.weight} ${item.weightUnit}`
  const isSale = item.priceCents < item.regularCents
  const facts = [
    `${shown(item.priceCents)}${size ? ` for ${size}` : ''}${isSale ? `, on sale from ${shown(item.regularCents)}` : ''}`,
    item.thc !== null && (product.sort === 'potency' || item.thcUnit === 'mg') ? `${thcOf(item)} THC on its label` : null,
    `at ${plainName(item.businessName)}${item.location ? `, ${item.location}` : ''}`,
    item.distanceMiles === null ? null : milesWords(item.distanceMiles),
  ]
  return { title: plainName(item.name), path: `/product/${item.id}`, fact: facts.filter(Boolean).join(', ') }
}

/** "21%", "18–24%", "100 mg". */
const thcOf = ({ thc, thcMax, thcUnit }: FoundItem): string =>
  `${thcMax === null || thcMax === thc ? thc : `${thc}–${thcMax}`}${thcUnit === 'mg' ? ' mg' : '%'}`

/** "indica flower", "gummies": what was asked for, in its own words. */
function describe({ product }: Asked, words: readonly string[]): string {
  const names = product.words.map((word) => (word === 'gumm' ? 'gummies' : word))
  const kind = names.length > 0 ? null : product.categories.map((category) => category.toLowerCase()).join(' or ')
  const quoted = words.length > 0 ? `“${words.join(' ')}”` : null
  const all = [quoted, product.strainType, ...names, kind].filter(Boolean).join(' ')
  const size = product.weight === null ? '' : ` of ${product.weight} g`
  const strength = product.milligrams === null ? '' : ` with ${product.milligrams} mg of THC`
  return `${all || 'items'}${size}${strength}${product.isOnSale ? ' on sale' : ''}`
}

function limitWords({ product: { price } }: Asked): string {
  if (price.below === null) return ''
  const each = price.perGram ? ' a gram' : ''
  return price.min === null
    ? ` under $${dollars(price.below)}${each}`
    : ` from $${dollars(price.min)} to $${dollars(price.below - 1)}${each}`
}

const dollars = (cents: number): string => formatCents(cents).replace(/\.00$/, '')

function orderWords(asked: Asked): string {
  const { sort } = asked.product
  const order = sort === 'potency' ? ', highest THC on the label first' : sort === 'price' ? ', cheapest first' : ''
  return `${limitWords(asked)}${order}`
}

/** The whole list, with the question's filters. */
function searchLinks({ product }: Asked, words: readonly string[], where: Where): GuideLink[] {
  const names = product.words.map((word) => (word === 'gumm' ? 'gummies' : word))
  const [category] = product.categories.length === 1 && names.length === 0 ? product.categories : []
  const q = [...words, ...names].join(' ')
  const { price, sort, strainType, isOnSale } = product
  const params = new URLSearchParams({
    ...(q ? { q } : {}),
    near: where.label,
    ...(category ? { category } : {}),
    ...(strainType ? { strainType } : {}),
    ...(price.below !== null && !price.perGram ? { maxPrice: String(Math.floor(price.below / 100)) } : {}),
    inStock: 'true',
    ...(isOnSale ? { deals: 'true' } : {}),
    ...(sort === 'potency' ? { sort } : sort === 'price' ? { sort: price.perGram ? 'price_per_gram' : 'price' } : {}),
  })
  const what = [strainType, q || category?.toLowerCase()].filter(Boolean).join(' ')
  return [
    { title: `Products${what ? `: ${what}` : ''} ${where.kind === 'state' ? 'in' : 'near'} ${where.label}`, path: `/products?${params}` },
  ]
}
