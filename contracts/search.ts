import * as z from 'zod/mini'
import { BusinessTypeSchema } from './business-type-schema.ts'
import { endpoint } from './endpoint.ts'
import { numeric, page } from './pagination.ts'
import { line, withoutNul } from './text.ts'

export const searchKinds = ['business', 'product', 'post', 'person', 'community', 'strain'] as const
export const SearchKind = z.enum(searchKinds)
export type SearchKind = z.infer<typeof SearchKind>

/** What is typed is at most this long. */
export const maxSearchLength = 120

export const SearchHit = z.object({
  kind: SearchKind,
  /** With `kind`, the only one of its name in a list. */
  id: z.string(),
  title: z.string(),
  /** What tells it from others of its name: type and place of a business, whose product or post it is, a strain's type and breeder. */
  subtitle: z.nullable(z.string()),
  /** Plain text around what was found, where it is not the title alone. */
  snippet: z.nullable(z.string()),
  /** The address in the app. */
  path: z.string(),
  imageUrl: z.nullable(z.string()),
  /** Of a business, and of the business that a product or post belongs to. */
  businessType: z.nullable(BusinessTypeSchema),
  /** "Denver, CO". */
  location: z.nullable(z.string()),
  /** Of a business that has ratings. */
  rating: z.nullable(z.object({ average: z.number(), count: z.int() })),
  /** Only of a search around a place. */
  distanceMiles: z.nullable(z.number()),
  /** Of a post: when it was published. */
  createdAt: z.nullable(z.iso.datetime()),
  /** Fictional, from the demo content. */
  isDemo: z.boolean(),
  /** Found by words that are written much like those that were typed. */
  isAlike: z.boolean(),
  /** Where the words stand in `title`: from, up to, in UTF-16 units, in their order, none over another. */
  matched: z.array(z.tuple([z.int(), z.int()])),
})
export type SearchHit = z.infer<typeof SearchHit>

const q = line(maxSearchLength, 'Type what to look for')

/** What narrows a search. A place leaves businesses and their products. */
const filters = {
  q,
  /** "Denver, CO", a ZIP code, a state, or `latitude,longitude`. */
  place: z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul)),
  /** Miles around `place`; 25 when not given. */
  radius: z.optional(numeric(z.number().check(z.minimum(1), z.maximum(500)))),
  /** Two-letter code; leaves businesses, their products and their posts. */
  state: z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Must be a two-letter state code'))),
  /** Leaves businesses, their products and their posts. */
  businessType: z.optional(BusinessTypeSchema),
}

export const search = endpoint({
  method: 'GET',
  path: '/api/search',
  summary: 'Businesses, products, posts, people, communities and strains with these words, the best match first',
  tag: 'Search',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, ...filters, kind: z.optional(SearchKind) }),
  response: z.array(SearchHit),
})

/** Nothing is counted further than this: `isCapped` says that there are more. */
export const searchCountCap = 1000

const Counted = { count: z.int(), isCapped: z.boolean() }

export const SearchFacets = z.object({
  /** Every kind, those with nothing found too. */
  kinds: z.array(z.object({ kind: SearchKind, ...Counted })),
  /** Of the businesses found, the most frequent first. */
  states: z.array(z.object({ state: z.string(), ...Counted })),
  businessTypes: z.array(z.object({ businessType: BusinessTypeSchema, ...Counted })),
})
export type SearchFacets = z.infer<typeof SearchFacets>

export const getSearchFacets = endpoint({
  method: 'GET',
  path: '/api/search/facets',
  summary: 'How many of each kind a search finds for the viewer, and the businesses among them by state and type',
  tag: 'Search',
  access: 'member',
  query: z.object(filters),
  response: SearchFacets,
})

export const maxSuggestions = 8

export const suggestHits = endpoint({
  method: 'GET',
  path: '/api/search/suggestions',
  summary: 'At most eight hits of all kinds by their names, for what is being typed',
  tag: 'Search',
  access: 'member',
  query: z.object({ q }),
  response: z.array(SearchHit),
})
