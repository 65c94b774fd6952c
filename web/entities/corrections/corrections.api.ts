import type { QueryClient } from '@tanstack/react-query'
import { getQueueCounts } from '#contracts/calls/admin.ts'
import { getBusiness, listBusinesses } from '#contracts/calls/businesses.ts'
import { listCorrectionCases, listCorrections } from '#contracts/calls/corrections.ts'
import { listLocations } from '#contracts/calls/locations.ts'
import type { Correction } from '#contracts/corrections.endpoints.ts'
import { pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent, othersChange } from '#web/lib/query-client.ts'

export const correctionsOptions = (businessId: string) => ({
  ...pagesOptions(listCorrections, { params: { id: businessId } }),
  ...alwaysCurrent,
  meta: othersChange,
})

export const correctionCasesOptions = (state: 'open' | 'settled') => ({
  ...pagesOptions(listCorrectionCases, { query: { state } }),
  staleTime: 0,
})

/** Call after a correction has been suggested, voted on, settled or withdrawn. Applying or undoing one also changes the listing. */
export async function correctionHasChanged(client: QueryClient, correction: Pick<Correction, 'state'>): Promise<void> {
  const isListingChanged = correction.state === 'applied' || correction.state === 'undone'
  await Promise.all([
    refreshCalls(client, [listCorrections, listCorrectionCases, getQueueCounts]),
    isListingChanged && refreshCalls(client, [getBusiness, listBusinesses, listLocations]),
  ])
}
