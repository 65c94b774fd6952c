import { type RawBuilder, sql } from 'kysely'
import { latestBirthday, utcDate } from '#contracts/age.ts'
import { topicOf } from '#contracts/notification-types.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { isEventOpen } from '#server/features/events/index.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { firstUuid } from '#server/kernel/ids.ts'
import type { JobHandlers } from '#server/kernel/jobs.ts'
import { shownAt } from './news.queries.ts'
import { literals } from './notifications.queries.ts'
import { derivedIds, queueDeliveries } from './notify.ts'
import { isWanted } from './preferences.ts'

const batchSize = 1000

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>
/** `after` is a cursor: the last person of the previous batch. */
type AnnounceEvent = { eventId: string; after?: string }
type ChangedEvent = AnnounceEvent & { sequence: number }
type DueEvent = { eventId: string; startsAt: string; userIds: string[] }

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'notifications.announce-event': AnnounceEvent
    'notifications.notify-of-changed-event': ChangedEvent
    'notifications.notify-of-canceled-event': AnnounceEvent
    'notifications.remind-of-event': DueEvent
    'notifications.deliver-event-news': AnnounceEvent
  }
}

export const eventJobs = (ctx: Ctx) =>
  ({
    'notifications.announce-event': (data) => announceEvent(ctx, data),
    'notifications.notify-of-changed-event': (data) => notifyOfChangedEvent(ctx, data),
    'notifications.notify-of-canceled-event': (data) => notifyOfCanceledEvent(ctx, data),
    'notifications.remind-of-event': (data) => remindOfEvent(ctx, data),
    'notifications.deliver-event-news': (data) => deliverEventNews(ctx, data),
  }) satisfies Partial<JobHandlers>

async function announceEvent(ctx: Ctx, data: AnnounceEvent): Promise<void> {
  const event = await findEvent(ctx.db, data.eventId)
  if (!event || event.canceled_at !== null) return
  const now = ctx.clock.now()
  const bornBy = latestBirthday(productAgeOf(event).minimumAge, utcDate(now))
  const reader = { id: sql<string>`users.id`, isOfAge: sql<boolean>`users.birthday <= ${bornBy}::date`, now }
  const last = await notifyBatch(ctx, {
    event,
    type: 'new_event',
    groupKey: `event:${event.id}`,
    doneAt: event.shown_at,
    people: sql`select user_id from business_follows where business_id = ${event.business_id}::uuid and ${isAfter(data.after)}`,
    where: sql`${isEventOpen(reader)} and events.ends_at > ${now}::timestamptz and users.id is distinct from events.created_by`,
  })
  if (last !== null) await ctx.jobs.enqueue('notifications.announce-event', { ...data, after: last })
}

/** Notifies attendees of a new time or place. No-op if the event has moved again, because the later move has its own job. */
async function notifyOfChangedEvent(ctx: Ctx, data: ChangedEvent): Promise<void> {
  const event = await findEvent(ctx.db, data.eventId)
  if (!event || event.canceled_at !== null || event.moved_sequence > data.sequence) return
  const groupKey = `event-changed:${event.id}:${data.sequence}`
  const last = await notifyBatch(ctx, { event, type: 'event_changed', groupKey, doneAt: event.updated_at, people: attendees(data) })
  if (last !== null) await ctx.jobs.enqueue('notifications.notify-of-changed-event', { ...data, after: last })
}

async function notifyOfCanceledEvent(ctx: Ctx, data: AnnounceEvent): Promise<void> {
  const event = await findEvent(ctx.db, data.eventId)
  if (!event || event.canceled_at === null) return
  const groupKey = `event-canceled:${event.id}`
  const last = await notifyBatch(ctx, { event, type: 'event_canceled', groupKey, doneAt: event.canceled_at, people: attendees(data) })
  if (last !== null) await ctx.jobs.enqueue('notifications.notify-of-canceled-event', { ...data, after: last })
}

/** Reminds attendees once for each start time. No-op if the event has moved, because the new time has its own reminders. */
async function remindOfEvent(ctx: Ctx, { eventId, startsAt, userIds }: DueEvent): Promise<void> {
  const event = await findEvent(ctx.db, eventId)
  if (!event || event.canceled_at !== null || event.starts_at.toISOString() !== startsAt || event.starts_at <= ctx.clock.now()) return
  const groupKey = `event-reminder:${event.id}:${startsAt}`
  const people = sql`select user_id from event_rsvps where event_id = ${event.id}::uuid and user_id = any(${userIds}::uuid[])`
  await notifyBatch(ctx, { event, type: 'event_reminder', groupKey, doneAt: null, people })
}

const newsTypes = ['event_changed', 'event_canceled', 'event_reminder'] as const

/**
 * Queues emails and pushes about what happened to an event while moderators held or hid it. Its attendees have been notified, but it
 * wasn't shown when their emails and pushes were due.
 */
async function deliverEventNews(ctx: Ctx, { eventId, after }: AnnounceEvent): Promise<void> {
  const userIds = await inTransaction(ctx.db, async (tx) => {
    const { rows } = await sql<{ user_id: string }>`
      select distinct user_id from notifications
      where event_id = ${eventId}::uuid and type in (${literals(newsTypes)}) and not is_read
        and (mailed_at is null or pushed_at is null) and ${isAfter(after)}
      order by user_id limit ${batchSize}`.execute(tx)
    const unsent = rows.map(({ user_id }) => user_id)
    // Emails and pushes leave out older news, but this wasn't shown until now.
    await sql`
      update notifications set created_at = ${ctx.clock.now()}::timestamptz
      where user_id = any(${unsent}::uuid[]) and event_id = ${eventId}::uuid and type in (${literals(newsTypes)}) and not is_read
        and (mailed_at is null or pushed_at is null)`.execute(tx)
    await queueDeliveries(ctx.jobs, tx, unsent, newsTypes)
    return unsent
  })
  if (userIds.length > 0) await ctx.live.publish({ kind: 'notifications', userIds })
  if (userIds.length === batchSize) {
    await ctx.jobs.enqueue('notifications.deliver-event-news', { eventId, after: userIds.at(-1) as string })
  }
}

type AnnouncedEvent = NonNullable<Awaited<ReturnType<typeof findEvent>>>

const findEvent = (db: Db, eventId: string) =>
  db
    .selectFrom('events')
    .innerJoin('businesses', 'businesses.id', 'events.business_id')
    .select(['events.id', 'events.business_id', 'events.starts_at', 'events.moved_sequence', 'events.canceled_at', 'events.updated_at'])
    .select(shownAt('events').as('shown_at'))
    .select(['businesses.country', 'businesses.state'])
    .where('events.id', '=', eventId)
    .executeTakeFirst()

const isAfter = (after = firstUuid) => sql`user_id > ${after}::uuid`

const attendees = ({ eventId, after }: AnnounceEvent) =>
  sql`select user_id from event_rsvps where event_id = ${eventId}::uuid and ${isAfter(after)}`

type Batch = {
  event: AnnouncedEvent
  type: 'new_event' | 'event_changed' | 'event_canceled' | 'event_reminder'
  groupKey: string
  /** When the event was announced, changed or canceled: the list is sorted by this time, and the job may run later. Null means now. */
  doneAt: Date | null
  /** Selects `user_id`. */
  people: RawBuilder<unknown>
  /** A condition over `users`, `events` and `businesses`. */
  where?: RawBuilder<unknown>
}

/**
 * Notifies up to a thousand people with one statement and queues emails and pushes. Idempotent even for read notifications, because the ID
 * derives from the group and the person. Returns the cursor of the next batch, or null after the last.
 */
async function notifyBatch(ctx: Ctx, { event, type, groupKey, people, doneAt, where = sql`true` }: Batch): Promise<string | null> {
  const now = ctx.clock.now()
  const happenedAt = doneAt ?? now
  const ids = derivedIds(`${groupKey} `)
  const { userIds, last } = await inTransaction(ctx.db, async (tx) => {
    const { rows } = await sql<{ user_ids: string[]; last: string | null; size: number }>`
      with batch as (${people} order by user_id limit ${batchSize}),
      notified as (
        insert into notifications (id, user_id, type, group_key, business_id, event_id, created_at)
        select ${ids.id}, users.id, ${type}, ${groupKey}, events.business_id, events.id, ${happenedAt}::timestamptz
        from batch
          join users on users.id = batch.user_id
          ${ids.join}
          join events on events.id = ${event.id}::uuid
          join businesses on businesses.id = events.business_id
        where ${where} and ${isWanted(sql`users.id`, topicOf(type), now)}
        order by users.id
        on conflict do nothing
        returning user_id)
      select array(select user_id from notified) as user_ids, (select user_id::text from batch order by user_id desc limit 1) as last,
        (select count(*) from batch) as size`.execute(tx)
    const [row] = rows
    const notified = row?.user_ids ?? []
    await queueDeliveries(ctx.jobs, tx, notified, [type])
    return { userIds: notified, last: row && row.size >= batchSize ? row.last : null }
  })
  if (userIds.length > 0) await ctx.live.publish({ kind: 'notifications', userIds })
  return last
}
