import { getLocationRoom, listLocations } from '#contracts/locations.ts'
import { callOptions } from '#web/lib/call-options.ts'

/** A business's locations with hours, main location first. */
export const locationsOptions = (businessId: string) => callOptions(listLocations, { params: { id: businessId } })

/** Number and limit of locations. Only for the business's team. */
export const locationRoomOptions = (businessId: string) => callOptions(getLocationRoom, { params: { id: businessId } })
