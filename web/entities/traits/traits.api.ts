import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { getTraitRecords, listObservations } from '#contracts/calls/observations.ts'
import { listHarvests, listLabResults, listTraits } from '#contracts/calls/traits.ts'
import { traitRecordsOf } from '#contracts/trait-records.ts'
import type { Trait } from '#contracts/traits.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { call, callOptions, callPage, everyPage, pagesOptions, queryKey, refreshCalls } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const traitsOptions = (huntId: string) =>
  cacheOffline({ ...callOptions(listTraits, { params: { id: huntId } }), meta: othersChange })

export const recordsOptions = (huntId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: queryKey(getTraitRecords, { params: { id: huntId } }),
      queryFn: async ({ signal }) => {
        const answer = await call(getTraitRecords, { params: { id: huntId } }, { signal })
        const { isComplete, names, me } = answer
        return { records: traitRecordsOf(answer), isComplete, names, me }
      },
      meta: othersChange,
    }),
  )

export const observationsOptions = (huntId: string, genotypeId: string, traitId: string) => {
  const input = { params: { id: huntId }, query: { genotypeId, traitId, limit: 100 } }
  return cacheOffline({ ...pagesOptions(listObservations, input), staleTime: 0 })
}

export const harvestsOptions = (huntId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: [...queryKey(listHarvests, { params: { id: huntId } }), 'all'],
      queryFn: ({ signal }) => everyPage((next) => callPage(listHarvests, { params: { id: huntId } }, next, { signal })),
      meta: othersChange,
    }),
  )

export const labResultsOptions = (huntId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: [...queryKey(listLabResults, { params: { id: huntId } }), 'all'],
      queryFn: ({ signal }) => everyPage((next) => callPage(listLabResults, { params: { id: huntId } }, next, { signal })),
      meta: othersChange,
    }),
  )

/** Call after changing traits. Every value and ranking depends on them. */
export const refreshTraits = (client: QueryClient): Promise<void> => refreshCalls(client, [listTraits, getTraitRecords])
export const refreshHarvests = (client: QueryClient): Promise<void> => refreshCalls(client, [listHarvests, getTraitRecords])
export const refreshLabResults = (client: QueryClient): Promise<void> => refreshCalls(client, [listLabResults, getTraitRecords])

export const cacheTraits = (client: QueryClient, huntId: string, traits: Trait[]): void => {
  client.setQueryData(traitsOptions(huntId).queryKey, traits)
}
