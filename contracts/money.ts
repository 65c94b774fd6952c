import * as z from 'zod/mini'

export const Currency = z.enum(['USD', 'CAD', 'EUR'])
export type Currency = z.infer<typeof Currency>

/** Cents to a decimal number in the currency's main unit: 1250 → "12.50". */
export function formatCents(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const absolute = Math.abs(cents)
  return `${sign}${Math.trunc(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}

/** A typed price: "12.5" or "12.50", at most two decimals, no sign. */
export const Price = z.string('Price is required').check(z.trim(), z.regex(/^\d{1,6}(\.\d{1,2})?$/, 'Enter a price such as 12.50'))

/** "12.5" → 1250. Expects text valid for `Price`. */
export function parseCents(price: string): number {
  const [whole = '0', part = ''] = price.split('.')
  return Number(whole) * 100 + Number(part.padEnd(2, '0'))
}
