import * as z from 'zod/mini'
import { BusinessType } from '../../../contracts/business-types.ts'
// Types only: the router needs this file on every page, and the calls of the directory would come along into the first load.
import type { BusinessSort } from '../../../contracts/businesses.ts'

/** The router reads `search=80202` as a number; here it is text again. Empty is the same as absent. */
const text = (max: number) =>
  z.catch(
    z.optional(
      z.pipe(
        z.transform((value: unknown) => (typeof value === 'number' ? String(value) : value)),
        z.string().check(z.trim(), z.minLength(1), z.maxLength(max)),
      ),
    ),
    undefined,
  )

const isBox = (value: string) => {
  const [west, south, east, north, ...rest] = value.split(',').map(Number)
  if (west === undefined || south === undefined || east === undefined || north === undefined || rest.length > 0) return false
  return Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90 && south <= north
}

const sorts = ['highest_rated', 'distance', 'name', 'newest'] as const satisfies readonly BusinessSort[]

/** Everything that Discover shows stands in its address. A value that makes no sense is dropped: an old link still opens. */
export const DiscoverSearch = z.object({
  search: text(120),
  type: z.catch(z.optional(BusinessType), undefined),
  /** "Denver, CO", a ZIP code, or `latitude,longitude`. */
  near: text(120),
  /** Miles around `near`. */
  radius: z.catch(z.optional(z.int().check(z.minimum(1), z.maximum(500))), undefined),
  state: z.catch(z.optional(z.string().check(z.toUpperCase(), z.regex(/^[A-Z]{2}$/))), undefined),
  verified: z.catch(z.optional(z.literal(true)), undefined),
  sort: z.catch(z.optional(z.enum(sorts)), undefined),
  /** A part of the map, as `west,south,east,north`. */
  area: z.catch(z.optional(z.string().check(z.refine(isBox))), undefined),
  /** What a phone shows; a wide screen shows both. */
  view: z.catch(z.optional(z.enum(['list', 'map'])), undefined),
})
export type DiscoverSearch = z.infer<typeof DiscoverSearch>
