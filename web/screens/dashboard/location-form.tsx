import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { MapPin, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Resolver, useController, useForm } from 'react-hook-form'
import type { BusinessType } from '#contracts/business-types.ts'
import { type Location, LocationDetails, type SpecialDay, type WeeklyHours } from '#contracts/locations.ts'
import { dayMs } from '#contracts/time.ts'
import { HoursEditor, IntervalsEditor, intervalsProblem, usualWeek, weekProblems } from '#web/entities/locations/hours-editor.tsx'
import { localMoment, specialDayWords } from '#web/entities/locations/hours-words.ts'
import { BusinessMap, type MapBox } from '#web/entities/map/index.tsx'
import { SelectField, TextField } from '#web/forms/fields.tsx'
import { DialogActions } from '#web/forms/form-dialog.tsx'
import { useDraft, withDraft } from '#web/forms/form-draft.ts'
import { PlaceField } from '#web/forms/place-field.tsx'
import { showServerErrors } from '#web/forms/server-errors.ts'
import { TimeZoneOptions } from '#web/forms/time-zone-options.tsx'
import { boot } from '#web/lib/boot.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Chip } from '#web/ui/chip.tsx'
import { Field, FieldGroup, FormError } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

type LocationFormProps = {
  type: BusinessType
  subject: string
  location: Location | null
  initial: LocationValues
  submitText: string
  /** @throws like `call` */
  onSubmit: (details: LocationDetails) => Promise<void>
  onCancel: () => void
  /** Shown with the reason why saving failed. */
  conflict: ReactNode
}

/** The form has no street field for farms. */
export function LocationForm({ type, subject, location, initial, submitText, onSubmit, onCancel, conflict }: LocationFormProps) {
  const [defaultValues] = useState(() => withDraft(subject, initial))
  const form = useForm<LocationValues, unknown, LocationDetails>({ defaultValues, resolver: locationResolver, mode: 'onTouched' })
  const { control, formState } = form
  const dropDraft = useDraft(form, subject)
  const [failure, setFailure] = useState<string | null>(null)
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
      setFailure(showServerErrors(form, error, locationFields))
    }
  })

  return (
    <form noValidate onSubmit={submit} aria-label="Location" className="grid gap-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField control={control} name="name" label="Name" maxLength={120} autoComplete="off" />
        <PlaceField control={control} name="location" finest={isFarm ? 'city' : 'zip'} />
        {!isFarm && <TextField control={control} name="address" label="Street" optional maxLength={200} autoComplete="off" />}
        <TextField control={control} name="phone" label="Phone" optional type="tel" maxLength={40} autoComplete="off" />
        <SelectField control={control} name="timeZone" label="Time zone" hint="Enter the hours below in this location’s time zone.">
          <TimeZoneOptions current={timeZone} />
        </SelectField>
      </div>
      {isFarm ? (
        <p className="max-w-text rounded-input bg-sunk px-4 py-3 text-sm">
          A farm’s pin is shown at the center of its city. We never store or show its street.
        </p>
      ) : (
        <PinField pin={pin.value} current={location?.pin ?? null} onChange={pin.onChange} />
      )}
      <FieldGroup legend="Hours" error={formState.errors.hours?.message}>
        <Checkbox name={hasHours.name} checked={hasHours.value} onChange={(event) => hasHours.onChange(event.target.checked)}>
          Set opening hours
        </Checkbox>
        {hasHours.value && <HoursEditor hours={hours.value} onChange={hours.onChange} />}
      </FieldGroup>
      {hasHours.value && (
        <FieldGroup legend="Holidays and special days" error={formState.errors.specialDays?.message}>
          <SpecialDays days={specialDays.value} timeZone={timeZone} onChange={specialDays.onChange} />
        </FieldGroup>
      )}
      <FormError action={conflict}>{failure}</FormError>
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

type Placed = { location: string; address: string; pin: Point | null }
type Saved = { location: string | null; address: string | null; pin: Point | null }
/** A changed address removes the pin, unless the person moved it. */
export function withOwnPin<Details extends Placed>(details: Details, location: Saved | null): Details {
  const isUnmoved = location?.pin && details.pin && isSamePoint(details.pin, location.pin)
  const hasMoved = details.address !== (location?.address ?? '') || details.location !== (location?.location ?? '')
  return isUnmoved && hasMoved ? { ...details, pin: null } : details
}

const isSamePoint = (a: Point, b: Point): boolean => a.latitude === b.latitude && a.longitude === b.longitude

type PinFieldProps = {
  /** Null derives the pin from the address. */
  pin: Point | null
  current: Point | null
  onChange: (pin: Point | null) => void
}

/** A saved pin may come from the license register, so its hint doesn't say who placed it. */
export function pinHint(pin: Point | null, current: Point | null): string {
  if (pin && current && isSamePoint(pin, current)) return 'This is the pin on your page. Move it if it isn’t at the door.'
  return pin ? 'You moved the pin here.' : 'We place the pin based on the address. Move it if it isn’t at the door.'
}

/** People move the map by finger, mouse or arrow keys, while the pin remains in the center. */
export function PinField({ pin, current, onChange }: PinFieldProps) {
  const [isOpen, setOpen] = useState(false)
  const [start] = useState(() => pin ?? current)
  return (
    <FieldGroup legend="Pin location" hint={pinHint(pin, current)}>
      {isOpen ? (
        <div className="relative h-72 overflow-clip rounded-input border border-line">
          <BusinessMap
            pins={[]}
            target={start ? { ...start, zoom: 14 } : undefined}
            tiles={{ url: boot.map.tileUrl ?? undefined, pmtiles: boot.map.pmtilesUrl ?? undefined }}
            label="Map: move it until the pin is at the door"
            onAreaChange={(area) => area.byPerson && onChange(centerOf(area))}
          />
          <span aria-hidden="true" className="pointer-events-none absolute inset-0 grid place-items-center">
            <MapPin className="size-9 -translate-y-1/2 fill-leaf text-on-leaf" />
          </span>
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="secondary" size="sm" onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          <MapPin aria-hidden="true" />
          {isOpen ? 'Close the map' : 'Move pin'}
        </Button>
        {pin && (
          <Button variant="quiet" size="sm" onClick={() => onChange(null)}>
            Reset to address
          </Button>
        )}
        {pin && (
          <span className="text-muted text-sm tabular-nums" role="status">
            {pin.latitude.toFixed(5)}, {pin.longitude.toFixed(5)}
          </span>
        )}
      </div>
    </FieldGroup>
  )
}

const shownHolidays = 6

type SpecialDaysProps = { days: readonly SpecialDay[]; timeZone: string; onChange: (days: SpecialDay[]) => void }

function SpecialDays({ days, timeZone, onChange }: SpecialDaysProps) {
  const today = localMoment(new Date(), timeZone).day
  const holidays = comingHolidays(today)
    .filter(({ day }) => !days.some((each) => each.day === day))
    .slice(0, shownHolidays)
  const change = (index: number, part: Partial<SpecialDay>) =>
    onChange(days.map((each, at) => (at === index ? { ...each, ...part } : each)))
  const add = (day: string, note: string) =>
    onChange([...days, { day, note, intervals: [] }].toSorted((a, b) => a.day.localeCompare(b.day)))
  const nextFree = () => {
    for (let at = Date.parse(`${today}T00:00:00Z`); ; at += dayMs) {
      const day = new Date(at).toISOString().slice(0, 10)
      if (!days.some((each) => each.day === day)) return day
    }
  }
  return (
    <div className="grid gap-3">
      {days.length > 0 && (
        <ul className="overflow-clip rounded-input border border-line">
          {days.map(({ day, note, intervals }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: typing a date changes the day with each key
            <li key={index} className="grid gap-x-2 gap-y-3 border-line px-3 py-3 not-first:border-t grid-cols-[minmax(0,1fr)_auto]">
              <div className="grid grid-cols-[minmax(0,1fr)] gap-x-3 gap-y-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
                <Field label="Day">
                  <Input
                    type="date"
                    value={day}
                    min={today}
                    onChange={(event) => {
                      const next = event.target.value
                      if (next && !days.some((each) => each.day === next)) change(index, { day: next })
                    }}
                  />
                </Field>
                <Field label="Reason" optional>
                  <Input value={note} maxLength={80} autoComplete="off" onChange={(event) => change(index, { note: event.target.value })} />
                </Field>
                <div className="sm:col-span-2">
                  <IntervalsEditor
                    name={specialDayWords(day)}
                    intervals={intervals}
                    problem={intervalsProblem(intervals)}
                    onChange={(next) => change(index, { intervals: next })}
                  />
                </div>
              </div>
              <IconButton
                label={`Remove ${note || specialDayWords(day)}`}
                size="sm"
                className="justify-self-start"
                onClick={() => onChange(days.filter((_, at) => at !== index))}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <fieldset className="flex flex-wrap gap-2">
        <legend className="mb-2 text-muted text-sm">Pick a holiday to mark it closed or set special hours.</legend>
        {holidays.map(({ day, name }) => (
          <Chip key={day} pressed={false} onClick={() => add(day, name)}>
            {name} <span className="text-muted">{specialDayWords(day).slice(5)}</span>
          </Chip>
        ))}
        <Button variant="secondary" size="sm" className="min-h-9! rounded-full!" onClick={() => add(nextFree(), '')}>
          Another day
        </Button>
      </fieldset>
    </div>
  )
}

type LocationValues = {
  name: string
  location: string
  address: string
  phone: string
  timeZone: string
  hasHours: boolean
  hours: WeeklyHours
  specialDays: SpecialDay[]
  /** Null derives the pin from the address. */
  pin: Point | null
}

/** In page order. */
const locationFields = ['name', 'location', 'address', 'phone', 'pin', 'timeZone', 'hours', 'specialDays'] as const

export const blankLocation = (timeZone: string): LocationValues => ({
  name: '',
  location: '',
  address: '',
  phone: '',
  timeZone,
  hasHours: true,
  hours: usualWeek(),
  specialDays: [],
  pin: null,
})

export const valuesOfLocation = (location: Location): LocationValues => ({
  name: location.name,
  location: location.location ?? '',
  address: location.address ?? '',
  phone: location.phone ?? '',
  timeZone: location.timeZone,
  hasHours: location.hours !== null,
  hours: location.hours ?? usualWeek(),
  specialDays: location.specialDays,
  // Someone may have set a pin on the building manually, so keep it until the address changes.
  pin: location.pin?.precision === 'premise' ? { latitude: location.pin.latitude, longitude: location.pin.longitude } : null,
})

const check = standardSchemaResolver(LocationDetails) as Resolver<object, unknown, LocationDetails>

const isWrong = ({ intervals }: SpecialDay) => intervalsProblem(intervals) !== null

/**
 * Validates against the contract and rejects overlapping hours. Without opening hours, special days aren't shown, so wrong ones are left
 * out.
 */
export const locationResolver: Resolver<LocationValues, unknown, LocationDetails> = async (values, context, options) => {
  const { hasHours, hours, ...rest } = values
  const { specialDays } = rest
  const shown = hasHours ? { hours, specialDays } : { hours: null, specialDays: specialDays.filter((day) => !isWrong(day)) }
  const checked = await check({ ...rest, ...shown }, context, options as never)
  if (!hasHours || !(weekProblems(hours).some(Boolean) || specialDays.some(isWrong))) return checked as never
  return {
    values: {},
    errors: { ...checked.errors, hours: { type: 'validate', message: 'Some hours have errors. Fix the marked ones.' } } as never,
  }
}

type Point = { latitude: number; longitude: number }

const toRadians = Math.PI / 180
const mercator = (latitude: number) => Math.asinh(Math.tan(latitude * toRadians))

/** In Web Mercator, whose center differs from the mean latitude. */
export function centerOf({ west, south, east, north }: MapBox): Point {
  const span = east < west ? east + 360 - west : east - west
  const longitude = west + span / 2
  const middle = (mercator(south) + mercator(north)) / 2
  const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6
  return { latitude: round(Math.atan(Math.sinh(middle)) / toRadians), longitude: round(longitude > 180 ? longitude - 360 : longitude) }
}

export function boxAround(points: readonly Point[]): MapBox | null {
  if (points.length === 0) return null
  const latitudes = points.map(({ latitude }) => latitude)
  const longitudes = points.map(({ longitude }) => longitude)
  const room = 0.05
  return {
    west: Math.min(...longitudes) - room,
    east: Math.max(...longitudes) + room,
    south: Math.min(...latitudes) - room,
    north: Math.max(...latitudes) + room,
  }
}

type Holiday = { day: string; name: string }

const iso = (year: number, month: number, day: number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
const weekdayOf = (year: number, month: number, day: number): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay()

/** Returns the day of the month. `weekday` 0 is Sunday, and `count` 1 is the first one. */
const nth = (year: number, month: number, weekday: number, count: number): number =>
  1 + ((weekday - weekdayOf(year, month, 1) + 7) % 7) + (count - 1) * 7

function lastMonday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return last - ((weekdayOf(year, month, last) + 6) % 7)
}

/** The actual dates of federal holidays (5 U.S.C. 6103(a)), even if they are on weekends. */
export const federalHolidays = (year: number): Holiday[] => [
  { day: iso(year, 1, 1), name: 'New Year’s Day' },
  { day: iso(year, 1, nth(year, 1, 1, 3)), name: 'Martin Luther King Jr. Day' },
  { day: iso(year, 2, nth(year, 2, 1, 3)), name: 'Presidents’ Day' },
  { day: iso(year, 5, lastMonday(year, 5)), name: 'Memorial Day' },
  { day: iso(year, 6, 19), name: 'Juneteenth' },
  { day: iso(year, 7, 4), name: 'Independence Day' },
  { day: iso(year, 9, nth(year, 9, 1, 1)), name: 'Labor Day' },
  { day: iso(year, 10, nth(year, 10, 1, 2)), name: 'Columbus Day' },
  { day: iso(year, 11, 11), name: 'Veterans Day' },
  { day: iso(year, 11, nth(year, 11, 4, 4)), name: 'Thanksgiving' },
  { day: iso(year, 12, 25), name: 'Christmas Day' },
]

export function comingHolidays(today: string): Holiday[] {
  const year = Number(today.slice(0, 4))
  return [...federalHolidays(year), ...federalHolidays(year + 1)].filter(({ day }) => day >= today).slice(0, 11)
}
