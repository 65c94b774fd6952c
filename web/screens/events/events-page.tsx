import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CalendarPlus } from 'lucide-react'
import { useState } from 'react'
import type { MyBusiness } from '#contracts/businesses.ts'
import { cancelEvent, deleteEvent } from '#contracts/calls/events.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import { businessOptions } from '#web/entities/businesses/businesses.api.ts'
import { EventRow, seatWords } from '#web/entities/events/event-row.tsx'
import { attendeesOptions, businessEventsOptions, eventHasChanged } from '#web/entities/events/events.api.ts'
import { fieldErrors } from '#web/forms/server-errors.ts'
import { messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog, Dialog, DialogClose, DialogContent } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { lazyDialog } from '#web/ui/lazy-overlays.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

const EventDialog = lazyDialog(async () => (await import('./event-dialog.tsx')).EventDialog)

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

function AttendeesDialog({ event, onClose }: { event: BusinessEvent; onClose: () => void }) {
  const list = useInfiniteQuery(attendeesOptions(event.id))
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title="Who’s going" description={`${event.title} · ${seatWords(event)}`}>
        <PagedList
          list={list}
          loadingLabel="Loading who’s going..."
          skeleton={<SkeletonRow />}
          failure="The list couldn’t be loaded"
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

type EndEventDialogProps = { event: BusinessEvent; onClose: () => void }

/** Deletes an event that no one is going to. Cancels any other, with an optional note to the attendees. */
const EndEventDialog = (props: EndEventDialogProps) =>
  props.event.abilities.delete ? <DeleteDialog {...props} /> : <CancelDialog {...props} />

function DeleteDialog({ event, onClose }: EndEventDialogProps) {
  const client = useQueryClient()
  const deletion = useMutation({
    mutationFn: () => call(deleteEvent, { params: { id: event.id } }),
    onSuccess: () => {
      eventHasChanged(client, event.id, null)
      toast({ title: 'Event deleted' })
      onClose()
    },
    onError: (error) => {
      toast({ title: 'The event wasn’t deleted', description: messageOf(error), variant: 'destructive' })
      // Someone may have RSVP'd in the meantime.
      eventHasChanged(client, event.id, null)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${event.title}”?`}
      confirmText="Delete event"
      onConfirm={() => deletion.mutate()}
      pending={deletion.isPending}
      pendingText="Deleting..."
    >
      No one has RSVP’d yet, so no one will be notified.
    </ConfirmDialog>
  )
}

function CancelDialog({ event, onClose }: EndEventDialogProps) {
  const client = useQueryClient()
  const [note, setNote] = useState('')
  const cancellation = useMutation({
    mutationFn: () => call(cancelEvent, { params: { id: event.id }, body: { note } }),
    onSuccess: (canceled) => {
      eventHasChanged(client, event.id, canceled)
      toast({ title: 'Event canceled', description: `We’ll notify ${counted(event.goingCount, 'person', 'people')}.` })
      onClose()
    },
  })
  const { error } = cancellation
  const noteError = fieldErrors(error).note
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={`Cancel “${event.title}”?`}
        description={`${counted(event.goingCount, 'person is', 'people are')} going and will be notified. You can’t undo this.`}
        actions={
          <>
            <DialogClose asChild>
              <Button variant="secondary">Keep event</Button>
            </DialogClose>
            <Button variant="danger" onClick={() => cancellation.mutate()} pending={cancellation.isPending} pendingText="Canceling...">
              Cancel event
            </Button>
          </>
        }
      >
        <div className="grid gap-3">
          <Field label="Note" optional hint="Why it’s canceled, and what people can do instead." error={noteError}>
            <Textarea rows={3} maxLength={300} value={note} onChange={(change) => setNote(change.target.value)} />
          </Field>
          {error && !noteError && <FormError>{messageOf(error)}</FormError>}
        </div>
      </DialogContent>
    </Dialog>
  )
}
