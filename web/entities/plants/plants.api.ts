import type { QueryClient } from '@tanstack/react-query'
import { listGrowLogs } from '#contracts/calls/grow-logs.ts'
import { getTraitRecords } from '#contracts/calls/observations.ts'
import { listGenotypeHistory } from '#contracts/calls/plant-history.ts'
import { findPlantByCode, getGenotype, listDecisions, listGenotypes, listKeptPhenos } from '#contracts/calls/plants.ts'
import { listPlacements, listRuns } from '#contracts/calls/runs.ts'
import { getLineage, listSeedLots } from '#contracts/calls/seed-lots.ts'
import { plantsOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import { huntPaths, refreshHunts } from '#web/entities/hunts/hunts.api.ts'
import { cacheOffline } from '#web/entities/offline/cache-offline.ts'
import { callOptions, pagesOptions } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const plantByCodeOptions = (code: string) => cacheOffline(callOptions(findPlantByCode, { params: { code } }))

/** Grow logs share this query. */
export const genotypesOptions = plantsOptions

export const genotypeOptions = (huntId: string, number: number) => {
  const input = { params: { id: huntId, number: String(number) } }
  return cacheOffline({ ...callOptions(getGenotype, input), meta: othersChange })
}

export const keptPhenosOptions = cacheOffline({ ...pagesOptions(listKeptPhenos, { query: { limit: 100 } }), meta: othersChange })

export const seedLotsOptions = (huntId: string) =>
  cacheOffline({ ...callOptions(listSeedLots, { params: { id: huntId } }), meta: othersChange })

export const lineageOptions = (genotypeId: string) =>
  cacheOffline({ ...callOptions(getLineage, { params: { id: genotypeId } }), meta: othersChange })

export const runsOptions = (huntId: string) => cacheOffline({ ...callOptions(listRuns, { params: { id: huntId } }), meta: othersChange })

export const placementsOptions = (runId: string) =>
  cacheOffline({ ...callOptions(listPlacements, { params: { id: runId } }), meta: othersChange })

export const decisionsOptions = (huntId: string, genotypeId: string) => {
  const input = { params: { id: huntId }, query: { genotypeId, limit: 50 } }
  return { ...pagesOptions(listDecisions, input), meta: othersChange }
}

export const historyOptions = (genotypeId: string) => {
  const input = { params: { id: genotypeId }, query: { limit: 30 } }
  return { ...pagesOptions(listGenotypeHistory, input), staleTime: 0 }
}

/** Includes trait values, some of which are calculated from the dates of clones, and logs, whose weeks depend on when plants started. */
const ofPlants = [
  ...[listGenotypes, getGenotype, listSeedLots, getLineage, listRuns, listPlacements, listDecisions, listGenotypeHistory],
  ...[getTraitRecords, listGrowLogs],
].map(({ path }) => path)

/** For queued writes, like {@link refreshPlants}. */
export const plantPaths = [...ofPlants, ...huntPaths]

export async function refreshPlants(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ predicate: ({ queryKey: [path] }) => ofPlants.includes(path as never) }),
    refreshHunts(client),
  ])
}
