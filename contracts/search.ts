import { searchKinds } from './choices.ts'
import { BusinessTypeSchema } from './fields.ts'
import * as z from './zod.ts'

export const SearchKind = z.enum(searchKinds)
export type SearchKind = z.infer<typeof SearchKind>

export const SearchHit = z.object({
  kind: SearchKind,
  /** Unique in a list only together with `kind`. */
  id: z.string(),
  title: z.string(),
  /** Distinguishes namesakes: a business's type and place, a product's or post's business, a strain's type and breeder. */
  subtitle: z.nullable(z.string()),
  /** Plain-text excerpt around the match, unless only the title matched. */
  snippet: z.nullable(z.string()),
  path: z.string(),
  imageUrl: z.nullable(z.string()),
  /** For a business, or the business of a product or post. */
  businessType: z.nullable(BusinessTypeSchema),
  /** "Denver, CO". */
  location: z.nullable(z.string()),
  /** Only for businesses with ratings. */
  rating: z.nullable(z.object({ average: z.number(), count: z.int() })),
  /** Only in searches around a place. */
  distanceMiles: z.nullable(z.number()),
  /** For posts, the publication time. */
  createdAt: z.nullable(z.iso.datetime()),
  /** Fictional demo content. */
  isDemo: z.boolean(),
  /** Matched similarly spelled words. */
  isAlike: z.boolean(),
  /** Sorted, non-overlapping ranges of the matches in `title`, as start and end in UTF-16 code units. */
  matched: z.array(z.tuple([z.int(), z.int()])),
})
export type SearchHit = z.infer<typeof SearchHit>

/** Counting stops here; `isCapped` marks larger numbers. */
export const searchCountCap = 1000

const Counted = { count: z.int(), isCapped: z.boolean() }

export const SearchFacets = z.object({
  /** Every kind, including those without matches. */
  kinds: z.array(z.object({ kind: SearchKind, ...Counted })),
  /** For the businesses found, most frequent first. */
  states: z.array(z.object({ state: z.string(), ...Counted })),
  businessTypes: z.array(z.object({ businessType: BusinessTypeSchema, ...Counted })),
})
export type SearchFacets = z.infer<typeof SearchFacets>

export const maxSuggestions = 8
