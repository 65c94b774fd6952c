import type { QueryClient } from '@tanstack/react-query'
import { getEvent, listAttendees, listBusinessEvents, listEvents } from '#contracts/calls/events.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import { callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { alwaysCurrent } from '#web/lib/query-client.ts'

export const eventsAtOnce = 3

/** The page embeds the first response, keyed by the ID or slug in its address. */
export const businessEventsOptions = (idOrSlug: string, limit = eventsAtOnce) => {
  const input = { params: { id: idOrSlug }, query: { limit } }
  return { ...pagesOptions(listBusinessEvents, input), ...alwaysCurrent }
}

/** Includes events that the viewer is going to. */
export const followedEventsOptions = { ...callOptions(listEvents, { query: { following: true, limit: eventsAtOnce } }), ...alwaysCurrent }

export const eventOptions = (id: string) => ({ ...callOptions(getEvent, { params: { id } }), ...alwaysCurrent })

export const attendeesOptions = (id: string) => ({ ...pagesOptions(listAttendees, { params: { id } }), staleTime: 0 })

export function eventHasChanged(client: QueryClient, id: string, event: BusinessEvent | null): void {
  if (event) client.setQueryData(eventOptions(id).queryKey, event)
  else client.removeQueries({ queryKey: eventOptions(id).queryKey })
  void refreshCalls(client, [listBusinessEvents, listEvents])
}

export const refreshEvent = (client: QueryClient, id: string): Promise<void> =>
  client.invalidateQueries({ queryKey: eventOptions(id).queryKey })
