import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { localTime } from '#server/kernel/time-zones.ts'
import type { NotificationOwners } from './notification-types.ts'
import { loadRecipient, type Recipient } from './recipient.ts'
import { claimUnsent, queueMail } from './send-mails.ts'

type Ctx = Pick<Context, 'db' | 'jobs' | 'clock' | 'config'>

const digestMinute = 8 * 60
/** Digests missed in an outage are still sent until noon, or after quiet hours that last longer. */
const noon = 12 * 60
const monday = 1
/** People read per query, and digests per job. */
const windowSize = 5000
const digestsPerJob = 500

export type DigestBatch = { after?: string }

/** Runs hourly: queues digests in time zones where it is morning, in batches. */
export async function sendDigests(ctx: Ctx, owners: NotificationOwners, { after }: DigestBatch): Promise<void> {
  const now = ctx.clock.now()
  const zones = await timeZones(ctx.db)
  const morning = zones.filter((zone) => isMorning(zone, now))
  const later = zones.filter((zone) => localTime(zone, now).minute >= noon)
  let done = 0
  for (let last: string | null = after ?? firstUuid; last !== null; ) {
    const found: Candidates = await candidates(ctx.db, { morning, later, after: last })
    for (const userId of found.userIds) await sendDigest(ctx, owners, userId)
    done += found.userIds.length
    last = found.last
    if (last !== null && done >= digestsPerJob) return ctx.jobs.enqueue('notifications.digests', { after: last })
  }
}

async function sendDigest(ctx: Ctx, owners: NotificationOwners, userId: string): Promise<void> {
  const now = ctx.clock.now()
  const recipient = await loadRecipient(ctx.db, ctx.config, userId, now)
  if (!recipient || !isDue(recipient, now)) return
  await inTransaction(ctx.db, async (tx) => {
    // The row serves as a lock: a second process finds nothing left to claim.
    await tx
      .insertInto('notification_settings')
      .values({ user_id: userId, last_digest_at: now })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ last_digest_at: now }))
      .execute()
    await queueMail(ctx, tx, userId, await claimUnsent(ctx, owners, tx, recipient))
  })
}

/** Daily, or weekly on Mondays, by the recipient's local date. A clock that is set back doesn't send a second digest. */
function isDue({ isEmailOn, rhythm, quietSeconds, hasQuietHours, timeZone, lastDigestAt }: Recipient, now: Date): boolean {
  if (!isEmailOn || rhythm === 'each' || quietSeconds > 0) return false
  const { date, minute, weekday } = localTime(timeZone, now)
  if (rhythm === 'weekly' && weekday !== monday) return false
  if (minute < digestMinute || (minute >= noon && !hasQuietHours)) return false
  return lastDigestAt === null || localTime(timeZone, lastDigestAt).date < date
}

function isMorning(timeZone: string, now: Date): boolean {
  const { minute } = localTime(timeZone, now)
  return minute >= digestMinute && minute < noon
}

/** The time zones in use. People who haven't chosen one are in `UTC`. */
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

type Zones = { morning: readonly string[]; later: readonly string[]; after: string }
type Candidates = { userIds: string[]; last: string | null }

/**
 * The next window of people, by id, who have unmailed notifications: where it is morning, and where it is later only those with quiet
 * hours. `last` is the cursor of the next window.
 */
async function candidates(db: Db, { morning, later, after }: Zones): Promise<Candidates> {
  // Most people never chose a zone and are in UTC, so only their morning scans all users; other hours scan people with settings.
  const people = morning.includes('UTC')
    ? sql`select id from users where id > ${after}::uuid order by id limit ${windowSize}`
    : sql`select user_id as id from notification_settings where user_id > ${after}::uuid order by user_id limit ${windowSize}`
  const { rows } = await sql<{ user_ids: string[]; last: string | null; size: number }>`
    with people as materialized (${people})
    select array(
      select people.id from people left join notification_settings s on s.user_id = people.id
      where (coalesce(s.time_zone, 'UTC') = any(${morning}::text[]) or (s.quiet_from is not null and s.time_zone = any(${later}::text[])))
        and exists (select 1 from notifications n where n.user_id = people.id and not n.is_read and n.mailed_at is null)
      order by people.id) as user_ids,
      (select id from people order by id desc limit 1) as last,
      (select count(*) from people) as size`.execute(db)
  const [row] = rows
  return { userIds: row?.user_ids ?? [], last: row && row.size >= windowSize ? row.last : null }
}
