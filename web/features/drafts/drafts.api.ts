import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getBestTimes, getDraft, listDrafts, maxDrafts } from '../../../contracts/drafts.ts'
import { call, queryKey } from '../../lib/call.ts'

/** All there are: of a business, or without one the person's own. There are never more than one page of them. */
export const draftsOptions = (businessId?: string) => {
  const query = { limit: maxDrafts, ...(businessId === undefined ? {} : { business: businessId }) }
  return queryOptions({
    queryKey: queryKey(listDrafts, { query }),
    queryFn: ({ signal }) => call(listDrafts, { query }, { signal }),
    // They go out by themselves, and colleagues change them.
    staleTime: 0,
  })
}

export const draftOptions = (id: string) =>
  queryOptions({
    queryKey: queryKey(getDraft, { params: { id } }),
    queryFn: ({ signal }) => call(getDraft, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** On the clock that the reader lives by, as all times in the app. */
export const bestTimesOptions = (businessId: string) => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const input = { params: { id: businessId }, query: { timeZone } }
  return queryOptions({ queryKey: queryKey(getBestTimes, input), queryFn: ({ signal }) => call(getBestTimes, input, { signal }) })
}

export const refreshDrafts = (client: QueryClient): Promise<unknown> => client.invalidateQueries({ queryKey: [listDrafts.path] })
