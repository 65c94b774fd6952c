import type { QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { getEvent, listAttendees, listBusinessEvents, listEvents } from '#contracts/calls/events.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import { homeRadiusMiles } from '#contracts/limits.ts'
import { callOptions, pagesOptions, refreshCalls } from '#web/lib/call.ts'
import { nearHome } from '#web/lib/near-home.ts'
import { alwaysCurrent } from '#web/lib/query-client.ts'

export const eventsAtOnce = 3

/** The page embeds the first response, keyed by the ID or slug in its address. */
export const businessEventsOptions = (idOrSlug: string, limit = eventsAtOnce) => {
  const input = { params: { id: idOrSlug }, query: { limit } }
  return { ...pagesOptions(listBusinessEvents, input), ...alwaysCurrent }
}

/** Includes events that the viewer is going to. */
export const followedEventsOptions = { ...callOptions(listEvents, { query: { following: true, limit: eventsAtOnce } }), ...alwaysCurrent }

/** The list of events stores all its state in its address. */
export type EventSearch = {
  /** "Denver, CO", a ZIP code, or `latitude,longitude`. */
  near?: string | undefined
  /** In miles. */
  radius?: number | undefined
  everywhere?: true | undefined
}

/** Starts near the person's city, unless the address has a place or `everywhere`. */
export const withHome = (search: EventSearch, user: Pick<CurrentUser, 'location' | 'isLocationKnown'> | null): EventSearch =>
  (search.near ?? search.everywhere) === undefined ? { ...search, ...nearHome(user) } : search

export const foundEventsOptions = ({ near, radius = homeRadiusMiles }: EventSearch) => ({
  ...pagesOptions(listEvents, { query: near === undefined ? {} : { near, radius } }),
  ...alwaysCurrent,
})

export const eventOptions = (id: string) => ({ ...callOptions(getEvent, { params: { id } }), ...alwaysCurrent })

export const attendeesOptions = (id: string) => ({ ...pagesOptions(listAttendees, { params: { id } }), staleTime: 0 })

export function eventHasChanged(client: QueryClient, id: string, event: BusinessEvent | null): void {
  if (event) client.setQueryData(eventOptions(id).queryKey, event)
  else client.removeQueries({ queryKey: eventOptions(id).queryKey })
  void refreshCalls(client, [listBusinessEvents, listEvents])
}

export const refreshEvent = (client: QueryClient, id: string): Promise<void> =>
  client.invalidateQueries({ queryKey: eventOptions(id).queryKey })
