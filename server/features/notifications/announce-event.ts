import { type RawBuilder, sql } from 'kysely'
import { utcDate } from '../../../contracts/age.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { isEventOpen } from '../events/index.ts'
import { productAgeOf } from '../jurisdictions/index.ts'
import { latestBirthday } from './announce-post.ts'
import { queueDeliveries } from './deliveries.ts'
import { isWanted } from './preferences.queries.ts'
import { type EventNews, isUrgent, topicOf } from './topics.ts'

const batchSize = 1000

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>
/** `after`: the last person who was told, of those before. */
export type AnnounceEvent = { eventId: string; after?: string }
export type ChangedEvent = AnnounceEvent & { sequence: number }
export type DueEvent = { eventId: string; startsAt: string; userIds: string[] }

/** Tells the followers of a business of a new event, where it is open to them. */
export async function announceEvent(ctx: Ctx, data: AnnounceEvent): Promise<void> {
  const event = await findEvent(ctx.db, data.eventId)
  if (!event || event.canceled_at !== null) return
  const now = ctx.clock.now()
  const bornBy = latestBirthday(productAgeOf(event).minimumAge, utcDate(now))
  const reader = { id: sql<string>`users.id`, isOfAge: sql<boolean>`users.birthday <= ${bornBy}::date`, now }
  const last = await tellBatch(ctx, {
    event,
    type: 'new_event',
    groupKey: `event:${event.id}`,
    people: sql`select user_id from business_follows where business_id = ${event.business_id}::uuid and ${isAfter(data.after)}`,
    where: sql`${isEventOpen(reader)} and events.ends_at > ${now}::timestamptz and users.id is distinct from events.created_by`,
  })
  if (last !== null) await ctx.jobs.enqueue('notifications.announce-event', { ...data, after: last })
}

/** Tells the people who are going that an event has another time or place. A later change tells of itself. */
export async function tellOfChangedEvent(ctx: Ctx, data: ChangedEvent): Promise<void> {
  const event = await findEvent(ctx.db, data.eventId)
  if (!event || event.canceled_at !== null || event.sequence !== data.sequence) return
  const groupKey = `event-changed:${event.id}:${data.sequence}`
  const last = await tellBatch(ctx, { event, type: 'event_changed', groupKey, people: attendees(data) })
  if (last !== null) await ctx.jobs.enqueue('notifications.tell-of-changed-event', { ...data, after: last })
}

export async function tellOfCanceledEvent(ctx: Ctx, data: AnnounceEvent): Promise<void> {
  const event = await findEvent(ctx.db, data.eventId)
  if (!event || event.canceled_at === null) return
  const groupKey = `event-canceled:${event.id}`
  const last = await tellBatch(ctx, { event, type: 'event_canceled', groupKey, people: attendees(data) })
  if (last !== null) await ctx.jobs.enqueue('notifications.tell-of-canceled-event', { ...data, after: last })
}

/** Reminds these people, once of each time that the event is set to. One that was moved since has reminders of its own. */
export async function remindOfEvent(ctx: Ctx, { eventId, startsAt, userIds }: DueEvent): Promise<void> {
  const event = await findEvent(ctx.db, eventId)
  if (!event || event.canceled_at !== null || event.starts_at.toISOString() !== startsAt || event.starts_at <= ctx.clock.now()) return
  const groupKey = `event-reminder:${event.id}:${startsAt}`
  const people = sql`select user_id from event_rsvps where event_id = ${event.id}::uuid and user_id = any(${userIds}::uuid[])`
  await tellBatch(ctx, { event, type: 'event_reminder', groupKey, people })
}

type EventToTell = NonNullable<Awaited<ReturnType<typeof findEvent>>>

const findEvent = (db: Db, eventId: string) =>
  db
    .selectFrom('events')
    .innerJoin('businesses', 'businesses.id', 'events.business_id')
    .select(['events.id', 'events.business_id', 'events.starts_at', 'events.sequence', 'events.canceled_at'])
    .select(['businesses.country', 'businesses.state'])
    .where('events.id', '=', eventId)
    .executeTakeFirst()

const isAfter = (after = '00000000-0000-0000-0000-000000000000') => sql`user_id > ${after}::uuid`

const attendees = ({ eventId, after }: AnnounceEvent) =>
  sql`select user_id from event_rsvps where event_id = ${eventId}::uuid and ${isAfter(after)}`

type Telling = {
  event: EventToTell
  type: EventNews
  groupKey: string
  /** Selects `user_id`. */
  people: RawBuilder<unknown>
  /** Over `users`, `events` and `businesses`. */
  where?: RawBuilder<unknown>
}

/**
 * Tells a thousand people with one statement, and has mail and pushes sent. A person who was told already is not told again, read or not: the
 * notification's id is made of its group and the person. Answers where the next batch begins; null when there is none.
 */
async function tellBatch(ctx: Ctx, { event, type, groupKey, people, where = sql`true` }: Telling): Promise<string | null> {
  const now = ctx.clock.now()
  const { userIds, last } = await inTransaction(ctx.db, async (tx) => {
    const { rows } = await sql<{ user_ids: string[]; last: string | null; size: number }>`
      with batch as (${people} order by user_id limit ${batchSize}),
      told as (
        insert into notifications (id, user_id, type, group_key, business_id, event_id, created_at)
        select (substr(hash, 1, 8) || '-' || substr(hash, 9, 4) || '-8' || substr(hash, 13, 3) || '-8' || substr(hash, 16, 3) || '-' || substr(hash, 19, 12))::uuid,
          users.id, ${type}, ${groupKey}, events.business_id, events.id, ${now}::timestamptz
        from batch
          join users on users.id = batch.user_id
          cross join lateral (select md5(${`${groupKey} `} || users.id::text) as hash) hashed
          join events on events.id = ${event.id}::uuid
          join businesses on businesses.id = events.business_id
        where ${where} and ${isWanted(sql`users.id`, topicOf(type), now)}
        order by users.id
        on conflict do nothing
        returning user_id)
      select array(select user_id from told) as user_ids, (select user_id::text from batch order by user_id desc limit 1) as last,
        (select count(*) from batch) as size`.execute(tx)
    const [row] = rows
    const told = row?.user_ids ?? []
    await queueDeliveries(ctx.jobs, tx, told, { isUrgent: isUrgent(type) })
    return { userIds: told, last: row && row.size >= batchSize ? row.last : null }
  })
  if (userIds.length > 0) await ctx.live.publish({ kind: 'notifications', userIds })
  return last
}
