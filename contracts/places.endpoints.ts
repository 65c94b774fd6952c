import { endpoint } from './endpoint.ts'
import { withoutNul } from './fields.ts'
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

export const suggestPlaces = endpoint({
  method: 'GET',
  path: '/api/places',
  summary: 'Find places whose name or ZIP code begins with a text, largest first',
  tag: 'Places',
  access: 'public',
  query: z.object({ q: z.string().check(z.trim(), z.minLength(1), z.maxLength(80), withoutNul) }),
  response: z.array(Place),
})
