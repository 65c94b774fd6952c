import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/button.tsx'
import { SkeletonRow } from '../../ui/skeleton.tsx'
import { EventRow } from '../events/event-row.tsx'
import { followedEventsOptions } from '../events/events.api.ts'
import { SideCard } from './side-card.tsx'

/** Events of followed businesses, and those the viewer is going to. */
export function EventsCard() {
  const query = useQuery(followedEventsOptions)
  return (
    <SideCard title="Events" query={query} failure="Events could not be loaded." skeleton={[1, 2].map((row) => <SkeletonRow key={row} />)}>
      {(events) =>
        events.length === 0 ? (
          <div className="grid justify-items-start gap-3">
            <p className="text-muted text-sm">Events of the businesses you follow show up here.</p>
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
