import { endpoint } from './endpoint.ts'
import { withoutNul } from './fields.ts'
import { Place } from './places.ts'
import * as z from './zod.ts'

export const suggestPlaces = endpoint({
  method: 'GET',
  path: '/api/places',
  summary: 'Find places whose name or ZIP code begins with a text, largest first',
  tag: 'Places',
  access: 'public',
  query: z.object({ q: z.string().check(z.trim(), z.minLength(1), z.maxLength(80), withoutNul) }),
  response: z.array(Place),
})
