import { type RawBuilder, sql } from 'kysely'
import { hasPlanWith } from '../billing/index.ts'
import { isShutOut } from '../people/index.ts'
import { isBusinessVisible, isMember, type Reader } from '../posts/index.ts'

/**
 * Who may see an event, and what of it. Lists, single reads, RSVPs, calendar files, notifications and reports all ask here.
 *
 * The fragments speak of the tables `events` and `businesses` by these names.
 */
export type EventReader = Pick<Reader, 'id' | 'isOfAge'> & { now: Date }

const businessId = sql`events.business_id`
const isTeam = ({ id }: Pick<EventReader, 'id'>) => isMember(id, businessId)

/** What moderators took from view is there for the team, unless it was removed. */
const isShown = (reader: EventReader) => sql<boolean>`(events.moderation is null or (events.moderation <> 'removed' and ${isTeam(reader)}))`

/**
 * Whether the event is there at all: events advertise, so they are for people of the jurisdiction's age. People whom the business blocked are
 * not told where it will be. A locked event shows its title.
 */
export const isEventVisible = (reader: EventReader) =>
  sql<boolean>`(${isShown(reader)} and ${isBusinessVisible(reader, businessId)} and not ${isShutOut(reader.id, businessId)}
    and coalesce(${reader.isOfAge}, false))`

const subscribes = ({ id }: EventReader) => sql<boolean>`exists (
  select from subscriptions where subscriptions.user_id = ${id} and subscriptions.business_id = events.business_id)`

/** Outside of the event's audience: the title and the date are all there is to see. */
export const isEventLocked = (reader: EventReader) => sql<boolean>`case events.audience
  when 'everyone' then false
  when 'subscribers' then not (${subscribes(reader)} or ${isTeam(reader)})
  else not (${hasPlanWith('vip_events', reader.id, sql`${reader.now}`)} or ${isTeam(reader)}) end`

/** Visible, and every word of it. */
export const isEventOpen = (reader: EventReader) => sql<boolean>`(${isEventVisible(reader)} and not ${isEventLocked(reader)})`

export const isGoing = (id: RawBuilder<unknown>) => sql<boolean>`exists (
  select from event_rsvps where event_rsvps.event_id = events.id and event_rsvps.user_id = ${id})`
