import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { EventRow } from '#web/entities/events/event-row.tsx'
import { followedEventsOptions } from '#web/entities/events/events.api.ts'
import { Button } from '#web/ui/button.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { SideCard } from './side-cards.tsx'

export function EventsCard() {
  const query = useQuery(followedEventsOptions)
  return (
    <SideCard title="Events" query={query} failure="Events couldn’t be loaded." skeleton={[1, 2].map((row) => <SkeletonRow key={row} />)}>
      {(events) =>
        events.length === 0 ? (
          <div className="grid justify-items-start gap-3">
            <p className="text-muted text-sm">Events from businesses you follow appear here.</p>
            <Button asChild variant="secondary" size="sm">
              <Link to="/discover">Discover businesses</Link>
            </Button>
          </div>
        ) : (
          <ul className="-mx-2 grid grid-cols-[minmax(0,1fr)] gap-1">
            {events.map((event) => (
              <li key={event.id}>
                <EventRow event={event} showsBusiness />
              </li>
            ))}
          </ul>
        )
      }
    </SideCard>
  )
}
