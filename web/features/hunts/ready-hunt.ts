import type { QueryClient } from '@tanstack/react-query'
import { growthOptions, logsOptions, plantsOptions } from '../grow-logs/grow-logs.api.ts'
import { recordsOptions, traitsOptions } from '../traits/traits.api.ts'
import { huntOptions } from './hunts.api.ts'

/** Reads what a hunt is opened, logged and scored from, one after the other, so that this device keeps it. */
export async function readyHunt(client: QueryClient, id: string): Promise<void> {
  await client.prefetchQuery(huntOptions(id))
  await client.prefetchQuery(plantsOptions(id))
  await client.prefetchQuery(growthOptions(id))
  await client.prefetchInfiniteQuery(logsOptions(id))
  await client.prefetchQuery(recordsOptions(id))
  await client.prefetchQuery(traitsOptions(id))
}
