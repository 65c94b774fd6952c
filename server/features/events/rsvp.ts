import { sql } from 'kysely'
import type { BusinessEvent } from '#contracts/events.ts'
import { addDays, hourMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { localTime, momentOf } from '#server/kernel/time-zones.ts'
import { type LockedEvent, lockEvent } from './events.queries.ts'
import { eventNotFound, readEvent } from './read-events.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Idempotent. Locks the event, so that its last seat is taken only once.
 * @throws AppError not_found, forbidden outside its audience, conflict if it is full, canceled, over, held or hidden
 */
export function addRsvp(ctx: Ctx, actor: Actor, id: string): Promise<BusinessEvent> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const event = await lockEvent(tx, viewer, id)
    if (!event?.is_visible) throw eventNotFound()
    await add(tx, event, actor.id, now)
    return readEvent(tx, viewer, id)
  })
}

/**
 * Idempotent. People can leave an event that they can no longer see, for example because moderators hid it or its business. A block
 * between the person and the business has usually ended the RSVP already. Without an RSVP, the event looks missing.
 * @returns null for an event that the person can't see
 * @throws AppError not_found
 */
export function withdrawRsvp(ctx: Ctx, actor: Actor, id: string): Promise<BusinessEvent | null> {
  const viewer = viewerOf(actor, ctx.clock.now())
  return inTransaction(ctx.db, async (tx) => {
    const event = await lockEvent(tx, viewer, id)
    if (!event) throw eventNotFound()
    const ended = await endRsvps(tx, actor.id, [id])
    if (event.is_blocked && ended === 0) throw eventNotFound()
    return event.is_visible ? readEvent(tx, viewer, id) : null
  })
}

async function add(tx: Tx, event: LockedEvent, userId: string, now: Date): Promise<void> {
  if (event.is_locked) throw new AppError('forbidden', { message: lockedWords[event.audience] })
  const isThere = await tx
    .selectFrom('event_rsvps')
    .select('user_id')
    .where('event_id', '=', event.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (isThere) return
  if (event.canceled_at !== null) throw new AppError('conflict', { message: 'This event is canceled.' })
  if (event.ends_at <= now) throw new AppError('conflict', { message: 'This event is over.' })
  if (event.moderation !== null) throw new AppError('conflict', { message: 'You can’t RSVP to this event while moderators review it.' })
  if (event.capacity !== null && event.going_count >= event.capacity) {
    throw new AppError('conflict', { message: 'This event is full.' })
  }
  await tx
    .insertInto('event_rsvps')
    .values({ event_id: event.id, user_id: userId, created_at: now, remind_at: remindAt(event, now) })
    .execute()
  await tx
    .updateTable('events')
    .set({ going_count: event.going_count + 1 })
    .where('id', '=', event.id)
    .execute()
}

const lockedWords = {
  everyone: '',
  subscribers: 'This event is for subscribers.',
  vip: 'This event is for VIP members.',
} as const

/** @returns how many RSVPs were removed */
async function endRsvps(tx: Tx, userId: string, eventIds: readonly string[]): Promise<number> {
  if (eventIds.length === 0) return 0
  // Ordered by ID to prevent deadlocks.
  await sql`select from events where id = any(${eventIds}::uuid[]) order by id for no key update`.execute(tx)
  const { numAffectedRows } = await sql`
    with gone as (
      delete from event_rsvps where user_id = ${userId}::uuid and event_id = any(${eventIds}::uuid[]) returning event_id)
    update events set going_count = going_count - 1 where id in (select event_id from gone)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Called when a business or its owner blocks a person, or a person blocks a business. */
export async function endRsvpsWith(tx: Tx, userId: Locked<'users'>, businessIds: readonly string[]): Promise<void> {
  if (businessIds.length === 0) return
  const rows = await tx
    .selectFrom('event_rsvps')
    .innerJoin('events', 'events.id', 'event_rsvps.event_id')
    .select('events.id')
    .where('event_rsvps.user_id', '=', userId)
    .where('events.business_id', 'in', businessIds)
    .execute()
  const ids = rows.map(({ id }) => id)
  await endRsvps(tx, userId, ids)
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'events.remind-due': Record<string, never>
  }
}

/**
 * Reminder time for an RSVP made at `now`: the same local time on the previous day; if that has passed, an hour before; null if that has
 * passed too.
 */
export function remindAt({ starts_at, time_zone }: { starts_at: Date; time_zone: string }, now: Date): Date | null {
  const { date, minute } = localTime(time_zone, starts_at)
  const times = [new Date(momentOf(time_zone, addDays(date, -1), minute)), new Date(starts_at.getTime() - hourMs)]
  return times.find((time) => time > now) ?? null
}

const batchSize = 500

/**
 * Takes the due reminders and notifies each person once; concurrent processes get different rows. Reminders missed during
 * an outage go out late, unless the event has started.
 */
async function remindDue(ctx: Pick<Context, 'db' | 'clock' | 'events'>): Promise<void> {
  while ((await remindSome(ctx)) === batchSize);
}

const remindSome = ({ db, clock, events }: Pick<Context, 'db' | 'clock' | 'events'>): Promise<number> =>
  inTransaction(db, async (tx) => {
    const now = clock.now()
    const { rows } = await sql<{ event_id: string; user_id: string; starts_at: Date }>`
      with due as (
        select event_id, user_id from event_rsvps where remind_at <= ${now}::timestamptz
        order by remind_at, event_id, user_id limit ${batchSize} for update skip locked)
      update event_rsvps set remind_at = null from due join events on events.id = due.event_id
      where event_rsvps.event_id = due.event_id and event_rsvps.user_id = due.user_id
      returning event_rsvps.event_id, event_rsvps.user_id, events.starts_at`.execute(tx)
    const dueEvents = new Map<string, { startsAt: string; userIds: string[] }>()
    for (const { event_id, user_id, starts_at } of rows) {
      if (starts_at <= now) continue
      const due = dueEvents.get(event_id) ?? { startsAt: starts_at.toISOString(), userIds: [] }
      due.userIds.push(user_id)
      dueEvents.set(event_id, due)
    }
    for (const [eventId, due] of dueEvents) await events.publish(tx, 'event.due', { eventId, ...due })
    return rows.length
  })

export function eventJobs(ctx: Pick<Context, 'db' | 'clock' | 'events'>): Pick<JobHandlers, 'events.remind-due'> {
  return { 'events.remind-due': () => remindDue(ctx) }
}

/** A reminder may be up to five minutes late, or later after an outage. It is never early or sent twice. */
export const eventSchedules: readonly JobSchedule[] = [{ name: 'events.remind-due', cron: '*/5 * * * *', data: {} }]

const atOnce = 200

/** Deleting an account frees the person's seats. Events they published belong to the business. */
export const eraseRsvps: EraseStep = {
  name: 'rsvps',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const rows = await tx.selectFrom('event_rsvps').select('event_id').where('user_id', '=', userId).limit(atOnce).execute()
      const ids = rows.map((row) => row.event_id)
      return endRsvps(tx, userId, ids)
    }),
}
