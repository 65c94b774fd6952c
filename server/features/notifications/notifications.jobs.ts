import { sql } from 'kysely'
import { type CalendarDate, latestBirthday, utcDate } from '#contracts/age.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hasPlanWith } from '#server/features/billing/index.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { eventJobs } from './announce-event.ts'
import { type AnnouncePost, announcePost } from './announce-post.ts'
import type { NotificationOwners } from './notification-types.ts'
import { derivedIds, queueDeliveries } from './notify.ts'
import { activityJobs } from './notify-activity.ts'
import { peopleJobs } from './notify-people.ts'
import { isWanted } from './preferences.ts'
import { type PushToSend, pushDue, sendPush } from './pushes.ts'
import { type DigestBatch, type MailDue, type MailToSend, mailDue, mailUrgentDue, sendDigests, sendMail } from './send-mails.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'notifications.announce-post': AnnouncePost
    'notifications.notify-of-new-product': { businessId: string }
    'notifications.notify-of-changed-product': { businessId: string }
    'notifications.announce-menu': AnnounceMenu
    'notifications.mail-due': MailDue
    'notifications.mail-urgent-due': MailDue
    'notifications.mail': MailToSend
    'notifications.mail-urgent': MailToSend
    'notifications.digests': DigestBatch
    'notifications.push-due': { userIds: string[] }
    'notifications.push': PushToSend
    'notifications.purge': Record<string, never>
  }
}

type NotificationJob = Extract<JobName, `notifications.${string}`>

export function notificationJobs(ctx: Context, owners: NotificationOwners): Pick<JobHandlers, NotificationJob> {
  return {
    ...activityJobs(ctx),
    ...peopleJobs(ctx),
    ...eventJobs(ctx),
    'notifications.announce-post': (data) => announcePost(ctx, data),
    'notifications.notify-of-new-product': ({ businessId }) => notifyOfMenu(ctx, businessId, 'new_product'),
    'notifications.notify-of-changed-product': ({ businessId }) => notifyOfMenu(ctx, businessId, 'product_update'),
    'notifications.announce-menu': (data) => announceMenu(ctx, data),
    'notifications.mail-due': (data) => mailDue(ctx, owners, data),
    'notifications.mail-urgent-due': (data) => mailUrgentDue(ctx, owners, data),
    'notifications.mail': (data) => sendMail(ctx, owners, data),
    'notifications.mail-urgent': (data) => sendMail(ctx, owners, data),
    'notifications.digests': (data) => sendDigests(ctx, owners, data),
    'notifications.push-due': (data) => pushDue(ctx, owners, data),
    'notifications.push': (data) => sendPush(ctx, data),
    'notifications.purge': () => purge(ctx.db, ctx.clock.now()),
  }
}

export const notificationSchedules: readonly JobSchedule[] = [
  { name: 'notifications.digests', cron: '2 * * * *', data: {} },
  { name: 'notifications.purge', cron: '41 4 * * *', data: {} },
]

/** In days. The privacy page states these. */
const retention = { read: 180, unread: 365 }
const purgeBatch = 5_000

/** Deletes a batch per statement. */
export async function purge(db: Db, now: Date, batch = purgeBatch): Promise<void> {
  for (const [which, days] of [
    [sql`is_read`, retention.read],
    [sql`not is_read`, retention.unread],
  ] as const) {
    const before = new Date(now.getTime() - days * dayMs)
    const isOld = sql`${which} and created_at < ${before}::timestamptz`
    for (let removed = batch; removed >= batch; ) {
      // News may be merged into an unread notification concurrently, so its age is checked again.
      const { numAffectedRows } = await sql`
        delete from notifications where ${isOld} and id in (
          select id from notifications where ${isOld} order by created_at limit ${batch})`.execute(db)
      removed = Number(numAffectedRows ?? 0)
    }
  }
}

const batchSize = 1000
/** Head start for subscribers and people whose plan has `early_products`. */
const earlySeconds = 24 * 3600

type MenuNews = 'new_product' | 'product_update'
type AnnounceMenu = {
  businessId: string
  type: MenuNews
  /** Limits news of each type to one notification per day. */
  day: CalendarDate
  to: 'early' | 'all'
  /** Cursor: the last follower in the previous batch. */
  after?: string
}

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>

/**
 * Queues notifications to a menu's followers, once a day for each type. Everyone is notified of prices and stock immediately, but people
 * with early access are notified of new products a day before the others.
 */
async function notifyOfMenu({ db, jobs, clock }: Ctx, businessId: string, type: MenuNews): Promise<void> {
  const day = utcDate(clock.now())
  await inTransaction(db, async (tx) => {
    const { rows } = await sql`
      insert into menu_announcements (business_id, day, type)
      select id, ${day}::date, ${type} from businesses where id = ${businessId}::uuid
      on conflict do nothing returning day`.execute(tx)
    if (rows.length === 0) return
    if (type === 'new_product') {
      await jobs.enqueue('notifications.announce-menu', { businessId, type, day, to: 'early' }, { tx })
      await jobs.enqueue('notifications.announce-menu', { businessId, type, day, to: 'all' }, { tx, startAfterSeconds: earlySeconds })
    } else await jobs.enqueue('notifications.announce-menu', { businessId, type, day, to: 'all' }, { tx })
  })
}

/** Items are announced a few seconds after they were added, perhaps on the next day. */
const slack = sql`interval '1 hour'`

/**
 * Notifies the followers, a thousand per job. Idempotent, even for read notifications. Checks that the business hasn't closed and that some
 * of the new items still exist, because most followers are notified a day later.
 */
async function announceMenu(ctx: Ctx, news: AnnounceMenu): Promise<void> {
  const business = await ctx.db
    .selectFrom('businesses')
    .select(['country', 'state'])
    .where('id', '=', news.businessId)
    .where('moderation', 'is', null)
    .where('closure', 'is', null)
    .$if(news.type === 'new_product', (query) =>
      query.where(sql<boolean>`exists (select from products where products.business_id = businesses.id and products.moderation is null
        and products.created_at >= (${news.day}::timestamp at time zone 'UTC') - ${slack}
        and products.created_at < (${news.day}::timestamp at time zone 'UTC') + interval '1 day')`),
    )
    .executeTakeFirst()
  if (!business) return
  const now = ctx.clock.now()
  const bornBy = latestBirthday(productAgeOf(business).minimumAge, utcDate(now))
  const { userIds } = await inTransaction(ctx.db, async (tx) => {
    const notified = await notifyBatch(tx, news, bornBy, now)
    await queueDeliveries(ctx.jobs, tx, notified.userIds)
    if (notified.last !== null) await ctx.jobs.enqueue('notifications.announce-menu', { ...news, after: notified.last }, { tx })
    return notified
  })
  if (userIds.length > 0) await ctx.live.publish({ kind: 'notifications', userIds })
}

async function notifyBatch(tx: Tx, { businessId, type, day, to, after }: AnnounceMenu, bornBy: CalendarDate, now: Date) {
  const isEarly = sql<boolean>`(
    exists (select from subscriptions where subscriptions.user_id = users.id and subscriptions.business_id = ${businessId}::uuid)
    or ${hasPlanWith('early_products', sql`users.id`, sql`${now}`)})`
  // Servers of the previous version name new products this way, and the batches for `all` of their announcements may still be queued.
  const name = type === 'new_product' ? 'menu' : type
  const ids = derivedIds(`${name} ${businessId} ${day} `)
  const { rows } = await sql<{ user_ids: string[]; last: string | null; size: number }>`
    with batch as (
      select user_id from business_follows
      where business_id = ${businessId}::uuid and user_id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid
      order by user_id limit ${batchSize}),
    notified as (
      insert into notifications (id, user_id, type, group_key, business_id, created_at)
      select ${ids.id}, users.id, ${type}, ${`${name}:${businessId}:${day}`}, ${businessId}::uuid, ${now}::timestamptz
      from batch
        join users on users.id = batch.user_id
        ${ids.join}
      where users.birthday <= ${bornBy}::date and (${to} = 'all' or ${isEarly}) and ${isWanted(sql`users.id`, 'products', now)}
        and not exists (select from business_blocks where business_blocks.user_id = users.id and business_blocks.business_id = ${businessId}::uuid)
      order by users.id
      on conflict do nothing
      returning user_id)
    select array(select user_id from notified) as user_ids, (select user_id::text from batch order by user_id desc limit 1) as last,
      (select count(*) from batch) as size`.execute(tx)
  const [row] = rows
  return { userIds: row?.user_ids ?? [], last: row && row.size >= batchSize ? row.last : null }
}
