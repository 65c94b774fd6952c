import { sql } from 'kysely'
import { hourMs } from '#contracts/time.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { localTime, momentOf } from '#server/kernel/time-zones.ts'
import type { EventTimes } from './event-input.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'events.remind-due': Record<string, never>
  }
}

/**
 * Reminder time for an RSVP made now: the same local time on the previous day; if that has passed, an hour before; null if
 * that has passed too.
 */
export function remindAt({ starts_at, time_zone }: Pick<EventTimes, 'starts_at' | 'time_zone'>, now: Date): Date | null {
  const { date, minute } = localTime(time_zone, starts_at)
  const dayBefore = new Date(Date.parse(`${date}T00:00:00Z`) - 24 * hourMs).toISOString().slice(0, 10)
  const times = [new Date(momentOf(time_zone, dayBefore, minute)), new Date(starts_at.getTime() - hourMs)]
  return times.find((time) => time > now) ?? null
}

const batchSize = 500

/**
 * Takes the due reminders and notifies each person once; concurrent processes get different rows. Reminders missed during
 * an outage go out late, unless the event has started.
 */
export async function remindDue(ctx: Pick<Context, 'db' | 'clock' | 'events'>): Promise<void> {
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

/** A reminder may be five minutes late, or as late as an outage lasts. It is never early or sent twice. */
export const eventSchedules: readonly JobSchedule[] = [{ name: 'events.remind-due', cron: '*/5 * * * *', data: {} }]
