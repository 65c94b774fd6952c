import type { QueryClient } from '@tanstack/react-query'
import { growthOptions, logsOptions, plantsOptions } from '#web/entities/grow-logs/grow-logs.api.ts'
import { huntOptions } from '#web/entities/hunts/hunts.api.ts'
import { runsOptions } from '#web/entities/plants/plants.api.ts'
import { recordsOptions, traitsOptions } from '#web/entities/traits/traits.api.ts'

/** Prefetches what opening, logging and scoring the hunt offline requires, one request after another. */
export async function readyHunt(client: QueryClient, id: string): Promise<void> {
  await client.prefetchQuery(huntOptions(id))
  await client.prefetchQuery(plantsOptions(id))
  await client.prefetchQuery(growthOptions(id))
  await client.prefetchInfiniteQuery(logsOptions(id))
  await client.prefetchQuery(recordsOptions(id))
  await client.prefetchQuery(traitsOptions(id))
  await client.prefetchQuery(runsOptions(id))
}
