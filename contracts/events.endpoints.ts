import { endpoint } from './endpoint.ts'
import { Attendee, BusinessEvent, EventDetails, EventEdit } from './events.ts'
import { IdOrSlugParams, IdParams, line, numeric, page, withoutNul } from './fields.ts'
import * as z from './zod.ts'

export const listBusinessEvents = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/events',
  summary: "List a business's events that aren't over, soonest first",
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
  summary: "List events that aren't over or canceled, soonest first",
  tag: 'Events',
  access: 'member',
  paginated: true,
  query: z.object({
    ...page,
    /** "Denver, CO", a ZIP code, or `latitude,longitude`. Finds only events whose place the viewer may see. */
    near: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(120), withoutNul)),
    /** Miles around `near`; 25 by default. */
    radius: z.optional(numeric(z.number().check(z.minimum(1), z.maximum(500)))),
    /** `true`: only events that the viewer is going to or that a followed business hosts. */
    following: z.optional(isTrue),
  }),
  response: z.array(BusinessEvent),
})

export const getEvent = endpoint({
  method: 'GET',
  path: '/api/events/:id',
  summary: 'Read an event. People outside its audience see only its title and date.',
  tag: 'Events',
  access: 'member',
  params: IdParams,
  response: BusinessEvent,
})

export const createEvent = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/events',
  summary: 'Publish an event and notify the followers in its audience',
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

export const updateEvent = endpoint({
  method: 'PUT',
  path: '/api/events/:id',
  summary: 'Change an event and notify the people who are going of a new time or place. Returns 409 if you send an outdated `editedAt`.',
  tag: 'Events',
  access: 'member',
  words: 'published',
  params: IdParams,
  body: EventEdit,
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
  summary: 'Delete an event that no one is going to. Returns 409 for any other event; cancel it instead.',
  tag: 'Events',
  access: 'member',
  params: IdParams,
})

export const rsvpToEvent = endpoint({
  method: 'PUT',
  path: '/api/events/:id/rsvp',
  summary: "RSVP to an event. Returns 409 if it's full. Idempotent.",
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
  /** Null if you can't see the event, for example because its business is hidden. */
  response: z.nullable(BusinessEvent),
})

export const listAttendees = endpoint({
  method: 'GET',
  path: '/api/events/:id/attendees',
  summary: 'List the people who are going, in RSVP order (team only)',
  tag: 'Events',
  access: 'member',
  paginated: true,
  params: IdParams,
  query: z.object(page),
  response: z.array(Attendee),
})
