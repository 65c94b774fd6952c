import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { BusinessEvent } from '#contracts/events.ts'
import { seatWords } from '#web/entities/events/event-words.ts'
import { attendeesOptions } from '#web/entities/events/events.api.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'

/** People who are going, for the team. */
export function AttendeesDialog({ event, onClose }: { event: BusinessEvent; onClose: () => void }) {
  const list = useInfiniteQuery(attendeesOptions(event.id))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Who’s going" description={`${event.title} · ${seatWords(event)}`}>
        <PagedList
          list={list}
          loadingLabel="Loading who’s going..."
          skeleton={<SkeletonRow />}
          failure="The list could not be loaded"
          empty={<ListNote title="No one yet" />}
        >
          {(attendees) => (
            <ul className="divide-y divide-line">
              {attendees.map(({ person, since }) => (
                <li key={person.id} className="flex items-center gap-3 py-2.5">
                  <Avatar id={person.id} name={person.name} imageUrl={person.imageUrl} />
                  <div className="min-w-0">
                    <Link
                      to="/people/$id"
                      params={{ id: person.id }}
                      className="touch-target rounded-tag font-medium wrap-anywhere hover:underline hover:underline-offset-3"
                    >
                      {person.name}
                    </Link>
                    <p className="text-muted text-sm">
                      <Ago at={since} />
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          )}
        </PagedList>
      </DialogContent>
    </Dialog>
  )
}
