import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { EventRow } from '#web/entities/events/event-row.tsx'
import { businessEventsOptions } from '#web/entities/events/events.api.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'

const EventDialog = lazyDialog(async () => (await import('./event-dialog.tsx')).EventDialog)
const AttendeesDialog = lazyDialog(async () => (await import('./event-dialogs.tsx')).AttendeesDialog)
const EndEventDialog = lazyDialog(async () => (await import('./event-dialogs.tsx')).EndEventDialog)

/** The server's page size, which most businesses never exceed. */
const atOnce = 20

type Opened = { kind: 'form'; event: BusinessEvent | null } | { kind: 'attendees' | 'end'; event: BusinessEvent }

export function EventsPage({ business }: { business: MyBusiness }) {
  const list = useInfiniteQuery({ ...businessEventsOptions(business.id, atOnce), refetchOnMount: 'always' })
  const { data: shown } = useQuery(businessOptions(business.slug))
  const [opened, setOpened] = useState<Opened | null>(null)
  const isEmpty = list.data?.pages[0]?.items.length === 0
  const mayPublish = shown?.isLicenseVerified !== false
  const create = mayPublish && (
    <Button onClick={() => setOpened({ kind: 'form', event: null })}>
      <CalendarPlus aria-hidden="true" />
      New event
    </Button>
  )
  const close = () => setOpened(null)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <h2 className="text-xl">Events</h2>
          <p className="mt-1 max-w-text text-muted text-sm">
            Followers get one notification when you publish an event. People who RSVP also get a reminder.
          </p>
        </div>
        {!isEmpty && create}
      </div>
      {!mayPublish && <LicenseFirst slug={business.slug} mayVerify={business.role !== 'staff'} />}
      <PagedList
        list={list}
        cards="whole"
        loadingLabel="Loading events..."
        skeleton={<SkeletonRow />}
        failure="The events couldn’t be loaded"
        empty={
          mayPublish && (
            <EmptyState
              title="No upcoming events"
              description="Invite people to a tasting, a tour or an evening with your growers."
              level={3}
            >
              {create}
            </EmptyState>
          )
        }
      >
        {(events) => (
          <Card asChild className="p-2">
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-1">
              {events.map((event) => (
                <li key={event.id}>
                  <EventRow event={event}>
                    <RowActions event={event} onOpen={(kind) => setOpened({ kind, event })} />
                  </EventRow>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </PagedList>
      {opened?.kind === 'form' && <EventDialog business={business} event={opened.event} onClose={close} />}
      {opened?.kind === 'attendees' && <AttendeesDialog event={opened.event} onClose={close} />}
      {opened?.kind === 'end' && <EndEventDialog event={opened.event} onClose={close} />}
    </div>
  )
}

function RowActions({ event, onOpen }: { event: BusinessEvent; onOpen: (kind: Opened['kind']) => void }) {
  const { abilities, goingCount, title } = event
  const of = <span className="sr-only"> {title}</span>
  return (
    <>
      {abilities.edit && (
        <Button variant="secondary" size="sm" onClick={() => onOpen('form')}>
          <span>Edit{of}</span>
        </Button>
      )}
      {abilities.seeAttendees && goingCount > 0 && (
        <Button variant="secondary" size="sm" onClick={() => onOpen('attendees')}>
          <span>Who’s going{of}</span>
        </Button>
      )}
      {(abilities.delete || abilities.cancel) && (
        <Button variant="quiet" size="sm" onClick={() => onOpen('end')}>
          <span>
            {abilities.delete ? 'Delete' : 'Cancel event'}
            {of}
          </span>
        </Button>
      )}
    </>
  )
}

function LicenseFirst({ slug, mayVerify }: { slug: string; mayVerify: boolean }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-sunk p-4 sm:p-5">
      <p className="max-w-text text-[0.9375rem]">
        Events count as advertising, so they require a verified license.{' '}
        {mayVerify ? 'Verify yours to publish one.' : 'The owner or a manager can verify it.'}
      </p>
      {mayVerify && (
        <Button asChild size="sm">
          <Link to="/business-dashboard/license" search={{ business: slug }}>
            Verify license
          </Link>
        </Button>
      )}
    </div>
  )
}
