import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { listDecisions } from '#contracts/decisions.ts'
import { listGenotypeHistory } from '#contracts/plant-history.ts'
import { getGenotype, listGenotypes } from '#contracts/plants.ts'
import { listPlacements, listRuns } from '#contracts/runs.ts'
import { listSeedLots } from '#contracts/seed-lots.ts'
import { plantsOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import { refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

/** All genotypes of a hunt with plants, shared with the grow logs. Collaborators edit them, too. */
export const genotypesOptions = (huntId: string) => ({ ...plantsOptions(huntId), meta: othersChange })

export const genotypeOptions = (huntId: string, number: number) => {
  const input = { params: { id: huntId, number: String(number) } }
  return cacheOffline(
    queryOptions({
      queryKey: queryKey(getGenotype, input),
      queryFn: ({ signal }) => call(getGenotype, input, { signal }),
      meta: othersChange,
    }),
  )
}

export const seedLotsOptions = (huntId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: queryKey(listSeedLots, { params: { id: huntId } }),
      queryFn: ({ signal }) => call(listSeedLots, { params: { id: huntId } }, { signal }),
      meta: othersChange,
    }),
  )

export const runsOptions = (huntId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: queryKey(listRuns, { params: { id: huntId } }),
      queryFn: ({ signal }) => call(listRuns, { params: { id: huntId } }, { signal }),
      meta: othersChange,
    }),
  )

export const placementsOptions = (runId: string) =>
  cacheOffline(
    queryOptions({
      queryKey: queryKey(listPlacements, { params: { id: runId } }),
      queryFn: ({ signal }) => call(listPlacements, { params: { id: runId } }, { signal }),
      meta: othersChange,
    }),
  )

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

export const decisionsOptions = (huntId: string, genotypeId: string) => {
  const input = { params: { id: huntId }, query: { genotypeId, limit: 50 } }
  return infiniteQueryOptions({
    queryKey: queryKey(listDecisions, input),
    queryFn: ({ pageParam, signal }) => callPage(listDecisions, input, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    meta: othersChange,
  })
}

export const historyOptions = (genotypeId: string) => {
  const input = { params: { id: genotypeId }, query: { limit: 30 } }
  return infiniteQueryOptions({
    queryKey: queryKey(listGenotypeHistory, input),
    queryFn: ({ pageParam, signal }) => callPage(listGenotypeHistory, input, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    staleTime: 0,
  })
}

const ofPlants = [listGenotypes, getGenotype, listSeedLots, listRuns, listPlacements, listDecisions, listGenotypeHistory].map(
  ({ path }) => path,
)

export async function refreshPlants(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ predicate: ({ queryKey: [path] }) => ofPlants.includes(path as never) }),
    refreshHunts(client),
  ])
}
