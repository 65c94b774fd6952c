import type { Currency } from '#contracts/fields.ts'
import {
  eighthsLabel,
  fluidCategories,
  gramsInOunce,
  type MenuSort,
  menuSorts,
  packLabel,
  productCategories,
} from '#contracts/menu-fields.rules.ts'
import type { ProductCategory, StrainType } from '#contracts/menu-fields.ts'
import type { Product, ProductVariant } from '#contracts/menus.ts'
import type { Preferences } from '#contracts/settings.ts'
import { dateFormat, formatPrice, numberFormat } from '#web/lib/format.ts'

/** Defined here, because the module with the other fields' texts loads Zod. */
export const strainTypeWords: Record<StrainType, string> = { indica: 'Indica', sativa: 'Sativa', hybrid: 'Hybrid' }

const weights = numberFormat({ maximumFractionDigits: 3 })
const grams = numberFormat({ maximumFractionDigits: 1 })

/** Rounds to eighths, because some businesses list an eighth as 3.54 g. */
function ounces(value: number): string {
  const inEighths = Math.round(value * 8)
  const isRound = inEighths > 0 && Math.abs(value * 8 - inEighths) < inEighths * 0.02
  return (isRound && eighthsLabel(inEighths)) || `${weights.format(value)} oz`
}

const potencies = numberFormat({ maximumFractionDigits: 2 })

export const taxWords = ({ isTaxIncluded }: Pick<Product, 'isTaxIncluded'>): string => (isTaxIncluded ? 'incl. tax' : '+ tax')

/** "$12", "$12.50" */
export const shortPrice = (price: string, currency: Currency): string =>
  numberFormat({ style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(price as `${number}`)

type Prices = {
  paid: string
  /** The regular price. Null unless the viewer pays less. */
  regular: string | null
  isSale: boolean
  /** The subscriber price. Null if the viewer pays it, or if there is none. */
  forSubscribers: string | null
}

export function pricesOf(
  { price, salePrice, memberPrice }: Pick<ProductVariant, 'price' | 'salePrice' | 'memberPrice'>,
  hasMemberPrices: boolean,
): Prices {
  const isMember = hasMemberPrices && memberPrice !== null
  const paid = isMember ? memberPrice : (salePrice ?? price)
  return {
    paid,
    regular: paid === price ? null : price,
    isSale: !isMember && salePrice !== null,
    forSubscribers: isMember ? null : memberPrice,
  }
}

const days = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' })

/** "Dec 24" */
export const formatDay = (day: string): string => days.format(new Date(day))

/** "Dec 1 – 24", "from Dec 1", "through Dec 24"; null for a sale without a period. */
export function periodWords(starts: string | null, ends: string | null): string | null {
  if (starts !== null && ends !== null) return days.formatRange(new Date(starts), new Date(ends))
  if (starts !== null) return `from ${formatDay(starts)}`
  return ends === null ? null : `through ${formatDay(ends)}`
}

export function lowestSize({ variants, hasMemberPrices }: Pick<Product, 'variants' | 'hasMemberPrices'>): ProductVariant {
  const available = variants.filter(({ isAvailable }) => isAvailable)
  const cost = (variant: ProductVariant) => Number(pricesOf(variant, hasMemberPrices).paid)
  return (available.length > 0 ? available : variants).reduce((lowest, each) => (cost(each) < cost(lowest) ? each : lowest))
}

type Weighed = Pick<Product, 'category' | 'variants' | 'hasMemberPrices' | 'currency'>

/** "$8.57/g", or "from $8.57/g" if sizes differ. Compares available sizes, or all if none is available. Null if none has a weight. */
export function perGramWords({ category, variants, hasMemberPrices, currency }: Weighed) {
  const available = variants.filter(({ isAvailable }) => isAvailable)
  const each = (available.length > 0 ? available : variants).flatMap((variant) => {
    const { weight, weightUnit } = variant
    const mass = weightUnit === 'g' ? weight : weightUnit === 'oz' && weight !== null && !isFluid(category) ? weight * gramsInOunce : null
    return mass ? [(Number(pricesOf(variant, hasMemberPrices).paid) / mass).toFixed(2)] : []
  })
  if (each.length === 0) return null
  const lowest = each.reduce((least, price) => (Number(price) < Number(least) ? price : least))
  return `${each.some((price) => price !== lowest) ? 'from ' : ''}${formatPrice(lowest, currency)}/g`
}

const isFluid = (category: Product['category']): boolean => category !== null && fluidCategories.includes(category)

/** "3.5 g", "1/8 oz" or "4-pack"; null if unspecified. Uses the business's unit unless the viewer chose grams or ounces. */
export function weightWords(
  { weight, weightUnit }: Pick<ProductVariant, 'weight' | 'weightUnit'>,
  mass: Preferences['mass'] = null,
  category: Product['category'] = null,
): string | null {
  if (weight === null) return null
  if (weightUnit === 'g' && mass === 'oz') return ounces(weight / gramsInOunce)
  if (weightUnit === 'oz' && mass === 'g' && !isFluid(category)) return `${grams.format(weight * gramsInOunce)} g`
  if (weightUnit === 'oz' && weight < 1 && eighthsLabel(weight * 8)) return ounces(weight)
  const figure = weights.format(weight)
  if (weightUnit === null) return figure
  return weightUnit === 'piece' ? packLabel(weight, figure) : `${figure} ${weightUnit}`
}

type Potency = Pick<Product, 'thc' | 'thcMax' | 'thcUnit' | 'cbd' | 'cbdMax' | 'cbdUnit'>

/** ["18.2–24.1% THC", "0.3% CBD"], without unspecified values. */
export function potencyWords(product: Potency): string[] {
  return (['thc', 'cbd'] as const).flatMap((name) => {
    const [low, high, unit] = [product[name], product[`${name}Max`], product[`${name}Unit`]]
    if (low === null) return []
    const range = high === null || high === low ? potencies.format(low) : `${potencies.format(low)}–${potencies.format(high)}`
    return [`${range}${unit === 'mg' ? ' mg' : unit === 'percent' ? '%' : ''} ${name.toUpperCase()}`]
  })
}

export const kindWords = (product: Potency & Pick<Product, 'strainType'>): string[] => [
  ...(product.strainType ? [strainTypeWords[product.strainType]] : []),
  ...potencyWords(product),
]

/** "Terrace Farms · Blue Dream". Omits a brand or strain that the item's name includes. */
export function makerWords({ name, brand, strain }: Pick<Product, 'name' | 'brand' | 'strain'>): string {
  const bare = (text: string) =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `
  return [brand, strain].filter((part) => part && !bare(name).includes(bare(part))).join(' · ')
}

export const sortWords: Record<MenuSort, { short: string; long: string }> = {
  category: { short: 'Category', long: 'Category' },
  price: { short: 'Price', long: 'Price: low to high' },
  eighth: { short: 'Price of an eighth', long: 'Price of an eighth (3.5 g)' },
  price_per_gram: { short: 'Price per gram', long: 'Price per gram' },
  potency: { short: 'Potency', long: 'Potency' },
}

/** Only flower comes in eighths. */
export const sortsOf = (categories: readonly { category: ProductCategory }[]): MenuSort[] =>
  menuSorts.filter((sort) => sort !== 'eighth' || categories.some(({ category }) => category === 'Flower'))

const noCategory = 'Other'

export function groupProducts<P extends Pick<Product, 'category'>>(products: readonly P[]): { category: string; products: P[] }[] {
  const groups = Map.groupBy(products, ({ category }) => category ?? noCategory)
  const order = (category: string) => {
    const place = (productCategories as readonly string[]).indexOf(category)
    return place === -1 ? productCategories.length : place
  }
  return [...groups]
    .map(([category, members]) => ({ category, products: members }))
    .sort((a, b) => order(a.category) - order(b.category) || a.category.localeCompare(b.category))
}
