import { type FormEvent, useState } from 'react'
import { type Control, useController, useForm } from 'react-hook-form'
import { type EventAudience, type EventDetails, eventAudiences, maxEventCapacity } from '../../../contracts/events.ts'
import type { Location } from '../../../contracts/locations.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldError } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { RadioCard, RadioCards } from '../../ui/radio-cards.tsx'
import { Select } from '../../ui/select.tsx'
import { SelectField, TextareaField, TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { showServerErrors } from '../accounts/server-errors.ts'
import { ComplianceHints } from '../compliance/compliance-hints.tsx'
import { timeZones, zoneName } from '../notifications/time-zones.ts'
import { PlaceField } from '../onboarding/place-field.tsx'
import { type EventValues, eventFields, eventResolver, laterBy, otherPlace } from './event-values.ts'

type EventFormProps = {
  business: { id: string; type: string }
  locations: readonly Location[]
  /** Names what the tab remembers of it. */
  subject: string
  initial: EventValues
  submitText: string
  /** @throws as `call` does */
  onSubmit: (details: EventDetails) => Promise<void>
  onCancel: () => void
}

const audiences: Record<EventAudience, { title: string; description: string }> = {
  everyone: { title: 'Everyone', description: 'Your followers hear of it' },
  subscribers: { title: 'Subscribers', description: 'Others see the title and date' },
  vip: { title: 'VIP members', description: 'Others see the title and date' },
}

/** As long as most last, in minutes: what an end begins with. */
const usualLength = 120

/** One event: what it is, when, where and for whom. A farm's form asks for no street. */
export function EventForm({ business, locations, subject, initial, submitText, onSubmit, onCancel }: EventFormProps) {
  const [defaultValues] = useState(() => withDraft(subject, initial))
  const form = useForm<EventValues, unknown, EventDetails>({ defaultValues, resolver: eventResolver, mode: 'onTouched' })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject)
  const [failure, setFailure] = useState<unknown>(null)
  const [title, description, venue, timeZone, locationId] = form.watch(['title', 'description', 'venue', 'timeZone', 'locationId'])
  const isFarm = business.type === 'farm'

  const submit = form.handleSubmit(async (details) => {
    setFailure(null)
    try {
      await onSubmit(details)
      dropDraft()
    } catch (error) {
      if (!showServerErrors(form, error, eventFields)) setFailure(error)
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
    <form noValidate onSubmit={(event: FormEvent) => void submit(event as never)} aria-label="Event" className="grid gap-6">
      {/* The dialog took the focus before the form was there. */}
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
          {timeZones(timeZone).map((zone) => (
            <option key={zone} value={zone}>
              {zoneName(zone)}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <PlaceSelect control={control} locations={locations} onPicked={takeZone} />
        {locationId === otherPlace && <PlaceField control={control} name="city" label="City" finest="city" />}
        <TextField
          control={control}
          name="venue"
          label="Venue"
          optional
          maxLength={120}
          autoComplete="off"
          hint={
            isFarm
              ? 'A farm is never shown more precisely than its city: name a venue, without its street.'
              : 'A hall, a room or an address, if it isn’t the location’s own.'
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
          hint="Leave it empty for no limit."
        />
      </div>
      <AudienceField control={control} />
      <ComplianceHints words={{ kind: 'event', texts: [title, description, venue], businessId: business.id }} />
      {failure !== null && (
        <div role="alert">
          <FieldError>{messageOf(failure)}</FieldError>
        </div>
      )}
      <div className="sticky -bottom-5 z-5 -mx-5 -mb-5 grid grid-cols-2 gap-2 border-line border-t bg-raised px-5 pt-4 pb-[max(1rem,env(safe-area-inset-bottom))] sm:-mx-6 sm:flex sm:justify-end sm:rounded-b-card sm:px-6">
        <Button
          variant="secondary"
          onClick={() => {
            dropDraft()
            onCancel()
          }}
        >
          Cancel
        </Button>
        <Button type="submit" pending={formState.isSubmitting} pendingText="Saving...">
          {submitText}
        </Button>
      </div>
    </form>
  )
}

// Apart, so that the form knows its fields in the order of the page, and takes the focus to the first one that is wrong.

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
