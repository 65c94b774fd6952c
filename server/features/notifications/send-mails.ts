import { sql } from 'kysely'
import type { NotificationType } from '#contracts/notification-types.ts'
import { addDays } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { localTime, momentOf } from '#server/kernel/time-zones.ts'
import { descriptionOf, type NotificationOwners } from './notification-types.ts'
import { notificationsMail } from './notifications.mails.ts'
import { claimNewest, maxAgeMs, shownRows } from './notifications.queries.ts'
import { toNotification } from './notifications.view.ts'
import { loadReader, loadRecipient, type Recipient } from './recipient.ts'

type Ctx = Pick<Context, 'db' | 'jobs' | 'clock' | 'config'>

const maxPerMail = 20
/** Above this, sends one combined email instead of one per notification. */
const maxSingleMails = 5

export type MailDue = { userIds: string[] }

/** Urgent and prompt notifications have their own jobs, so that they don't wait behind other emails and digests. */
const mailJobs = {
  usual: { due: 'notifications.mail-due', send: 'notifications.mail' },
  urgent: { due: 'notifications.mail-urgent-due', send: 'notifications.mail-urgent' },
} as const

/** Emails each new notification separately to people who chose that; waits until quiet hours end. */
export const mailDue = (ctx: Ctx, owners: NotificationOwners, data: MailDue): Promise<void> => mailEach(ctx, owners, data, 'usual')

/** Emails urgent and prompt notifications, even to people who chose digests; waits until quiet hours end. */
export const mailUrgentDue = (ctx: Ctx, owners: NotificationOwners, data: MailDue): Promise<void> => mailEach(ctx, owners, data, 'urgent')

async function mailEach(ctx: Ctx, owners: NotificationOwners, { userIds }: MailDue, kind: keyof typeof mailJobs): Promise<void> {
  const jobs = mailJobs[kind]
  const isUrgent = kind === 'urgent'
  for (const userId of userIds) {
    const recipient = await loadRecipient(ctx.db, ctx.config, userId, ctx.clock.now())
    if (!recipient?.isEmailOn || recipient.isAlwaysQuiet || (recipient.rhythm !== 'each' && !isUrgent)) continue
    if (recipient.quietSeconds > 0) {
      await ctx.jobs.enqueue(jobs.due, { userIds: [userId] }, { startAfterSeconds: recipient.quietSeconds })
      continue
    }
    await inTransaction(ctx.db, async (tx) => {
      const ids = await claimUnsent(ctx, owners, tx, recipient, isUrgent ? isAtOnceFor(recipient) : undefined)
      if (ids.length > maxSingleMails) return queueMail(ctx, tx, userId, ids, jobs.send)
      for (const id of ids) await queueMail(ctx, tx, userId, [id], jobs.send)
    })
  }
}

/** People who get each notification separately also get the prompt ones that way. */
const isAtOnceFor =
  ({ rhythm, isPromptOn }: Recipient) =>
  (type: NotificationType): boolean => {
    const { isUrgent, isPrompt } = descriptionOf(type)
    return isUrgent || (isPrompt && isPromptOn && rhythm !== 'each')
  }

/** Returns the newest unsent notifications of these types and marks them as emailed. */
async function claimUnsent(
  ctx: Pick<Ctx, 'clock'>,
  owners: NotificationOwners,
  tx: Tx,
  { id }: Pick<Recipient, 'id'>,
  isMeant: (type: NotificationType) => boolean = () => true,
): Promise<string[]> {
  const reader = await loadReader(tx, id, ctx.clock.now())
  if (!reader) return []
  return idsOf(await claimNewest(tx, owners, reader, 'email', reader.types.email.filter(isMeant)))
}

/** Runs in the claim's transaction, so that every claimed notification has a job that emails it. */
async function queueMail(
  ctx: Pick<Ctx, 'jobs'>,
  tx: Tx,
  userId: string,
  ids: readonly string[],
  job: 'notifications.mail' | 'notifications.mail-urgent' = 'notifications.mail',
): Promise<void> {
  if (ids.length === 0) return
  await ctx.jobs.enqueue(job, { userId, ids: ids.slice(0, maxPerMail), more: Math.max(0, ids.length - maxPerMail) }, { tx })
}

export type MailToSend = {
  userId: string
  /** Newest first. */
  ids: string[]
  /** Number of notifications beyond `ids`. */
  more: number
}

/** Sends notifications that are still unread and visible to the recipient. No-op if there are none. */
export async function sendMail(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'mail' | 'brand'>,
  owners: NotificationOwners,
  { userId, ids, more }: MailToSend,
): Promise<void> {
  const now = ctx.clock.now()
  const recipient = await loadRecipient(ctx.db, ctx.config, userId, now)
  const reader = await loadReader(ctx.db, userId, now)
  if (!recipient?.isEmailOn || !reader) return
  const unread = { types: reader.types.email, where: sql<boolean>`n.id = any(${ids}::uuid[]) and not n.is_read` }
  const { rows } = await shownRows(ctx.db, owners, reader, unread, { start: null, wanted: maxPerMail })
  if (rows.length === 0) return
  await ctx.mail.send(notificationsMail(ctx, { userId, email: recipient.email, items: rows.map(toNotification), more }))
}

const digestMinute = 8 * 60
/** A late digest is still sent until noon, or until midnight to people with quiet hours. */
const noon = 12 * 60
const monday = 1
/** People read per query, and digests per job. */
const windowSize = 5000
const digestsPerJob = 500

export type DigestBatch = { after?: string }

/** Runs hourly: queues digests, in batches, where it is morning and, for people with quiet hours, also where it is later in the day. */
export async function sendDigests(ctx: Ctx, owners: NotificationOwners, { after }: DigestBatch): Promise<void> {
  const now = ctx.clock.now()
  const zones = await timeZones(ctx.db)
  const morning = zones.filter((zone) => isMorning(zone, now))
  const later = zones.filter((zone) => localTime(zone, now).minute >= noon)
  let done = 0
  for (let last: string | null = after ?? firstUuid; last !== null; ) {
    const found: Candidates = await candidates(ctx.db, { morning, later, after: last, since: new Date(now.getTime() - maxAgeMs.email) })
    for (const userId of found.userIds) await sendDigest(ctx, owners, userId)
    done += found.userIds.length
    last = found.last
    if (last !== null && done >= digestsPerJob) return ctx.jobs.enqueue('notifications.digests', { after: last })
  }
}

async function sendDigest(ctx: Ctx, owners: NotificationOwners, userId: string): Promise<void> {
  const now = ctx.clock.now()
  const recipient = await loadRecipient(ctx.db, ctx.config, userId, now)
  if (!recipient || !isDue(recipient, now) || !(await isDayOfDigest(ctx.db, owners, recipient, now))) return
  await inTransaction(ctx.db, async (tx) => {
    // The row serves as a lock: a second process has nothing left to claim.
    await tx
      .insertInto('notification_settings')
      .values({ user_id: userId, last_digest_at: now })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ last_digest_at: now }))
      .execute()
    await queueMail(ctx, tx, userId, await claimUnsent(ctx, owners, tx, recipient))
  })
}

/** Once a day, by the recipient's local date. Setting a clock back doesn't cause a second digest. */
function isDue({ isEmailOn, rhythm, quietSeconds, hasQuietHours, timeZone, lastDigestAt }: Recipient, now: Date): boolean {
  if (!isEmailOn || rhythm === 'each' || quietSeconds > 0) return false
  const { date, minute } = localTime(timeZone, now)
  if (minute < digestMinute || (minute >= noon && !hasQuietHours)) return false
  return lastDigestAt === null || localTime(timeZone, lastDigestAt).date < date
}

/** Weekly digests are sent on Monday morning or, if no job ran then, the next morning. */
async function isDayOfDigest(db: Db, owners: NotificationOwners, recipient: Recipient, now: Date): Promise<boolean> {
  const { id, rhythm, timeZone, lastDigestAt } = recipient
  if (rhythm !== 'weekly') return true
  const { date, weekday } = localTime(timeZone, now)
  if (weekday === monday) return true
  const due = new Date(momentOf(timeZone, addDays(date, -((weekday + 6) % 7)), digestMinute))
  if (lastDigestAt !== null && lastDigestAt >= due) return false
  const reader = await loadReader(db, id, now)
  if (!reader) return false
  const since = new Date(now.getTime() - maxAgeMs.email)
  const missed = sql<boolean>`not n.is_read and n.mailed_at is null and n.created_at > ${since}::timestamptz and n.created_at < ${due}::timestamptz`
  const { rows } = await shownRows(db, owners, reader, { types: reader.types.email, where: missed }, { start: null, wanted: 1 })
  return rows.length > 0
}

function isMorning(timeZone: string, now: Date): boolean {
  const { minute } = localTime(timeZone, now)
  return minute >= digestMinute && minute < noon
}

/** Includes `UTC`, the zone of people who haven't chosen one. */
async function timeZones(db: Db): Promise<string[]> {
  // A loose index scan: one step per zone rather than per person.
  const { rows } = await sql<{ zone: string }>`
    with recursive zones (zone) as (
      (select time_zone from notification_settings order by time_zone limit 1)
      union all
      select (select s.time_zone from notification_settings s where s.time_zone > zones.zone order by s.time_zone limit 1)
      from zones where zones.zone is not null
    )
    select zone from zones where zone is not null`.execute(db)
  return [...new Set(['UTC', ...rows.map(({ zone }) => zone)])]
}

const firstUuid = '00000000-0000-0000-0000-000000000000'

type Zones = { morning: readonly string[]; later: readonly string[]; after: string; since: Date }
type Candidates = { userIds: string[]; last: string | null }

/**
 * The next window of people with unsent notifications, by ID. In time zones where the morning is over, only people with quiet hours.
 * `last` is the cursor of the next window.
 */
async function candidates(db: Db, { morning, later, after, since }: Zones): Promise<Candidates> {
  // Most people never chose a zone and are in UTC, so only their morning scans all users; other hours scan people with settings.
  const people = morning.includes('UTC')
    ? sql`select id from users where id > ${after}::uuid order by id limit ${windowSize}`
    : sql`select user_id as id from notification_settings where user_id > ${after}::uuid order by user_id limit ${windowSize}`
  const { rows } = await sql<{ user_ids: string[]; last: string | null; size: number }>`
    with people as materialized (${people})
    select array(
      select people.id from people left join notification_settings s on s.user_id = people.id
      where (coalesce(s.time_zone, 'UTC') = any(${morning}::text[]) or (s.quiet_from is not null and s.time_zone = any(${later}::text[])))
        and exists (
          select 1 from notifications n
          where n.user_id = people.id and not n.is_read and n.mailed_at is null and n.created_at > ${since}::timestamptz)
      order by people.id) as user_ids,
      (select id from people order by id desc limit 1) as last,
      (select count(*) from people) as size`.execute(db)
  const [row] = rows
  return { userIds: row?.user_ids ?? [], last: row && row.size >= windowSize ? row.last : null }
}
