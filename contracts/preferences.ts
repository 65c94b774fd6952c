import * as z from './zod.ts'

/** Display settings; `null` follows the device. The API always uses SI units. */
export const Preferences = z.object({
  /** ISO 3166-1 country for the format of dates, numbers and amounts. */
  region: z.nullable(z.string().check(z.regex(/^[A-Z]{2}$/, 'Choose a region'))),
  temperature: z.nullable(z.enum(['C', 'F'])),
  length: z.nullable(z.enum(['cm', 'in'])),
  mass: z.nullable(z.enum(['g', 'oz'])),
  distance: z.nullable(z.enum(['km', 'mi'])),
})
export type Preferences = z.infer<typeof Preferences>
