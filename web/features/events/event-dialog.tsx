import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MyBusiness } from '../../../contracts/businesses.ts'
import { type BusinessEvent, createEvent, type EventDetails, editEvent } from '../../../contracts/events.ts'
import { call } from '../../lib/call.ts'
import { Dialog, DialogContent } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast-store.ts'
import { locationsOptions } from '../locations/locations.api.ts'
import { formDialog } from '../menus/form-dialog.ts'
import { creationKey, dropCreationKey } from '../onboarding/creation-key.ts'
import { EventForm } from './event-form.tsx'
import { blankEvent, valuesOfEvent } from './event-values.ts'
import { eventHasChanged } from './events.api.ts'

type EventDialogProps = { business: MyBusiness; event: BusinessEvent | null; onClose: () => void }

/** The form of an event, or of a new one. */
export function EventDialog({ business, event, onClose }: EventDialogProps) {
  const client = useQueryClient()
  const locations = useQuery(locationsOptions(business.id))
  const subject = `event.${event?.id ?? `new.${business.id}`}`
  async function save(details: EventDetails) {
    const saved = event
      ? await call(editEvent, { params: { id: event.id }, body: details })
      : await call(createEvent, { params: { id: business.id }, body: details }, { idempotencyKey: creationKey(subject, details) })
    if (!event) dropCreationKey(subject)
    eventHasChanged(client, saved.id, saved)
    if (saved.moderation === 'held') {
      toast({ title: 'Waiting for a moderator', description: 'A moderator looks at the event before others see it.' })
    } else toast({ title: event ? 'Event saved' : 'Event published' })
    onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={event ? 'Edit event' : 'New event'} size="lg" {...formDialog(event === null)}>
        <Loaded
          query={locations}
          loadingLabel="Loading the locations..."
          skeleton={
            <span className="grid gap-5">
              <Skeleton className="h-16" />
              <Skeleton className="h-32" />
              <Skeleton className="h-16" />
            </span>
          }
          failure="The locations could not be loaded"
        >
          {(all) => (
            <EventForm
              business={business}
              locations={all}
              subject={subject}
              initial={event ? valuesOfEvent(event) : blankEvent(all[0] ?? { id: '', timeZone: 'Etc/UTC' })}
              submitText={event ? 'Save event' : 'Publish event'}
              onSubmit={save}
              onCancel={onClose}
            />
          )}
        </Loaded>
      </DialogContent>
    </Dialog>
  )
}
