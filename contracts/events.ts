import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlugParams, IdParams } from './ids.ts'
import { numeric, page } from './pagination.ts'
import { Person } from './people.ts'
import { placeName } from './place-name.ts'
import { BusinessByline } from './posts.ts'
import { line, withoutNul } from './text.ts'

export const eventAudiences = ['everyone', 'subscribers', 'vip'] as const
export const EventAudience = z.enum(eventAudiences)
export type EventAudience = z.infer<typeof EventAudience>

export const maxEventDays = 14
export const maxEventCapacity = 100_000

export const BusinessEvent = z.object({
  id: Id,
  business: BusinessByline,
  title: z.string(),
  audience: EventAudience,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** IANA zone in which the event's times are shown to everyone. */
  timeZone: z.string(),
  /** Only for subscribers or VIP members, which the viewer isn't: description, place and RSVPs are withheld. */
  isLocked: z.boolean(),
  /** Empty while `isLocked`. */
  description: z.string(),
  /** Null while `isLocked`. */
  place: z.nullable(
    z.object({
      /** One of the business's locations; null if the place was entered as text. */
      locationId: z.nullable(Id),
      venue: z.nullable(z.string()),
      /** Never set for a farm. */
      address: z.nullable(z.string()),
      /** City and state: "Denver, CO". */
      city: z.string(),
    }),
  ),
  /** Null if unlimited or `isLocked`. */
  capacity: z.nullable(z.int()),
  /** 0 while `isLocked`. */
  goingCount: z.int(),
  isGoing: z.boolean(),
  canceledAt: z.nullable(z.iso.datetime()),
  /** Reason for the cancellation; may be empty. */
  cancelNote: z.string(),
  /** Held for review or hidden by a moderator; only the team can see the event then. */
  moderation: z.nullable(z.enum(['held', 'hidden'])),
  /** If held, the reasons as sentences for the team; otherwise empty. */
  heldFor: z.array(z.string()),
  abilities: z.object({
    rsvp: z.boolean(),
    edit: z.boolean(),
    cancel: z.boolean(),
    delete: z.boolean(),
    seeAttendees: z.boolean(),
    report: z.boolean(),
  }),
})
export type BusinessEvent = z.infer<typeof BusinessEvent>

/** Local date and time at the event: "2027-03-20T18:00". */
const LocalTime = z
  .string('Choose a day and a time')
  .check(
    z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, { message: 'Choose a day and a time', abort: true }),
    z.refine(isOnCalendar, "This day or time doesn't exist"),
  )

function isOnCalendar(text: string): boolean {
  const time = new Date(`${text}:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)
}

export const EventDetails = z
  .object({
    title: line(120, 'Title is required'),
    description: z._default(line(4000), ''),
    audience: z._default(EventAudience, 'everyone'),
    startsLocal: LocalTime,
    endsLocal: LocalTime,
    /** IANA zone of `startsLocal` and `endsLocal`. */
    timeZone: line(64, 'Time zone is required'),
    /** One of the business's locations; the main one has the business's id. Null: use `city`. */
    locationId: z._default(z.nullable(Id), null),
    /** City and state, if no location is given. */
    city: z._default(placeName(), ''),
    /** A room, hall or address. For farms, without an address. */
    venue: z._default(line(120), ''),
    capacity: z._default(
      z.nullable(
        z
          .int('Enter a whole number')
          .check(z.minimum(1, 'At least 1 person'), z.maximum(maxEventCapacity, `At most ${maxEventCapacity} people`)),
      ),
      null,
    ),
  })
  .check(
    z.refine(({ startsLocal, endsLocal }) => endsLocal > startsLocal, { path: ['endsLocal'], message: 'Choose an end after the start' }),
    z.refine(({ locationId, city }) => locationId !== null || city !== '', { path: ['city'], message: 'City is required' }),
  )
export type EventDetails = z.infer<typeof EventDetails>

export const listBusinessEvents = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/events',
  summary: "List a business's events that aren't over, the next one first",
  tag: 'Events',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(BusinessEvent),
})

const isTrue = z.pipe(
  z.transform((value: unknown) => (value === 'true' ? true : value === 'false' ? false : value)),
  z.boolean('Must be true or false'),
)

export const listEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  summary: 'List events that are not over or canceled, the next one first',
  tag: 'Events',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    /** "Denver, CO", a ZIP code, or `latitude,longitude`. Finds only events whose place the viewer may see. */
    near: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(120), withoutNul)),
    /** Miles around `near`; 25 by default. */
    radius: z.optional(numeric(z.number().check(z.minimum(1), z.maximum(500)))),
    /** `true`: only events the viewer is going to or by businesses they follow. */
    following: z.optional(isTrue),
  }),
  response: z.array(BusinessEvent),
})

export const getEvent = endpoint({
  method: 'GET',
  path: '/api/events/:id',
  summary: 'Read an event; for people outside its audience, only its title and date',
  tag: 'Events',
  access: 'member',
  params: IdParams,
  response: BusinessEvent,
})

export const createEvent = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/events',
  summary: 'Publish an event and notify the followers it is for',
  tag: 'Events',
  access: 'member',
  rateLimit: 'post',
  words: 'published',
  idempotent: true,
  params: IdOrSlugParams,
  body: EventDetails,
  response: BusinessEvent,
  status: 201,
})

export const editEvent = endpoint({
  method: 'PUT',
  path: '/api/events/:id',
  summary: 'Change an event; people who are going are notified of a new time or place',
  tag: 'Events',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: EventDetails,
  response: BusinessEvent,
})

export const cancelEvent = endpoint({
  method: 'PUT',
  path: '/api/events/:id/cancellation',
  summary: 'Cancel an event and notify the people who are going. Idempotent.',
  tag: 'Events',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: z.object({ note: z._default(line(300), '') }),
  response: BusinessEvent,
})

export const deleteEvent = endpoint({
  method: 'DELETE',
  path: '/api/events/:id',
  summary: 'Delete an event that no one is going to; 409 for others, which are canceled instead',
  tag: 'Events',
  access: 'member',
  params: IdParams,
})

export const rsvpToEvent = endpoint({
  method: 'PUT',
  path: '/api/events/:id/rsvp',
  summary: 'RSVP to an event; 409 if it is full. Idempotent.',
  tag: 'Events',
  access: 'member',
  params: IdParams,
  response: BusinessEvent,
})

export const withdrawRsvp = endpoint({
  method: 'DELETE',
  path: '/api/events/:id/rsvp',
  summary: 'Withdraw your RSVP. Idempotent.',
  tag: 'Events',
  access: 'member',
  params: IdParams,
  response: BusinessEvent,
})

export const Attendee = z.object({ person: Person, since: z.iso.datetime() })
export type Attendee = z.infer<typeof Attendee>

export const listAttendees = endpoint({
  method: 'GET',
  path: '/api/events/:id/attendees',
  summary: 'List who is going, the first RSVP first; for the team',
  tag: 'Events',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(Attendee),
})

/** The calendar file (RFC 5545) of an event whose details the viewer may see. */
export const calendarFilePath = (id: string) => `/api/events/${id}/calendar.ics`
