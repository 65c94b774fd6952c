import { Precision } from './businesses.ts'
import { searchKinds } from './choices.ts'
import { endpoint } from './endpoint.ts'
import { BusinessTypeSchema, Id, line, nearPlace, numeric, page, wholeNumber, withoutNul } from './fields.ts'
import { maxSearchLength } from './limits.ts'
import * as z from './zod.ts'

export const SearchKind = z.enum(searchKinds)
export type SearchKind = z.infer<typeof SearchKind>

export const SearchHit = z.object({
  kind: SearchKind,
  /** Unique only in combination with `kind`. */
  id: z.string(),
  title: z.string(),
  /**
   * Distinguishes results with the same title: a business's type and place, a product's or post's business, a strain's type and breeder.
   */
  subtitle: z.nullable(z.string()),
  /** Plain-text excerpt around the match, unless only the title matched. */
  snippet: z.nullable(z.string()),
  path: z.string(),
  imageUrl: z.nullable(z.string()),
  /** The type of the business, or of the business that the product or post belongs to. */
  businessType: z.nullable(BusinessTypeSchema),
  /** Such as "Denver, CO". */
  location: z.nullable(z.string()),
  /** Null for anything but a business with ratings. */
  rating: z.nullable(z.object({ average: z.number(), count: z.int() })),
  /** Only in searches with `place` or `near`. Null for results without a pin. */
  distanceMiles: z.nullable(z.number()),
  /** How precise the pin of the business, or of the product's business, is. Null for all other results. */
  precision: z.nullable(Precision),
  /** For posts, the publication time. */
  createdAt: z.nullable(z.iso.datetime()),
  isDemo: z.boolean(),
  /** A closed business is found only by its exact name and listed after open ones. */
  isClosed: z.boolean(),
  /** Found by similar spelling. */
  isAlike: z.boolean(),
  /** Matches in `title`: sorted, non-overlapping ranges with start and end in UTF-16 code units. */
  matched: z.array(z.tuple([z.int(), z.int()])),
})
export type SearchHit = z.infer<typeof SearchHit>

/** Where the person is. Among equally good matches, the nearest come first. */
const near = nearPlace

/** Counting stops here; `isCapped` marks larger numbers. */
export const searchCountCap = 1000

const Counted = { count: z.int(), isCapped: z.boolean() }

export const SearchFacets = z.object({
  /** If `isAlike`, `count` is the number of results with similar spelling, because none of this kind match the words as typed. */
  kinds: z.array(z.object({ kind: SearchKind, ...Counted, isAlike: z.boolean() })),
  /** For the businesses found, most frequent first. */
  states: z.array(z.object({ state: z.string(), ...Counted })),
  businessTypes: z.array(z.object({ businessType: BusinessTypeSchema, ...Counted })),
  /** If the viewer is too young for some of the matching products, the lowest age at which people may see more of them. */
  productAge: z.nullable(z.int()),
})
export type SearchFacets = z.infer<typeof SearchFacets>

export const maxSuggestions = 8

const q = line(maxSearchLength, 'Enter something to search for')

/** A place limits results to businesses and their products or, if it is a state, also to their posts. */
const filters = {
  q,
  /** "Denver, CO", a ZIP code, a state, or `latitude,longitude`. */
  place: z.optional(z.string().check(z.trim(), z.maxLength(120), withoutNul)),
  /** Miles around `place`; 25 by default. */
  radius: z.optional(numeric(z.number().check(z.minimum(1), z.maximum(500)))),
  /** Two letters. Limits results to businesses, their products and their posts. */
  state: z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'Must be a two-letter state code'))),
  /** Limits results to businesses, their products and their posts. */
  businessType: z.optional(BusinessTypeSchema),
}

export const search = endpoint({
  method: 'GET',
  path: '/api/search',
  summary: 'Search businesses, products, posts, people, communities and strains, best match first',
  tag: 'Search',
  access: 'member',
  paginated: true,
  query: z.object({ ...page, ...filters, kind: z.optional(SearchKind), near }),
  response: z.array(SearchHit),
})

export const getSearchFacets = endpoint({
  method: 'GET',
  path: '/api/search/facets',
  summary: "Count a search's results by kind, and its businesses by state and type",
  tag: 'Search',
  access: 'member',
  query: z.object(filters),
  response: SearchFacets,
})

export const suggestHits = endpoint({
  method: 'GET',
  path: '/api/search/suggestions',
  summary: 'Suggest up to eight results by name as someone types',
  tag: 'Search',
  access: 'member',
  query: z.object({ q, near }),
  response: z.array(SearchHit),
})

export const Place = z.object({
  id: z.string(),
  kind: z.enum(['city', 'zip', 'state']),
  /** Such as "Denver, CO". */
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
  summary: 'Find places whose name or ZIP code begins with the given text, largest first',
  tag: 'Places',
  access: 'public',
  query: z.object({ q: z.string().check(z.trim(), z.minLength(1), z.maxLength(80), withoutNul) }),
  response: z.array(Place),
})

const query = z.object({ q: line(80), limit: z._default(wholeNumber(1, 20), 8) })

export const suggestStrains = endpoint({
  method: 'GET',
  path: '/api/strains',
  summary: 'Find strains whose name begins with or contains the given text',
  tag: 'Strains',
  access: 'member',
  query,
  response: z.array(z.object({ name: z.string(), type: z.nullable(z.string()), breeder: z.nullable(z.string()) })),
})

export const suggestBreeders = endpoint({
  method: 'GET',
  path: '/api/breeders',
  summary: 'Find breeders whose names contain the given text. Names that begin with it come first.',
  tag: 'Strains',
  access: 'member',
  query,
  response: z.array(z.object({ name: z.string() })),
})

const MentionSuggestion = z.object({
  kind: z.enum(['person', 'business']),
  id: Id,
  name: z.string(),
  imageUrl: z.nullable(z.string()),
  businessType: z.nullable(BusinessTypeSchema),
  /** A place that distinguishes people or businesses with the same name. */
  detail: z.nullable(z.string()),
})
export type MentionSuggestion = z.infer<typeof MentionSuggestion>

export const suggestMentions = endpoint({
  method: 'GET',
  path: '/api/mention-suggestions',
  summary: 'Suggest people and businesses to mention; in a community that not everyone can read, only its members',
  tag: 'Posts',
  access: 'member',
  query: z.object({
    q: line(60, 'Type a name'),
    communityId: z.optional(Id),
  }),
  response: z.array(MentionSuggestion),
})
