import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getSearchFacets, search, suggestHits } from '#contracts/calls/search.ts'
import type { SearchHit } from '#contracts/search.endpoints.ts'
import { call, callOptions, pagesOptions } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { type Near, nearHome } from '#web/lib/near-home.ts'
import { isOnTheWay, othersChange } from '#web/lib/query-client.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { facetsQuery, type SearchAddress, searchQuery } from './search-address.ts'

type Asked = SearchAddress & { q: string }

/** `near` is the person's city, unless they chose a place. */
export const resultsOptions = (address: Asked, { near }: Near) => {
  const query = { ...searchQuery(address), ...(near && !address.place ? { near } : {}) }
  return { ...pagesOptions(search, { query }), placeholderData: keepPreviousData, meta: othersChange }
}

export const facetsOptions = (address: Parameters<typeof facetsQuery>[0]) => {
  const query = facetsQuery(address)
  return { ...callOptions(getSearchFacets, { query }), placeholderData: keepPreviousData, meta: othersChange }
}

export const suggestionsOptions = (q: string, near: Near) =>
  queryOptions({
    queryKey: [suggestHits.path, q, near],
    queryFn: ({ signal }) => call(suggestHits, { query: { q, ...near } }, { signal }),
    placeholderData: (previous: SearchHit[] | undefined, before) =>
      isOnTheWay(String(before?.queryKey[1] ?? ''), q) ? previous : undefined,
    gcTime: 60_000,
  })

/** Debounce in milliseconds, shorter than the time between keystrokes. */
const quietMs = 60
const nothing: readonly SearchHit[] = []

/** Shows previous hits while loading, and aborts outdated requests. */
export function useSuggestions(text: string) {
  const asked = useDebounced(text, quietMs)
  const near = nearHome(useCurrentUser())
  const query = useQuery({ ...suggestionsOptions(asked, near), enabled: asked !== '' })
  return {
    hits: text === '' ? nothing : (query.data ?? nothing),
    isFresh: asked === text && query.isSuccess && !query.isPlaceholderData,
    hasFailed: text !== '' && query.isError && asked === text,
    retry: () => void query.refetch(),
  }
}
