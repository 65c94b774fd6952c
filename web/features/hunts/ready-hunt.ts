import type { QueryClient } from '@tanstack/react-query'
import { growthOptions, logsOptions, plantsOptions } from '../grow-logs/grow-logs.api.ts'
import { recordsOptions, traitsOptions } from '../traits/traits.api.ts'
import { huntOptions } from './hunts.api.ts'

/** Fresh enough not to be read again at every look at the list. */
const staleTime = 5 * 60_000

/** Reads what a hunt is opened, logged and scored from, one after the other, so that this device keeps it. */
export async function readyHunt(client: QueryClient, id: string): Promise<void> {
  await client.prefetchQuery({ ...huntOptions(id), staleTime })
  await client.prefetchQuery({ ...plantsOptions(id), staleTime })
  await client.prefetchQuery({ ...growthOptions(id), staleTime })
  await client.prefetchInfiniteQuery({ ...logsOptions(id), staleTime })
  await client.prefetchQuery({ ...recordsOptions(id), staleTime })
  await client.prefetchQuery({ ...traitsOptions(id), staleTime })
}
