import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { getSearchFacets, search, suggestHits } from '#contracts/calls/search.ts'
import type { SearchHit } from '#contracts/search.endpoints.ts'
import { call, callOptions, pagesOptions } from '#web/lib/call.ts'
import { useCurrentUser } from '#web/lib/current-user.ts'
import { type Near, nearHome } from '#web/lib/near-home.ts'
import { othersChange } from '#web/lib/query-client.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { facetsQuery, type SearchAddress, searchQuery } from './search-address.ts'

type Asked = SearchAddress & { q: string }

/** `near`: where the person is. A chosen place replaces it. */
export const resultsOptions = (address: Asked, { near }: Near) => {
  const query = { ...searchQuery(address), ...(near && !address.place ? { near } : {}) }
  return { ...pagesOptions(search, { query }), placeholderData: keepPreviousData, meta: othersChange }
}

export const facetsOptions = (address: Parameters<typeof facetsQuery>[0]) => {
  const query = facetsQuery(address)
  return { ...callOptions(getSearchFacets, { query }), placeholderData: keepPreviousData, meta: othersChange }
}

/** Whether one text is a prefix of the other, so that previous results are a good placeholder. */
const isOnTheWay = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one.toLowerCase(), other.toLowerCase()].sort((a, b) => a.length - b.length)
  return short !== '' && long.startsWith(short)
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

/**
 * Best hits for a text being typed. Keeps the previous ones while loading, and aborts outdated requests.
 */
export function useSuggestions(text: string) {
  const asked = useDebounced(text, quietMs)
  const near = nearHome(useCurrentUser())
  const query = useQuery({ ...suggestionsOptions(asked, near), enabled: asked !== '' })
  return {
    hits: text === '' ? nothing : (query.data ?? nothing),
    /** Whether the hits are for the current text. */
    isFresh: asked === text && query.isSuccess && !query.isPlaceholderData,
    hasFailed: text !== '' && query.isError && asked === text,
    retry: () => void query.refetch(),
  }
}
