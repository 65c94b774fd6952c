import * as z from 'zod/mini'

/** How somebody reads figures; `null`: as is usual where their device is set to. What crosses the wire is in SI always. */
export const Preferences = z.object({
  /** ISO 3166-1: how dates, numbers and amounts of money are written. */
  region: z.nullable(z.string().check(z.regex(/^[A-Z]{2}$/, 'Choose a region'))),
  temperature: z.nullable(z.enum(['C', 'F'])),
  length: z.nullable(z.enum(['cm', 'in'])),
  mass: z.nullable(z.enum(['g', 'oz'])),
  distance: z.nullable(z.enum(['km', 'mi'])),
})
export type Preferences = z.infer<typeof Preferences>
