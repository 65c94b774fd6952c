import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { type BusinessEvent, type EventAudience, EventDetails } from '#contracts/events.ts'

/** Option for a place that isn't one of the business's locations. */
export const otherPlace = ''

export type EventValues = {
  title: string
  description: string
  audience: EventAudience
  startsLocal: string
  endsLocal: string
  timeZone: string
  /** A location ID, or `otherPlace`. */
  locationId: string
  city: string
  venue: string
  /** As typed; empty means unlimited. */
  capacity: string
}

/** In page order. */
export const eventFields = [
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

export const blankEvent = (location: { id: string; timeZone: string }): EventValues => ({
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

export const valuesOfEvent = (event: BusinessEvent): EventValues => ({
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

export const eventResolver: Resolver<EventValues, unknown, EventDetails> = (values, context, options) => {
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
  new Date(Date.parse(`${local}:00Z`) + minutes * 60_000).toISOString().slice(0, 16)
