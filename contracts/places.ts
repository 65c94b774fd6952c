import * as z from './zod.ts'

export const Place = z.object({
  id: z.string(),
  kind: z.enum(['city', 'zip', 'state']),
  /** "Denver, CO". */
  label: z.string(),
  name: z.string(),
  state: z.string(),
  latitude: z.number(),
  longitude: z.number(),
})
export type Place = z.infer<typeof Place>
