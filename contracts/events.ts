import { eventAudiences } from './choices.ts'
import { figure, Id, line } from './fields.ts'
import { maxEventCapacity } from './limits.ts'
import { Person } from './people.ts'
import { placeName } from './place-name.ts'
import { BusinessByline } from './posts.ts'
import * as z from './zod.ts'

export const EventAudience = z.enum(eventAudiences)
export type EventAudience = z.infer<typeof EventAudience>

export const maxEventDays = 14

export const BusinessEvent = z.object({
  id: Id,
  business: BusinessByline,
  title: z.string(),
  audience: EventAudience,
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  /** IANA zone in which the event's times are shown to everyone. */
  timeZone: z.string(),
  /** The event is only for subscribers or VIP members and the viewer isn't one, so description, place and RSVPs are withheld. */
  isLocked: z.boolean(),
  /** Empty while `isLocked`. */
  description: z.string(),
  /** Null while `isLocked`. */
  place: z.nullable(
    z.object({
      /** Null if the place was entered as text. */
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
  /** When the viewer will be reminded. Null if they aren't going, have already been reminded, or responded too late for a reminder. */
  remindAt: z.nullable(z.iso.datetime()),
  canceledAt: z.nullable(z.iso.datetime()),
  cancelNote: z.string(),
  editedAt: z.nullable(z.iso.datetime()),
  /** If set, only the team and moderators can see the event. */
  moderation: z.nullable(z.enum(['held', 'hidden'])),
  /** Sentences that tell the team why the event was held. */
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

const LocalTime = z
  .string('Choose a date and time')
  .check(
    z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, { message: 'Choose a date and time', abort: true }),
    z.refine(isOnCalendar, 'This day or time doesn’t exist'),
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
    /** The IANA zone of `startsLocal` and `endsLocal`. */
    timeZone: line(64, 'Time zone is required'),
    /** The main location has the business's ID. Null uses `city` instead. */
    locationId: z._default(z.nullable(Id), null),
    /** City and state. Used only without `locationId`. */
    city: z._default(placeName(), ''),
    /** A room, hall or address. A farm must not enter its address. */
    venue: z._default(line(120), ''),
    capacity: z._default(
      z.nullable(
        z
          .int('Enter a whole number')
          .check(z.minimum(1, 'At least 1 person'), z.maximum(maxEventCapacity, `At most ${figure(maxEventCapacity)} people`)),
      ),
      null,
    ),
  })
  .check(
    z.refine(({ startsLocal, endsLocal }) => endsLocal > startsLocal, {
      path: ['endsLocal'],
      message: 'Choose an end time after the start',
    }),
    z.refine(({ locationId, city }) => locationId !== null || city !== '', { path: ['city'], message: 'City is required' }),
  )
export type EventDetails = z.infer<typeof EventDetails>

export const EventEdit = z.safeExtend(EventDetails, {
  /** The event's `editedAt` as the editor read it. If omitted, edits made since are overwritten. */
  editedAt: z.optional(z.nullable(z.iso.datetime())),
})
export type EventEdit = z.infer<typeof EventEdit>

export const Attendee = z.object({ person: Person, since: z.iso.datetime() })
export type Attendee = z.infer<typeof Attendee>
