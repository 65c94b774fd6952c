import { queryOptions } from '@tanstack/react-query'
import { getLocationRoom, listLocations } from '../../../contracts/locations.ts'
import { call, queryKey } from '../../lib/call.ts'

/** Where a business is and when it is open, its main location first. */
export const locationsOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(listLocations, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(listLocations, { params: { id: businessId } }, { signal }),
  })

/** How many locations there are and may be. Only for those who run the business. */
export const locationRoomOptions = (businessId: string) =>
  queryOptions({
    queryKey: queryKey(getLocationRoom, { params: { id: businessId } }),
    queryFn: ({ signal }) => call(getLocationRoom, { params: { id: businessId } }, { signal }),
  })
