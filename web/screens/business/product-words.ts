import { toGrams, toOunces } from '#agronomy/units.ts'
import type { Currency } from '#contracts/fields.ts'
import { productCategories } from '#contracts/menu-fields.rules.ts'
import type { Product } from '#contracts/menus.ts'
import type { Preferences } from '#contracts/settings.ts'
import { formatPrice, numberFormat } from '#web/lib/format.ts'

const weights = numberFormat({ maximumFractionDigits: 3 })
const grams = numberFormat({ maximumFractionDigits: 1 })
const eighths = ['', '1/8', '1/4', '3/8', '1/2', '5/8', '3/4', '7/8']

/** Rounds to eighths, as the trade does: 3.5 g is sold as 1/8 oz, although it weighs 1.2% less. */
function ounces(value: number): string {
  const inEighths = Math.round(value * 8)
  const isRound = inEighths > 0 && Math.abs(value * 8 - inEighths) < inEighths * 0.02
  if (!isRound) return `${weights.format(value)} oz`
  return `${[inEighths >= 8 ? Math.floor(inEighths / 8) : '', eighths[inEighths % 8]].filter(Boolean).join(' ')} oz`
}

const potencies = numberFormat({ maximumFractionDigits: 2 })

/** "$35.00 incl. tax", or "$35.00 + tax" if the business hasn't specified its tax rate. */
export function priceWords({ price, currency, isTaxIncluded }: { price: string; currency: Currency; isTaxIncluded: boolean }) {
  return { amount: formatPrice(price, currency), tax: isTaxIncluded ? 'incl. tax' : '+ tax' }
}

/** "3.5 g", "1/8 oz", "1 piece"; null if unspecified. In the business's unit unless the reader chose grams or ounces. */
export function weightWords(
  { weight, weightUnit }: Pick<Product, 'weight' | 'weightUnit'>,
  mass: Preferences['mass'] = null,
): string | null {
  if (weight === null) return null
  if (weightUnit === 'g' && mass === 'oz') return ounces(toOunces(weight))
  if (weightUnit === 'oz' && mass === 'g') return `${grams.format(toGrams(weight))} g`
  const figure = weights.format(weight)
  if (weightUnit === null) return figure
  return weightUnit === 'piece' ? `${figure} ${weight === 1 ? 'piece' : 'pieces'}` : `${figure} ${weightUnit}`
}

/** ["THC 24.1%", "CBD 0.3%"]; unspecified values are left out. */
export function potencyWords({ thc, cbd, potencyUnit }: Pick<Product, 'thc' | 'cbd' | 'potencyUnit'>): string[] {
  const unit = potencyUnit === 'mg' ? ' mg' : potencyUnit === 'percent' ? '%' : ''
  const figure = (value: number) => `${potencies.format(value)}${unit}`
  return [...(thc === null ? [] : [`THC ${figure(thc)}`]), ...(cbd === null ? [] : [`CBD ${figure(cbd)}`])]
}

/** Group for items without a category. */
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
