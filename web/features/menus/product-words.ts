import { toGrams, toOunces } from '../../../agronomy/units.ts'
import type { Product } from '../../../contracts/menus.ts'
import type { Currency } from '../../../contracts/money.ts'
import type { Preferences } from '../../../contracts/preferences.ts'
import { numberFormat } from '../../lib/format.ts'
import { formatPrice } from '../businesses/format-price.ts'

const weights = numberFormat({ maximumFractionDigits: 3 })
const grams = numberFormat({ maximumFractionDigits: 1 })
const eighths = ['', '1/8', '1/4', '3/8', '1/2', '5/8', '3/4', '7/8']

/** Flower is sold by eighths of an ounce, and 3.5 g are one: 1.2 % less by the scale, and one by the trade's word. */
function ounces(value: number): string {
  const inEighths = Math.round(value * 8)
  const isRound = inEighths > 0 && Math.abs(value * 8 - inEighths) < inEighths * 0.02
  if (!isRound) return `${weights.format(value)} oz`
  return `${[inEighths >= 8 ? Math.floor(inEighths / 8) : '', eighths[inEighths % 8]].filter(Boolean).join(' ')} oz`
}

const potencies = numberFormat({ maximumFractionDigits: 2 })

/** "$35.00 incl. tax", or "$35.00 + tax" where the business did not say which tax it charges. */
export function priceWords({ price, currency, isTaxIncluded }: { price: string; currency: Currency; isTaxIncluded: boolean }) {
  return { amount: formatPrice(price, currency), tax: isTaxIncluded ? 'incl. tax' : '+ tax' }
}

/** "3.5 g", "1/8 oz", "1 piece"; null where it is not said. As the business says it, unless the reader chose grams or ounces. */
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

/** ["THC 24.1%", "CBD 0.3%"]: what is said of it. */
export function potencyWords({ thc, cbd, potencyUnit }: Pick<Product, 'thc' | 'cbd' | 'potencyUnit'>): string[] {
  const unit = potencyUnit === 'mg' ? ' mg' : potencyUnit === 'percent' ? '%' : ''
  const figure = (value: number) => `${potencies.format(value)}${unit}`
  return [...(thc === null ? [] : [`THC ${figure(thc)}`]), ...(cbd === null ? [] : [`CBD ${figure(cbd)}`])]
}
