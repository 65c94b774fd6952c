import * as z from 'zod/mini'

export const Currency = z.enum(['USD', 'CAD', 'EUR'])
export type Currency = z.infer<typeof Currency>

/** Cents as a decimal number of the currency's main unit: 1250 → "12.50". */
export function formatCents(cents: number): string {
  const sign = cents < 0 ? '-' : ''
  const absolute = Math.abs(cents)
  return `${sign}${Math.trunc(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`
}
