import { sql } from 'kysely'
import { type CalendarDate, utcDate } from '../../../contracts/age.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { hasPlanWith } from '../billing/index.ts'
import { productAgeOf } from '../jurisdictions/index.ts'
import { latestBirthday } from './announce-post.ts'
import { queueDeliveries } from './deliveries.ts'
import { isWanted } from './preferences.queries.ts'

const batchSize = 1000
/** How much earlier subscribers hear of new products, and those whose plan has `early_products`. */
const earlySeconds = 24 * 3600

type MenuNews = 'new_product' | 'product_update'
export type AnnounceMenu = {
  businessId: string
  type: MenuNews
  /** The day of the news, by which nobody is told of it twice. */
  day: CalendarDate
  to: 'early' | 'all'
  /** The last follower who was told, of those before. */
  after?: string
}

type Ctx = Pick<Context, 'db' | 'jobs' | 'live' | 'clock'>

/**
 * Has a menu's followers told that there is something new on it, once a day however much it is. Of new products the early ones hear
 * at once and everybody else a day later; of prices and stock everybody hears at once.
 */
export async function tellOfMenu({ db, jobs, clock }: Ctx, businessId: string, type: MenuNews): Promise<void> {
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

/** Tells the followers, a thousand with each job; who was told already is not told again, read or not. */
export async function announceMenu(ctx: Ctx, news: AnnounceMenu): Promise<void> {
  const business = await ctx.db.selectFrom('businesses').select(['country', 'state']).where('id', '=', news.businessId).executeTakeFirst()
  if (!business) return
  const now = ctx.clock.now()
  const bornBy = latestBirthday(productAgeOf(business).minimumAge, utcDate(now))
  const { userIds } = await inTransaction(ctx.db, async (tx) => {
    const told = await tellBatch(tx, news, bornBy, now)
    await queueDeliveries(ctx.jobs, tx, told.userIds)
    if (told.last !== null) await ctx.jobs.enqueue('notifications.announce-menu', { ...news, after: told.last }, { tx })
    return told
  })
  if (userIds.length > 0) await ctx.live.publish({ kind: 'notifications', userIds })
}

async function tellBatch(tx: Tx, { businessId, type, day, to, after }: AnnounceMenu, bornBy: CalendarDate, now: Date) {
  const isEarly = sql<boolean>`(
    exists (select from subscriptions where subscriptions.user_id = users.id and subscriptions.business_id = ${businessId}::uuid)
    or ${hasPlanWith('early_products', sql`users.id`, sql`${now}`)})`
  const { rows } = await sql<{ user_ids: string[]; last: string | null; size: number }>`
    with batch as (
      select user_id from business_follows
      where business_id = ${businessId}::uuid and user_id > ${after ?? '00000000-0000-0000-0000-000000000000'}::uuid
      order by user_id limit ${batchSize}),
    told as (
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
    select array(select user_id from told) as user_ids, (select user_id::text from batch order by user_id desc limit 1) as last,
      (select count(*) from batch) as size`.execute(tx)
  const [row] = rows
  return { userIds: row?.user_ids ?? [], last: row && row.size >= batchSize ? row.last : null }
}
