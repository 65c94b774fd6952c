import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type BusinessEvent, getEvent, listAttendees, listBusinessEvents, listEvents } from '#contracts/events.ts'
import { call, callPage, type ListPage, queryKey } from '#web/lib/call.ts'

const firstPage = null as string | null
const nextPage = ({ next }: ListPage<unknown>) => next

export const eventsAtOnce = 3

/** By id or slug, as in the page's address. The page embeds the first response. */
export const businessEventsOptions = (idOrSlug: string, limit = eventsAtOnce) => {
  const input = { params: { id: idOrSlug }, query: { limit } }
  return infiniteQueryOptions({
    queryKey: queryKey(listBusinessEvents, input),
    queryFn: ({ pageParam, signal }) => callPage(listBusinessEvents, input, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    staleTime: 0,
  })
}

/** Upcoming events of followed businesses, and those the viewer is going to. */
export const followedEventsOptions = queryOptions({
  queryKey: queryKey(listEvents, { query: { following: true, limit: eventsAtOnce } }),
  queryFn: ({ signal }) => call(listEvents, { query: { following: true, limit: eventsAtOnce } }, { signal }),
  staleTime: 0,
})

export const eventOptions = (id: string) =>
  queryOptions({
    queryKey: queryKey(getEvent, { params: { id } }),
    queryFn: ({ signal }) => call(getEvent, { params: { id } }, { signal }),
    staleTime: 0,
  })

export const attendeesOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: queryKey(listAttendees, { params: { id } }),
    queryFn: ({ pageParam, signal }) => callPage(listAttendees, { params: { id } }, pageParam, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    staleTime: 0,
  })

/** Writes the event into its cached response and refetches lists. `null` means it was deleted. */
export function eventHasChanged(client: QueryClient, id: string, event: BusinessEvent | null): void {
  if (event) client.setQueryData(eventOptions(id).queryKey, event)
  else client.removeQueries({ queryKey: eventOptions(id).queryKey })
  for (const { path } of [listBusinessEvents, listEvents]) void client.invalidateQueries({ queryKey: [path] })
}
