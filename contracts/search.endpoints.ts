import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, line, numeric, page, withoutNul } from './fields.ts'
import { maxSearchLength } from './limits.ts'
import { SearchFacets, SearchHit, SearchKind } from './search.ts'
import * as z from './zod.ts'

const q = line(maxSearchLength, 'Enter what to look for')

/** Search filters. A place limits results to businesses and their products. */
const filters = {
  q,
  /** "Denver, CO", a ZIP code, a state, or `latitude,longitude`. */
  place: z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul)),
  /** Miles around `place`; 25 by default. */
  radius: z.optional(numeric(z.number().check(z.minimum(1), z.maximum(500)))),
  /** Two-letter code; limits results to businesses, their products and their posts. */
  state: z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Must be a two-letter state code'))),
  /** Limits results to businesses, their products and their posts. */
  businessType: z.optional(BusinessTypeSchema),
}

export const search = endpoint({
  method: 'GET',
  path: '/api/search',
  summary: 'Search businesses, products, posts, people, communities and strains, the best match first',
  tag: 'Search',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, ...filters, kind: z.optional(SearchKind) }),
  response: z.array(SearchHit),
})

export const getSearchFacets = endpoint({
  method: 'GET',
  path: '/api/search/facets',
  summary: 'Count the results of a search by kind, and its businesses by state and type',
  tag: 'Search',
  access: 'member',
  query: z.object(filters),
  response: SearchFacets,
})

export const suggestHits = endpoint({
  method: 'GET',
  path: '/api/search/suggestions',
  summary: 'Suggest at most eight results by name while someone types',
  tag: 'Search',
  access: 'member',
  query: z.object({ q }),
  response: z.array(SearchHit),
})
