import type { QueryClient } from '@tanstack/react-query'
import { getManagedPageExtras, getPageExtras } from '#contracts/calls/page-extras.ts'
import type { ManagedPageExtras } from '#contracts/page-extras.ts'
import { callOptions, refreshCalls } from '#web/lib/call.ts'

/** Includes what the page doesn't show. Only for the owner and managers. */
export const managedExtrasOptions = (businessId: string) => callOptions(getManagedPageExtras, { params: { id: businessId } })

/** Writes the server's response into the editor and refetches the page. */
export function extrasHaveChanged(client: QueryClient, businessId: string, extras: ManagedPageExtras): void {
  client.setQueryData(managedExtrasOptions(businessId).queryKey, extras)
  void refreshCalls(client, [getPageExtras])
}
