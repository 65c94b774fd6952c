import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type Control, type Resolver, useController, useForm } from 'react-hook-form'
import type { MyBusiness } from '#contracts/businesses.ts'
import { createEvent, updateEvent } from '#contracts/calls/events.ts'
import { eventAudiences } from '#contracts/choices.ts'
import { type BusinessEvent, type EventAudience, EventDetails } from '#contracts/events.ts'
import { maxEventCapacity } from '#contracts/limits.ts'
import type { Location } from '#contracts/locations.ts'
import { minuteMs } from '#contracts/time.ts'
import { heldToast } from '#web/entities/account-status/account-status-words.ts'
import { ComplianceHints } from '#web/entities/compliance/compliance-hints.tsx'
import { eventHasChanged, eventOptions } from '#web/entities/events/events.api.ts'
import { locationsOptions } from '#web/entities/locations/locations.api.ts'
import { creationKey, dropCreationKey } from '#web/forms/creation-key.ts'
import { SelectField, TextareaField, TextField } from '#web/forms/fields.tsx'
import { DialogActions, formDialog, LoadLatest } from '#web/forms/form-dialog.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { PlaceField } from '#web/forms/place-field.tsx'
import { isConflict, showServerErrors } from '#web/forms/server-errors.ts'
import { TimeZoneOptions } from '#web/forms/time-zone-options.tsx'
import { call } from '#web/lib/call.ts'
import { Dialog, DialogContent } from '#web/ui/dialog.tsx'
import { Field, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Loaded } from '#web/ui/loaded.tsx'
import { RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast-store.ts'

type EventDialogProps = { business: MyBusiness; event: BusinessEvent | null; onClose: () => void }

export function EventDialog({ business, event: opened, onClose }: EventDialogProps) {
  const client = useQueryClient()
  const locations = useQuery(locationsOptions(business.id))
  // The event as opened or, after a conflict, as someone else saved it.
  const [event, setEvent] = useState(opened)
  const [newer, setNewer] = useState<BusinessEvent | null>(null)
  const subject = `event.${event ? `${event.id}.${event.editedAt}` : `new.${business.id}`}`
  async function edit({ id, editedAt }: BusinessEvent, details: EventDetails): Promise<BusinessEvent> {
    try {
      return await call(updateEvent, { params: { id }, body: { ...details, editedAt } })
    } catch (error) {
      if (isConflict(error)) {
        const latest = await client.fetchQuery({ ...eventOptions(id), staleTime: 0 }).catch(() => null)
        if (latest && latest.editedAt !== editedAt) setNewer(latest)
      }
      throw error
    }
  }
  async function save(details: EventDetails) {
    const saved = event
      ? await edit(event, details)
      : await call(createEvent, { params: { id: business.id }, body: details }, { idempotencyKey: creationKey(subject, details) })
    if (!event) dropCreationKey(subject)
    eventHasChanged(client, saved.id, saved)
    if (saved.moderation === 'held') {
      toast(heldToast)
    } else toast({ title: event ? 'Event saved' : 'Event published' })
    onClose()
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={event ? 'Edit event' : 'New event'} size="lg" {...formDialog(event === null)}>
        <Loaded
          query={locations}
          loadingLabel="Loading locations..."
          skeleton={
            <span className="grid gap-5">
              <Skeleton className="h-16" />
              <Skeleton className="h-32" />
              <Skeleton className="h-16" />
            </span>
          }
          failure="The locations couldn’t be loaded"
        >
          {(all) => (
            <EventForm
              key={subject}
              business={business}
              locations={all}
              subject={subject}
              address={event?.place?.locationId === null ? event.place.address : null}
              initial={event ? valuesOfEvent(event) : blankEvent(all[0] ?? { id: '', timeZone: 'Etc/UTC' })}
              submitText={event ? 'Save event' : 'Publish event'}
              onSubmit={save}
              onCancel={onClose}
              conflict={
                newer && (
                  <LoadLatest
                    onLoad={() => {
                      setEvent(newer)
                      setNewer(null)
                    }}
                  />
                )
              }
            />
          )}
        </Loaded>
      </DialogContent>
    </Dialog>
  )
}

type EventFormProps = {
  business: { id: string; type: string }
  locations: readonly Location[]
  subject: string
  /** The address of a location that was removed. */
  address: string | null
  initial: EventValues
  submitText: string
  /** @throws like `call` */
  onSubmit: (details: EventDetails) => Promise<void>
  onCancel: () => void
  /** Shown with the reason why saving failed. */
  conflict: ReactNode
}

const audiences: Record<EventAudience, { title: string; description: string }> = {
  everyone: { title: 'Everyone', description: 'Your followers are notified.' },
  subscribers: { title: 'Subscribers', description: 'Others see only the title and date.' },
  vip: { title: 'VIP members', description: 'Others see only the title and date.' },
}

/** In minutes. */
const usualLength = 120

/** The form has no street field for farms. */
function EventForm({ business, locations, subject, address, initial, submitText, onSubmit, onCancel, conflict }: EventFormProps) {
  const [defaultValues] = useState(() => withDraft(subject, initial))
  const form = useForm<EventValues, unknown, EventDetails>({ defaultValues, resolver: eventResolver, mode: 'onTouched' })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject)
  const [failure, setFailure] = useState<string | null>(null)
  const [title, description, venue, timeZone, locationId] = form.watch(['title', 'description', 'venue', 'timeZone', 'locationId'])
  const isFarm = business.type === 'farm'

  const submit = form.handleSubmit(async (details) => {
    setFailure(null)
    try {
      await onSubmit(details)
      dropDraft()
    } catch (error) {
      setFailure(showServerErrors(form, error, eventFields))
    }
  })
  const moveEnd = (startsLocal: string) => {
    if (startsLocal !== '' && form.getValues('endsLocal') <= startsLocal) form.setValue('endsLocal', laterBy(startsLocal, usualLength))
  }
  const takeZone = (id: string) => {
    const location = locations.find((each) => each.id === id)
    if (location) form.setValue('timeZone', location.timeZone)
  }

  return (
    <form noValidate onSubmit={submit} aria-label="Event" className="grid gap-6">
      {/* `autoFocus`, because the dialog moved focus before the form had loaded. */}
      <TextField control={control} name="title" label="Title" maxLength={120} autoComplete="off" autoFocus={initial.title === ''} />
      <TextareaField control={control} name="description" label="Description" optional rows={5} maxLength={4000} />
      <div className="grid gap-4 sm:grid-cols-2">
        <StartField control={control} onPicked={moveEnd} />
        <TextField control={control} name="endsLocal" label="Ends" type="datetime-local" />
        <SelectField
          control={control}
          name="timeZone"
          label="Time zone"
          hint="Everyone sees the times in this zone."
          className="sm:col-span-2"
        >
          <TimeZoneOptions current={timeZone} />
        </SelectField>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <PlaceSelect control={control} locations={locations} onPicked={takeZone} />
        {locationId === otherPlace && (
          <PlaceField
            control={control}
            name="city"
            label="City"
            finest="city"
            hint={address ? `The event keeps its address, ${address}, unless you change the city or venue.` : undefined}
          />
        )}
        <TextField
          control={control}
          name="venue"
          label="Venue"
          optional
          maxLength={120}
          autoComplete="off"
          hint={
            isFarm
              ? 'We never show a farm’s location beyond its city. Name the venue, but not its street.'
              : 'A hall, room or address, if it’s not the same as the location.'
          }
        />
        <TextField
          control={control}
          name="capacity"
          label="Seats"
          optional
          type="number"
          inputMode="numeric"
          min={1}
          max={maxEventCapacity}
          hint="Leave empty for no limit."
        />
      </div>
      <AudienceField control={control} />
      {/* Above the hints, which can appear after the error and would push it out of view. */}
      <FormError action={conflict}>{failure}</FormError>
      <ComplianceHints words={{ kind: 'event', texts: [title, description, venue], businessId: business.id }} />
      <DialogActions
        onCancel={() => {
          dropDraft()
          onCancel()
        }}
        submitText={submitText}
        pending={formState.isSubmitting}
      />
    </form>
  )
}

// Separate components make fields register in page order, so the first invalid one gets focus.

type FieldOf = { control: Control<EventValues, unknown, EventDetails> }

function StartField({ control, onPicked }: FieldOf & { onPicked: (startsLocal: string) => void }) {
  const { field, fieldState } = useController({ control, name: 'startsLocal' })
  return (
    <Field label="Starts" error={fieldState.error?.message}>
      <Input
        type="datetime-local"
        {...field}
        onChange={(event) => {
          field.onChange(event)
          onPicked(event.target.value)
        }}
      />
    </Field>
  )
}

type PlaceSelectProps = FieldOf & { locations: readonly Location[]; onPicked: (locationId: string) => void }

function PlaceSelect({ control, locations, onPicked }: PlaceSelectProps) {
  const { field, fieldState } = useController({ control, name: 'locationId' })
  return (
    <Field label="Place" error={fieldState.error?.message}>
      <Select
        {...field}
        onChange={(event) => {
          field.onChange(event)
          onPicked(event.target.value)
        }}
      >
        {locations.map(({ id, name, location }) => (
          <option key={id} value={id}>
            {[name, location].filter(Boolean).join(', ')}
          </option>
        ))}
        <option value={otherPlace}>Another place</option>
      </Select>
    </Field>
  )
}

function AudienceField({ control }: FieldOf) {
  const { field, fieldState } = useController({ control, name: 'audience' })
  return (
    <RadioCards legend="Who it’s for" error={fieldState.error?.message}>
      {eventAudiences.map((value) => (
        <RadioCard
          key={value}
          {...audiences[value]}
          name={field.name}
          value={value}
          checked={field.value === value}
          onChange={() => field.onChange(value)}
        />
      ))}
    </RadioCards>
  )
}

/** Selects a place other than the business's locations. */
const otherPlace = ''

type EventValues = {
  title: string
  description: string
  audience: EventAudience
  startsLocal: string
  endsLocal: string
  timeZone: string
  /** A location's ID, or `otherPlace`. */
  locationId: string
  city: string
  venue: string
  /** Empty means unlimited. */
  capacity: string
}

/** In page order. */
const eventFields = [
  'title',
  'description',
  'startsLocal',
  'endsLocal',
  'timeZone',
  'locationId',
  'city',
  'venue',
  'capacity',
  'audience',
] as const satisfies (keyof EventValues)[]

const blankEvent = (location: { id: string; timeZone: string }): EventValues => ({
  title: '',
  description: '',
  audience: 'everyone',
  startsLocal: '',
  endsLocal: '',
  timeZone: location.timeZone,
  locationId: location.id,
  city: '',
  venue: '',
  capacity: '',
})

const valuesOfEvent = (event: BusinessEvent): EventValues => ({
  title: event.title,
  description: event.description,
  audience: event.audience,
  startsLocal: localTime(event.startsAt, event.timeZone),
  endsLocal: localTime(event.endsAt, event.timeZone),
  timeZone: event.timeZone,
  locationId: event.place?.locationId ?? otherPlace,
  city: event.place?.locationId ? '' : (event.place?.city ?? ''),
  venue: event.place?.venue ?? '',
  capacity: event.capacity === null ? '' : String(event.capacity),
})

const check = standardSchemaResolver(EventDetails) as Resolver<object, unknown, EventDetails>

const eventResolver: Resolver<EventValues, unknown, EventDetails> = (values, context, options) => {
  const isElsewhere = values.locationId === otherPlace
  const details = {
    ...values,
    locationId: isElsewhere ? null : values.locationId,
    city: isElsewhere ? values.city : '',
    capacity: values.capacity.trim() === '' ? null : Number(values.capacity),
  }
  return check(details, context, options as never) as never
}

/** "2027-03-20T18:00": wall-clock time in the zone, as `datetime-local` inputs expect. */
export function localTime(time: string, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(time))
  const { year, month, day, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${year}-${month}-${day}T${hour}:${minute}`
}

export const laterBy = (local: string, minutes: number): string =>
  new Date(Date.parse(`${local}:00Z`) + minutes * minuteMs).toISOString().slice(0, 16)
