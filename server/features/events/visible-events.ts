import { type RawBuilder, sql } from 'kysely'
import { hasPlanWith } from '#server/features/billing/index.ts'
import { isShutOut } from '#server/features/people/index.ts'
import { isBusinessVisible, isMember, type Reader } from '#server/features/posts/index.ts'

/**
 * Who may see an event, and which parts. Used by lists, single reads, RSVPs, calendar files, notifications and reports.
 *
 * The fragments refer to the tables `events` and `businesses` by these names.
 */
export type EventReader = Pick<Reader, 'id' | 'isOfAge'> & { now: Date }

const businessId = sql`events.business_id`
const isTeam = ({ id }: Pick<EventReader, 'id'>) => isMember(id, businessId)

/** The team sees what moderators held or hid, but not what they removed. */
const isShown = (reader: EventReader) => sql<boolean>`(events.moderation is null or (events.moderation <> 'removed' and ${isTeam(reader)}))`

/**
 * Events are advertising, so they are limited to people of the jurisdiction's age. People blocked by the business must not
 * learn where it will be. A locked event shows its title.
 */
export const isEventVisible = (reader: EventReader) =>
  sql<boolean>`(${isShown(reader)} and ${isBusinessVisible(reader, businessId)} and not ${isShutOut(reader.id, businessId)}
    and coalesce(${reader.isOfAge}, false))`

const subscribes = ({ id }: EventReader) => sql<boolean>`exists (
  select from subscriptions where subscriptions.user_id = ${id} and subscriptions.business_id = events.business_id)`

/** Outside the event's audience, only the title and the date are visible. */
export const isEventLocked = (reader: EventReader) => sql<boolean>`case events.audience
  when 'everyone' then false
  when 'subscribers' then not (${subscribes(reader)} or ${isTeam(reader)})
  else not (${hasPlanWith('vip_events', reader.id, sql`${reader.now}`)} or ${isTeam(reader)}) end`

export const isEventOpen = (reader: EventReader) => sql<boolean>`(${isEventVisible(reader)} and not ${isEventLocked(reader)})`

export const isGoing = (id: RawBuilder<unknown>) => sql<boolean>`exists (
  select from event_rsvps where event_rsvps.event_id = events.id and event_rsvps.user_id = ${id})`
