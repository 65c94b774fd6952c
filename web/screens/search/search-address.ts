import { type BusinessType, businessTypes } from '#contracts/business-types.ts'
import type { search as searchCall } from '#contracts/calls/search.ts'
import { searchKinds } from '#contracts/choices.ts'
import type { InputOf } from '#contracts/endpoint.ts'
import { maxSearchLength } from '#contracts/limits.ts'
import type { SearchKind } from '#contracts/search.endpoints.ts'
import { type SearchParams, textParam, wholeParam, withoutUnset, wordParam } from '#web/lib/search-params.ts'

/** The search page stores all its state in its address. */
export type SearchAddress = {
  q?: string
  kind?: SearchKind
  /** "Denver, CO", a ZIP code, or `latitude,longitude`. */
  place?: string
  /** In miles. */
  radius?: number
  state?: string
  type?: BusinessType
}

export const defaultRadius = 25

/** Drops invalid values, so old links still work. */
export function readSearchAddress(given: SearchParams): SearchAddress {
  const place = textParam(given.place, 120)
  return withoutUnset<SearchAddress>({
    q: textParam(given.q, maxSearchLength),
    kind: wordParam(given.kind, searchKinds),
    place,
    radius: place ? wholeParam(given.radius, 1, 500) : undefined,
    state: typeof given.state === 'string' && /^[a-z]{2}$/i.test(given.state) ? given.state.toUpperCase() : undefined,
    type: wordParam(given.type, businessTypes),
  })
}

/** The specification gives this URL for the landing page's search. */
export function searchUrl(text: string): string {
  return `/search?q=${encodeURIComponent(text)}`
}

type Change = { [Key in keyof SearchAddress]?: SearchAddress[Key] | undefined }

export const change = (address: SearchAddress, changes: Change): SearchAddress => withoutUnset<SearchAddress>({ ...address, ...changes })

type SearchQuery = NonNullable<InputOf<typeof searchCall>['query']>

export function searchQuery({ q, kind, ...filters }: SearchAddress & { q: string }): SearchQuery {
  return { ...facetsQuery({ q, ...filters }), ...(kind ? { kind } : {}) }
}

/** Searches all kinds, for the tabs' counts. */
export function facetsQuery({ q, place, radius, state, type }: Change & { q: string }) {
  return {
    q,
    ...(place ? { place } : {}),
    ...(place && radius && radius !== defaultRadius ? { radius } : {}),
    ...(state ? { state } : {}),
    ...(type ? { businessType: type } : {}),
  }
}

export const isFiltered = ({ place, state, type }: SearchAddress): boolean => Boolean(place || state || type)

/** Only businesses and products have a place. Posts have only the state and type of their business. */
export function filtersOf(kind: SearchKind | undefined): { place: boolean; business: boolean } {
  const isTheirs = kind === undefined || kind === 'business' || kind === 'product'
  return { place: isTheirs, business: isTheirs || kind === 'post' }
}
