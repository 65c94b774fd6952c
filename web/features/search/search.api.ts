import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { getSearchFacets, type SearchHit, search, suggestHits } from '../../../contracts/search.ts'
import { call, callPage, type ListPage, queryKey } from '../../lib/call.ts'
import { othersChange } from '../../lib/query-client.ts'
import { facetsQuery, type SearchAddress, searchQuery } from './search-address.ts'

type Asked = SearchAddress & { q: string }

export const resultsOptions = (address: Asked) => {
  const query = searchQuery(address)
  return infiniteQueryOptions({
    queryKey: queryKey(search, { query }),
    queryFn: ({ pageParam, signal }) => callPage(search, { query }, pageParam, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: ListPage<unknown>) => next,
    placeholderData: keepPreviousData,
    meta: othersChange,
  })
}

export const facetsOptions = (address: Parameters<typeof facetsQuery>[0]) => {
  const query = facetsQuery(address)
  return queryOptions({
    queryKey: queryKey(getSearchFacets, { query }),
    queryFn: ({ signal }) => call(getSearchFacets, { query }, { signal }),
    placeholderData: keepPreviousData,
    meta: othersChange,
  })
}

/** Of two texts, one goes on where the other ends: what one found is near to what the other finds. */
const isOnTheWay = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [one.toLowerCase(), other.toLowerCase()].sort((a, b) => a.length - b.length)
  return short !== '' && long.startsWith(short)
}

export const suggestionsOptions = (q: string) =>
  queryOptions({
    queryKey: [suggestHits.path, q],
    queryFn: ({ signal }) => call(suggestHits, { query: { q } }, { signal }),
    placeholderData: (previous: SearchHit[] | undefined, before) =>
      isOnTheWay(String(before?.queryKey[1] ?? ''), q) ? previous : undefined,
    gcTime: 60_000,
  })
