import * as z from './zod.ts'

export const Currency = z.enum(['USD', 'CAD', 'EUR'])
export type Currency = z.infer<typeof Currency>

/** A typed price: "12.5" or "12.50", at most two decimals, no sign. */
export const Price = z.string('Price is required').check(z.trim(), z.regex(/^\d{1,6}(\.\d{1,2})?$/, 'Enter a price such as 12.50'))
