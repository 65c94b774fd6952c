import type { BusinessEvent } from '#contracts/events.ts'
import type { Db } from '#server/db/connect.ts'
import { toBusinessByline, type Viewer } from '#server/features/posts/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import { roleMay } from '#server/features/team/index.ts'
import { notFound } from '#server/kernel/errors.ts'
import { type EventRow, eventRows } from './events.queries.ts'

/** Loads the events visible to the viewer, in the order of `ids`, without the parts hidden from them. */
export async function loadEvents(db: Db, viewer: Viewer, ids: readonly string[]): Promise<BusinessEvent[]> {
  if (ids.length === 0) return []
  const rows = await eventRows(db, viewer, ids)
  const reasons = await reasonsOf(db, 'event', rows)
  const events = new Map(rows.map((row) => [row.id, toEvent(row, viewer.now, reasons.get(row.id) ?? [])]))
  return ids.flatMap((id) => events.get(id) ?? [])
}

/** @throws AppError not_found if it is missing or not visible to the viewer */
export async function readEvent(db: Db, viewer: Viewer, id: string): Promise<BusinessEvent> {
  const [event] = await loadEvents(db, viewer, [id])
  if (!event) throw eventNotFound()
  return event
}

export const eventNotFound = () => notFound('Event not found.')

function toEvent(row: EventRow, now: Date, heldFor: string[]): BusinessEvent {
  const business = toBusinessByline(row)
  if (!business) throw new Error(`Event ${row.id} has no business.`)
  return {
    id: row.id,
    business,
    title: row.title,
    audience: row.audience,
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at.toISOString(),
    timeZone: row.time_zone,
    isLocked: row.is_locked,
    description: row.description ?? '',
    place: row.city === null ? null : { locationId: row.location_id, venue: row.venue, address: row.address, city: row.city },
    capacity: row.capacity,
    goingCount: row.going_count ?? 0,
    isGoing: row.is_going,
    canceledAt: row.canceled_at?.toISOString() ?? null,
    cancelNote: row.is_locked && !row.is_going ? '' : row.cancel_note,
    // No one can read removed events.
    moderation: row.moderation === 'removed' ? null : row.moderation,
    heldFor: row.moderation === 'held' ? heldFor : [],
    abilities: abilitiesOf(row, now),
  }
}

function abilitiesOf(row: EventRow, now: Date): BusinessEvent['abilities'] {
  const isPublisher = roleMay(row.role, 'posts')
  const isOn = row.canceled_at === null && row.ends_at > now
  const isFull = row.capacity !== null && (row.going_count ?? 0) >= row.capacity
  return {
    rsvp: isOn && !row.is_locked && row.moderation === null && (row.is_going || !isFull),
    edit: isPublisher && isOn,
    cancel: isPublisher && isOn,
    delete: isPublisher && row.going_count === 0,
    seeAttendees: isPublisher,
    report: row.role === null,
  }
}
