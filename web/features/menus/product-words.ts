import type { Product } from '../../../contracts/menus.ts'
import type { Currency } from '../../../contracts/money.ts'
import { formatPrice } from '../businesses/format-price.ts'

/** "$35.00 incl. tax", or "$35.00 + tax" where the business did not say which tax it charges. */
export function priceWords({ price, currency, isTaxIncluded }: { price: string; currency: Currency; isTaxIncluded: boolean }) {
  return { amount: formatPrice(price, currency), tax: isTaxIncluded ? 'incl. tax' : '+ tax' }
}

/** "3.5 g", "1 piece"; null where it is not said. */
export function weightWords({ weight, weightUnit }: Pick<Product, 'weight' | 'weightUnit'>): string | null {
  if (weight === null) return null
  const figure = weight.toLocaleString('en-US', { maximumFractionDigits: 3 })
  if (weightUnit === null) return figure
  return weightUnit === 'piece' ? `${figure} ${weight === 1 ? 'piece' : 'pieces'}` : `${figure} ${weightUnit}`
}

/** ["THC 24.1%", "CBD 0.3%"]: what is said of it. */
export function potencyWords({ thc, cbd, potencyUnit }: Pick<Product, 'thc' | 'cbd' | 'potencyUnit'>): string[] {
  const unit = potencyUnit === 'mg' ? ' mg' : potencyUnit === 'percent' ? '%' : ''
  const figure = (value: number) => `${value.toLocaleString('en-US', { maximumFractionDigits: 2 })}${unit}`
  return [...(thc === null ? [] : [`THC ${figure(thc)}`]), ...(cbd === null ? [] : [`CBD ${figure(cbd)}`])]
}
