import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { getBusiness, listBusinesses } from '../../../contracts/businesses.ts'
import { getLocationRoom, type Location, listLocations, removeLocation } from '../../../contracts/locations.ts'
import { addressOf } from '../../lib/address.ts'
import { messageOf } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { toast } from '../../ui/toast-store.ts'
import { removals } from '../posts/pending-removals.ts'

/** What shows a business's place and hours asks again. */
export function locationsHaveChanged(client: QueryClient): void {
  for (const { path } of [listLocations, getLocationRoom, getBusiness, listBusinesses]) void client.invalidateQueries({ queryKey: [path] })
}

/** Hides a location, offers an Undo, and removes it when that has passed. */
export function useRemoveLocation(businessId: string) {
  const client = useQueryClient()
  return ({ id, name }: Pick<Location, 'id' | 'name'>) => {
    const input = { params: { id: businessId, locationId: id } }
    removals.remove({
      id,
      title: `“${name}” removed`,
      commit: async () => {
        await call(removeLocation, input)
        locationsHaveChanged(client)
      },
      commitOnLeave: () => void fetch(addressOf(removeLocation, input), { method: 'DELETE', credentials: 'same-origin', keepalive: true }),
      onFailed: (error) =>
        toast({ title: 'Error', description: `The location was not removed. ${messageOf(error)}`, variant: 'destructive' }),
    })
  }
}
