import type { QueryClient } from '@tanstack/react-query'
import { getBusiness, listBusinesses } from '#contracts/calls/businesses.ts'
import { getLocationLimit, listLocations } from '#contracts/calls/locations.ts'
import { callOptions, refreshCalls } from '#web/lib/call.ts'

/** The main location comes first. */
export const locationsOptions = (businessId: string) => callOptions(listLocations, { params: { id: businessId } })

/** Only for the owner and managers. */
export const locationRoomOptions = (businessId: string) => callOptions(getLocationLimit, { params: { id: businessId } })

export const refreshLocations = (client: QueryClient): Promise<void> =>
  refreshCalls(client, [listLocations, getLocationLimit, getBusiness, listBusinesses])
