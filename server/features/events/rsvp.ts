import { sql } from 'kysely'
import type { BusinessEvent } from '#contracts/events.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { viewerOf } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { type LockedEvent, lockEvent } from './events.queries.ts'
import { eventNotFound, readEvent } from './read-events.ts'
import { remindAt } from './reminders.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/**
 * Sets whether a person is going. Idempotent. Locks the event, so that its last seat is taken only once.
 * @throws AppError not_found, forbidden outside its audience, conflict if it is full, canceled or over
 */
export function changeRsvp(ctx: Ctx, actor: Actor, id: string, isGoing: boolean): Promise<BusinessEvent> {
  const now = ctx.clock.now()
  const viewer = viewerOf(actor, now)
  return inTransaction(ctx.db, async (tx) => {
    const event = await lockEvent(tx, viewer, id)
    if (!event?.is_visible) throw eventNotFound()
    if (isGoing) await add(tx, event, actor.id, now)
    else await endRsvps(tx, actor.id, [id])
    return readEvent(tx, viewer, id)
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
  if (event.moderation !== null) throw new AppError('conflict', { message: 'No one can join this event while moderators review it.' })
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

/** Removes a person's RSVPs to these events and updates the counts. Returns how many there were. */
export async function endRsvps(tx: Tx, userId: string, eventIds: readonly string[]): Promise<number> {
  if (eventIds.length === 0) return 0
  // Ordered by ID to prevent deadlocks.
  await sql`select from events where id = any(${eventIds}::uuid[]) order by id for no key update`.execute(tx)
  const { numAffectedRows } = await sql`
    with gone as (
      delete from event_rsvps where user_id = ${userId}::uuid and event_id = any(${eventIds}::uuid[]) returning event_id)
    update events set going_count = going_count - 1 where id in (select event_id from gone)`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** RSVPs that end when a business blocks a person. The caller must have locked the person. */
export async function endRsvpsWith(tx: Tx, userId: string, businessId: string): Promise<void> {
  const rows = await tx
    .selectFrom('event_rsvps')
    .innerJoin('events', 'events.id', 'event_rsvps.event_id')
    .select('events.id')
    .where('event_rsvps.user_id', '=', userId)
    .where('events.business_id', '=', businessId)
    .execute()
  await endRsvps(
    tx,
    userId,
    rows.map(({ id }) => id),
  )
}

const atOnce = 200

/** Deleting an account frees the person's seats. Events they published belong to the business. */
export const eraseRsvps: EraseStep = {
  name: 'rsvps',
  eraseSome: ({ db }, { id: userId }) =>
    inTransaction(db, async (tx) => {
      const rows = await tx.selectFrom('event_rsvps').select('event_id').where('user_id', '=', userId).limit(atOnce).execute()
      return endRsvps(
        tx,
        userId,
        rows.map((row) => row.event_id),
      )
    }),
}
