import { endpoint } from './endpoint.ts'
import { line, wholeNumber } from './fields.ts'
import * as z from './zod.ts'

const query = z.object({ q: line(80), limit: z._default(wholeNumber(1, 20), 8) })

export const suggestStrains = endpoint({
  method: 'GET',
  path: '/api/strains',
  summary: 'Find strains whose name begins with or contains a text',
  tag: 'Strains',
  access: 'member',
  query,
  response: z.array(z.object({ name: z.string(), type: z.nullable(z.string()), breeder: z.nullable(z.string()) })),
})

export const suggestBreeders = endpoint({
  method: 'GET',
  path: '/api/breeders',
  summary: 'Find breeders whose name begins with or contains a text',
  tag: 'Strains',
  access: 'member',
  query,
  response: z.array(z.object({ name: z.string() })),
})
