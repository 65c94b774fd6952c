import type { Currency } from './fields.ts'

/** In the currency's main unit: 1250 → "12.50". */
export function formatCents(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const absolute = Math.abs(cents)
  return `${sign}${Math.trunc(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/** "12.5" → 1250. Expects text that is valid for `Price`. */
export function parseCents(price: string): number {
  const [whole = '0', part = ''] = price.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

/** "$12", "$12.50", like the prices on menus. */
export const shortPrice = (price: string, currency: Currency): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' }).format(price as `${number}`)
