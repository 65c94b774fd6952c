import { queryOptions } from '@tanstack/react-query'
import { getLocationRoom, listLocations } from '#contracts/locations.ts'
import { call, queryKey } from '#web/lib/call.ts'

/** A business's locations with hours, main location first. */
export const locationsOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(listLocations, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(listLocations, { params: { id: businessId } }, { signal }),
  })

/** Number and limit of locations. Only for the business's team. */
export const locationRoomOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getLocationRoom, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getLocationRoom, { params: { id: businessId } }, { signal }),
  })
