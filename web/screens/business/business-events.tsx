import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { BusinessEvent } from '#contracts/events.ts'
import { EventRow } from '#web/entities/events/event-row.tsx'
import type { ListPage } from '#web/lib/call.ts'
import { Card } from '#web/ui/card.tsx'
import { MorePages } from '#web/ui/load-more.tsx'

/** A business's events, earliest first. */
export function BusinessEvents({ list }: { list: UseInfiniteQueryResult<{ pages: ListPage<BusinessEvent>[] }> }) {
  const events = list.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section aria-labelledby="business-events">
      <h2 id="business-events" className="text-lg">
        Upcoming events
      </h2>
      <Card asChild className="mt-3 p-2">
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
          {events.map((event) => (
            <li key={event.id}>
              <EventRow event={event} />
            </li>
          ))}
        </ul>
      </Card>
      <MorePages list={list} />
    </section>
  )
}
