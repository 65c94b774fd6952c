import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { cancelEvent, deleteEvent } from '#contracts/calls/events.ts'
import type { BusinessEvent } from '#contracts/events.ts'
import { seatWords } from '#web/entities/events/event-row.tsx'
import { attendeesOptions, eventHasChanged } from '#web/entities/events/events.api.ts'
import { ApiError, messageOf } from '#web/lib/api-error.ts'
import { call } from '#web/lib/call.ts'
import { counted } from '#web/lib/format.ts'
import { Ago } from '#web/ui/ago.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog, DialogClose, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Textarea } from '#web/ui/input.tsx'
import { ListNote, PagedList } from '#web/ui/paged-list.tsx'
import { SkeletonRow } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

export function AttendeesDialog({ event, onClose }: { event: BusinessEvent; onClose: () => void }) {
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

/** Deletes an event that no one is going to. Cancels any other, with a note to the attendees. */
export const EndEventDialog = (props: EndEventDialogProps) =>
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
  const noteError = error instanceof ApiError ? error.fields.note : undefined
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
