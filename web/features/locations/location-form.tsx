import { type FormEvent, useState } from 'react'
import { useController, useForm } from 'react-hook-form'
import type { BusinessType } from '../../../contracts/business-types.ts'
import type { Location, LocationDetails } from '../../../contracts/locations.ts'
import { messageOf } from '../../lib/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldError, FieldGroup } from '../../ui/field.tsx'
import { SelectField, TextField } from '../accounts/fields.tsx'
import { useDraft, withDraft } from '../accounts/form-draft.ts'
import { showServerErrors } from '../accounts/server-errors.ts'
import { timeZones, zoneName } from '../notifications/time-zones.ts'
import { PlaceField } from '../onboarding/place-field.tsx'
import { HoursEditor } from './hours-editor.tsx'
import { type LocationValues, locationFields, locationResolver } from './location-values.ts'
import type { Point } from './map-center.ts'
import { PinField } from './pin-field.tsx'
import { SpecialDays } from './special-days.tsx'

type LocationFormProps = {
  type: BusinessType
  /** Names what the tab remembers of it. */
  subject: string
  location: Location | null
  initial: LocationValues
  submitText: string
  /** @throws as `call` does */
  onSubmit: (details: LocationDetails) => Promise<void>
  onCancel: () => void
}

/** One location: where it is, how to reach it, when it is open. A farm's form asks for no street. */
export function LocationForm({ type, subject, location, initial, submitText, onSubmit, onCancel }: LocationFormProps) {
  const [defaultValues] = useState(() => withDraft(subject, initial))
  const form = useForm<LocationValues, unknown, LocationDetails>({ defaultValues, resolver: locationResolver, mode: 'onTouched' })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject)
  const [failure, setFailure] = useState<unknown>(null)
  const hours = useController({ control, name: 'hours' }).field
  const hasHours = useController({ control, name: 'hasHours' }).field
  const specialDays = useController({ control, name: 'specialDays' }).field
  const pin = useController({ control, name: 'pin' }).field
  const timeZone = form.watch('timeZone')
  const isFarm = type === 'farm'

  const submit = form.handleSubmit(async (details) => {
    setFailure(null)
    try {
      await onSubmit(isFarm ? { ...details, address: '', pin: null } : withOwnPin(details, location))
      dropDraft()
    } catch (error) {
      if (!showServerErrors(form, error, locationFields)) setFailure(error)
    }
  })

  return (
    <form noValidate onSubmit={(event: FormEvent) => void submit(event as never)} aria-label="Location" className="grid gap-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField control={control} name="name" label="Name" maxLength={120} autoComplete="off" />
        <PlaceField control={control} name="location" finest={isFarm ? 'city' : 'zip'} />
        {!isFarm && <TextField control={control} name="address" label="Street" optional maxLength={200} autoComplete="off" />}
        <TextField control={control} name="phone" label="Phone" optional type="tel" maxLength={40} autoComplete="off" />
        <SelectField control={control} name="timeZone" label="Time zone" hint="The hours below are in this place’s own time.">
          {timeZones(timeZone).map((zone) => (
            <option key={zone} value={zone}>
              {zoneName(zone)}
            </option>
          ))}
        </SelectField>
      </div>
      {isFarm ? (
        <p className="max-w-text rounded-input bg-sunk px-4 py-3 text-sm">
          The pin of a farm stands at its city: its street is neither asked for nor shown, to anybody.
        </p>
      ) : (
        <PinField pin={pin.value} current={location?.pin ?? null} onChange={pin.onChange} />
      )}
      <FieldGroup legend="Hours" error={formState.errors.hours?.message}>
        <Checkbox name={hasHours.name} checked={hasHours.value} onChange={(event) => hasHours.onChange(event.target.checked)}>
          Show when it is open
        </Checkbox>
        {hasHours.value && <HoursEditor hours={hours.value} onChange={hours.onChange} />}
      </FieldGroup>
      {hasHours.value && (
        <FieldGroup legend="Holidays and special days" error={formState.errors.specialDays?.message}>
          <SpecialDays days={specialDays.value} timeZone={timeZone} onChange={specialDays.onChange} />
        </FieldGroup>
      )}
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

/** A pin that nobody has moved does not outlive the address that it belongs to. */
function withOwnPin(details: LocationDetails, location: Location | null): LocationDetails {
  const isUnmoved = location?.pin && details.pin && isSamePoint(details.pin, location.pin)
  const hasMoved = details.address !== (location?.address ?? '') || details.location !== (location?.location ?? '')
  return isUnmoved && hasMoved ? { ...details, pin: null } : details
}

const isSamePoint = (a: Point, b: Point): boolean => a.latitude === b.latitude && a.longitude === b.longitude
