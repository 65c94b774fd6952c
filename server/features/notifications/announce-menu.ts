import { sql } from 'kysely'
import { type CalendarDate, utcDate } from '#contracts/age.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hasPlanWith } from '#server/features/billing/index.ts'
import { productAgeOf } from '#server/features/jurisdictions/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { latestBirthday } from './announce-post.ts'
import { queueDeliveries } from './deliveries.ts'
import { isWanted } from './preferences.ts'

const batchSize = 1000
/** Head start for subscribers and people whose plan has `early_products`. */
const earlySeconds = 24 * 3600

type MenuNews = 'new_product' | 'product_update'
export type AnnounceMenu = {
  businessId: string
  type: MenuNews
  /** The day of the news; limits it to one notification per day. */
  day: CalendarDate
  to: 'early' | 'all'
  /** Cursor: the last follower notified by the previous batch. */
  after?: string
}

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>

/**
 * Queues the notification of a menu's followers, once a day. New products reach people with early access at once and everyone else a day
 * later; prices and stock reach everyone at once.
 */
export async function notifyOfMenu({ db, jobs, clock }: Ctx, businessId: string, type: MenuNews): Promise<void> {
  const day = utcDate(clock.now())
  await inTransaction(db, async (tx) => {
    const { rows } = await sql`
      insert into menu_announcements (business_id, day) select id, ${day}::date from businesses where id = ${businessId}::uuid
      on conflict do nothing returning day`.execute(tx)
    if (rows.length === 0) return
    if (type === 'new_product') {
      await jobs.enqueue('notifications.announce-menu', { businessId, type, day, to: 'early' }, { tx })
      await jobs.enqueue('notifications.announce-menu', { businessId, type, day, to: 'all' }, { tx, startAfterSeconds: earlySeconds })
    } else await jobs.enqueue('notifications.announce-menu', { businessId, type, day, to: 'all' }, { tx })
  })
}

/** Notifies the followers, a thousand per job. Idempotent, even for read notifications. */
export async function announceMenu(ctx: Ctx, news: AnnounceMenu): Promise<void> {
  const business = await ctx.db.selectFrom('businesses').select(['country', 'state']).where('id', '=', news.businessId).executeTakeFirst()
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
  const { rows } = await sql<{ user_ids: string[]; last: string | null; size: number }>`
    with batch as (
      select user_id from business_follows
      where business_id = ${businessId}::uuid and user_id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid
      order by user_id limit ${batchSize}),
    notified as (
      insert into notifications (id, user_id, type, group_key, business_id, created_at)
      select (substr(hash, 1, 8) || '-' || substr(hash, 9, 4) || '-8' || substr(hash, 13, 3) || '-8' || substr(hash, 16, 3) || '-' || substr(hash, 19, 12))::uuid,
        users.id, ${type}, ${`menu:${businessId}:${day}`}, ${businessId}::uuid, ${now}::timestamptz
      from batch
        join users on users.id = batch.user_id
        cross join lateral (select md5(${`menu ${businessId} ${day} `} || users.id::text) as hash) hashed
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
