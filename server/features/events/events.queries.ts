import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { hasPlanWith } from '#server/features/billing/index.ts'
import { nearArea } from '#server/features/businesses/index.ts'
import { bylineColumns, isBlockedByBusiness, isNotBlocked } from '#server/features/people/index.ts'
import {
  businessBylineColumns,
  isBusinessVisible,
  isMember,
  plannedReaderOf,
  type Reader,
  readerOf,
  type Viewer,
} from '#server/features/posts/index.ts'
import type { TeamRole } from '#server/features/team/index.ts'
import { boxAround, distanceInSql, isInBox } from '#server/kernel/geo/distance.ts'
import { oldestAfter } from '#server/kernel/keyset.ts'
import type { NotifiedSubject } from '#server/kernel/notified-subject.ts'

export const eventReader = (viewer: Viewer): EventReader => ({ ...readerOf(viewer), now: viewer.now })

export type EventRow = Awaited<ReturnType<typeof eventRows>>[number]
export type EventKey = { id: string; starts_at: Date }
type After = readonly [startsAt: string, id: string] | null

/** The events the viewer may see, unordered. Except for the cancellation note, hidden details never leave the database. */
export function eventRows(db: Db, viewer: Viewer, ids: readonly string[]) {
  const reader = eventReader(viewer)
  const isLocked = sql.ref<boolean>('seen.is_locked')
  // A business that later became a farm also gets a farm's privacy.
  const isHiddenPlace = sql<boolean>`(businesses.type = 'farm' and not events.is_farm)`
  const unlessLocked = <Value>(column: 'description' | 'location_id' | 'city' | 'capacity' | 'going_count') =>
    sql<Value | null>`case when ${isLocked} then null else ${sql.ref(`events.${column}`)} end`
  const unlessHidden = (column: 'venue' | 'address') =>
    sql<string | null>`case when ${isLocked} or ${isHiddenPlace} then null else ${sql.ref(`events.${column}`)} end`
  return db
    .selectFrom('events')
    .innerJoin('businesses', 'businesses.id', 'events.business_id')
    .innerJoinLateral(sql<{ is_locked: boolean }>`(select ${isEventLocked(reader)} as is_locked)`.as('seen'), (join) => join.onTrue())
    .select(businessBylineColumns)
    .select([
      'events.id',
      'events.business_id',
      'events.title',
      'events.audience',
      'events.starts_at',
      'events.ends_at',
      'events.time_zone',
    ])
    .select(['events.canceled_at', 'events.cancel_note', 'events.sequence', 'events.updated_at', 'events.edited_at'])
    .select(['events.moderation', 'seen.is_locked'])
    .select([
      unlessLocked<string>('description').as('description'),
      unlessLocked<string>('location_id').as('location_id'),
      unlessLocked<string>('city').as('city'),
      unlessLocked<number>('capacity').as('capacity'),
      unlessLocked<number>('going_count').as('going_count'),
      unlessHidden('venue').as('venue'),
      unlessHidden('address').as('address'),
      isGoing(reader.id).as('is_going'),
      remindAtOf(reader.id).as('remind_at'),
      roleIn(viewer.id).as('role'),
    ])
    .where(sql<boolean>`events.id = ${pageIds(ids)}`)
    .where(isEventVisible(reader))
    .execute()
}

/** Null for people outside the team. */
const roleIn = (userId: string) => sql<TeamRole | null>`(
  select role from business_members where business_members.business_id = events.business_id and business_members.user_id = ${userId}::uuid)`

/** The lower bound excludes no current event, because events last at most 14 days. Without it, every past event would be read. */
const isUpcoming = (now: Date) =>
  sql<boolean>`(events.ends_at > ${now}::timestamptz and events.starts_at > ${now}::timestamptz - interval '15 days')`

const isAfter = (after: After) =>
  after === null ? sql<boolean>`true` : sql<boolean>`(events.starts_at, events.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`

const upcomingKeys = (db: Db, viewer: Viewer, after: After, limit: number) =>
  db
    .selectFrom('events')
    .innerJoin('businesses', 'businesses.id', 'events.business_id')
    .select(['events.id', 'events.starts_at'])
    .where(isUpcoming(viewer.now))
    .where(isAfter(after))
    .orderBy('events.starts_at')
    .orderBy('events.id')
    .limit(limit)

/** Includes canceled events, so that people who planned to go find out. The team also sees held and hidden ones. */
export const businessEventKeys = (db: Db, viewer: Viewer, businessId: string, after: After, limit: number): Promise<EventKey[]> =>
  upcomingKeys(db, viewer, after, limit)
    .where('events.business_id', '=', businessId)
    .where(isEventVisible(eventReader(viewer)))
    .execute()

type Filter = { near?: string | undefined; radiusMiles: number; following: boolean }

/** @throws AppError invalid_input if `near` is an unknown place */
export async function eventKeys(db: Db, viewer: Viewer, filter: Filter, after: After, limit: number): Promise<EventKey[]> {
  const reader = eventReader(viewer)
  // Searching near a place would reveal the place of a locked event.
  const isFoundNear =
    filter.near === undefined ? null : sql<boolean>`(${isEventOpen(reader)} and ${isNear(filter.near, filter.radiusMiles)})`
  return (
    upcomingKeys(db, viewer, after, limit)
      .where('events.moderation', 'is', null)
      .where('events.canceled_at', 'is', null)
      // No one can visit a business that closed for good, but people who planned to go still find its event.
      .where(sql<boolean>`(businesses.closure is distinct from 'permanent' or ${isGoing(reader.id)})`)
      .where(isFoundNear ?? isEventVisible(reader))
      .$if(filter.following, (query) => query.where(isFollowedOrAttended(viewer, isFoundNear, after, limit)))
      .execute()
  )
}

/**
 * The next events of each followed business and those the viewer is going to, as a list of IDs: an OR of the two conditions would scan all
 * upcoming events. Without `near`, whether these events are visible depends only on their business; with it, each is checked before the
 * limit, because pages would otherwise come up short.
 */
const isFollowedOrAttended = (
  { id, now }: Viewer,
  isFoundNear: RawBuilder<boolean> | null,
  after: After,
  limit: number,
) => sql<boolean>`events.id = any(array(
  select upcoming.id from business_follows cross join lateral (
    select events.id from events
    where events.business_id = business_follows.business_id and events.moderation is null and events.canceled_at is null
      and ${isUpcoming(now)} and ${isAfter(after)}
      and ${isFoundNear ? sql`exists (select from businesses where businesses.id = events.business_id and ${isFoundNear})` : sql`true`}
    order by events.starts_at, events.id limit ${limit}) upcoming
  where business_follows.user_id = ${id}::uuid
  union
  select event_id from event_rsvps where user_id = ${id}::uuid))`

function isNear(near: string, radiusMiles: number) {
  const area = nearArea(near, radiusMiles, 'near')
  // A business that became a farm can't be found by the more precise pin of an older event.
  const isSearched = sql<boolean>`(events.pin_latitude is not null and (businesses.type <> 'farm' or events.is_farm))`
  if (area.radiusMiles === null) return sql<boolean>`(${isSearched} and businesses.state = ${area.state})`
  const pin = { latitude: 'events.pin_latitude', longitude: 'events.pin_longitude' }
  return sql<boolean>`(${isSearched} and ${isInBox(boxAround(area.center, area.radiusMiles), pin)}
    and ${distanceInSql(area.center, pin)} <= ${area.radiusMiles})`
}

export type LockedEvent = NonNullable<Awaited<ReturnType<typeof lockEvent>>>

/** `is_visible`, `is_locked` and `is_blocked` apply to the viewer. */
export function lockEvent(tx: Tx, viewer: Viewer, id: string) {
  const reader = eventReader(viewer)
  return tx
    .selectFrom('events')
    .innerJoin('businesses', 'businesses.id', 'events.business_id')
    .selectAll('events')
    .select([isEventVisible(reader).as('is_visible'), isEventLocked(reader).as('is_locked'), isBlocked(reader).as('is_blocked')])
    .select(roleIn(viewer.id).as('role'))
    .where('events.id', '=', id)
    .forNoKeyUpdate('events')
    .executeTakeFirst()
}

/** Excludes people hidden from the viewer by a block. */
export const attendeeRows = (db: Db, viewerId: string, eventId: string, after: After, limit: number) =>
  db
    .selectFrom('event_rsvps')
    .innerJoin('users', 'users.id', 'event_rsvps.user_id')
    .select(bylineColumns)
    .select('event_rsvps.created_at')
    .where('event_rsvps.event_id', '=', eventId)
    .where(isNotBlocked(sql`${viewerId}::uuid`, sql`users.id`))
    .$call((rows) => oldestAfter(rows, 'event_rsvps.created_at', 'event_rsvps.user_id', after))
    .limit(limit)
    .execute()

export type NotifiedEvent = { title: string; startsAt: string; timeZone: string; place: string | null; cancelNote: string | null }

/**
 * A notification of a new event is shown while the event is open to the recipient. All others are shown only while the recipient is going,
 * even outside the audience, then without the place, and a reminder only until the event starts. Once the business has closed for good,
 * only changes and cancellations are shown.
 */
export const notifiedEvents: NotifiedSubject<NotifiedEvent> = (asked, viewer) => {
  const reader = { ...plannedReaderOf(viewer), now: viewer.now }
  return sql`
    select asked.id, jsonb_build_object('title', events.title, 'startsAt', events.starts_at, 'timeZone', events.time_zone,
      'place', case when not ${isEventLocked(reader)} then concat_ws(', ', events.venue, events.address, events.city) end,
      'cancelNote', events.cancel_note) as facts
    from ${asked} asked
      join events on events.id = asked.event_id
      join businesses on businesses.id = events.business_id
    where (asked.type = 'new_event' or ${isGoing(reader.id)})
      and (asked.type <> 'event_reminder' or events.starts_at > ${viewer.now}::timestamptz)
      and (asked.type not in ('new_event', 'event_reminder') or businesses.closure is distinct from 'permanent')
      and case asked.type
        when 'event_canceled' then true
        when 'new_event' then events.canceled_at is null and not ${isEventLocked(reader)}
        else events.canceled_at is null
      end
      and ${isEventVisible(reader)}`
}

// The rules below decide who may see an event, and which parts. They apply to lists, single reads, RSVPs, calendar files, notifications and
// reports. The fragments refer to the tables `events` and `businesses` by these names.

type EventReader = Pick<Reader, 'id' | 'isOfAge'> & { now: Date }

const businessId = sql`events.business_id`
const isTeam = ({ id }: Pick<EventReader, 'id'>) => isMember(id, businessId)

/** The team sees held and hidden events, but not removed ones. */
const isShown = (reader: EventReader) => sql<boolean>`(events.moderation is null or (events.moderation <> 'removed' and ${isTeam(reader)}))`

/**
 * Events are advertising, so they are limited to people of legal age in the jurisdiction. People blocked by the business must not learn
 * where the event will be. A locked event is visible, too.
 */
export const isEventVisible = (reader: EventReader) =>
  sql<boolean>`(${isShown(reader)} and ${isBusinessVisible(reader, businessId)} and not ${isBlockedByBusiness(reader.id, businessId)}
    and coalesce(${reader.isOfAge}, false))`

/** In either direction. */
const isBlocked = ({ id }: EventReader) => sql<boolean>`(${isBlockedByBusiness(id, businessId)} or exists (
  select from business_blocks where business_blocks.user_id = ${id} and business_blocks.business_id = events.business_id))`

const subscribes = ({ id }: EventReader) => sql<boolean>`exists (
  select from subscriptions where subscriptions.user_id = ${id} and subscriptions.business_id = events.business_id)`

/** People outside the audience see the event's title and date, but not its details. */
const isEventLocked = (reader: EventReader) => sql<boolean>`case events.audience
  when 'everyone' then false
  when 'subscribers' then not (${subscribes(reader)} or ${isTeam(reader)})
  else not (${hasPlanWith('vip_events', reader.id, sql`${reader.now}`)} or ${isTeam(reader)}) end`

export const isEventOpen = (reader: EventReader) => sql<boolean>`(${isEventVisible(reader)} and not ${isEventLocked(reader)})`

const remindAtOf = (id: RawBuilder<unknown>) => sql<Date | null>`(
  select remind_at from event_rsvps where event_rsvps.event_id = events.id and event_rsvps.user_id = ${id})`

const isGoing = (id: RawBuilder<unknown>) => sql<boolean>`exists (
  select from event_rsvps where event_rsvps.event_id = events.id and event_rsvps.user_id = ${id})`
