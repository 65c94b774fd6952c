import { queryOptions } from '@tanstack/react-query'
import { getActivity, listFeatured, listTrending } from '#contracts/home.ts'
import { call, queryKey } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const trendingOptions = queryOptions({
  queryKey: queryKey(listTrending),
  queryFn: ({ signal }) => call(listTrending, {}, { signal }),
})

export const featuredOptions = queryOptions({
  queryKey: queryKey(listFeatured),
  queryFn: ({ signal }) => call(listFeatured, {}, { signal }),
})

export const activityOptions = queryOptions({
  queryKey: queryKey(getActivity),
  queryFn: ({ signal }) => call(getActivity, {}, { signal }),
  meta: othersChange,
})
