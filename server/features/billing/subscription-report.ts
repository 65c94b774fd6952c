import { sql } from 'kysely'
import type { SubscriptionReport } from '#contracts/billing.ts'
import { formatCents } from '#contracts/money.ts'
import type { Db } from '#server/db/connect.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { offerOf } from './offers.ts'

const monthsShown = 12

/**
 * A business's subscribers, revenue and churn over the last 12 months (UTC), as totals without names. Amounts are in the
 * current price's currency; earlier payments in other currencies are left out. @throws AppError not_found, forbidden
 */
export async function getReport(db: Db, actor: Actor, idOrSlug: string, now: Date): Promise<SubscriptionReport> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'insights')
  const currency = (await offerOf(db, id))?.currency ?? 'USD'
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsShown + 1, 1))
  const { subscriber_count: current } = await db
    .selectFrom('businesses')
    .select('subscriber_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const paying = await db
    .selectFrom('agreements')
    .select((eb) => [
      eb.fn.count<number>('payer_id').distinct().as('people'),
      sql<number>`coalesce(sum(amount_cents) filter (where status = 'active' and currency = ${currency}), 0)::bigint`.as('cents'),
    ])
    .where('subscribe_to', '=', id)
    .where('entitled_until', '>', now)
    .executeTakeFirstOrThrow()
  const days = await db
    .selectFrom('subscription_days')
    .select((eb) => [
      sql<string>`to_char(day, 'YYYY-MM')`.as('month'),
      eb.fn.sum<number>('began').as('began'),
      eb.fn.sum<number>('ended').as('ended'),
    ])
    .where('business_id', '=', id)
    .where('day', '>=', first.toISOString().slice(0, 10))
    .groupBy('month')
    .execute()
  const revenue = await db
    .selectFrom('payments')
    .innerJoin('agreements', 'agreements.id', 'payments.agreement_id')
    .select([
      sql<string>`to_char(paid_at at time zone 'UTC', 'YYYY-MM')`.as('month'),
      sql<number>`sum(payments.amount_cents - payments.refunded_cents)::bigint`.as('cents'),
    ])
    .where('subscribe_to', '=', id)
    .where('payments.status', '<>', 'failed')
    .where('payments.currency', '=', currency)
    .where('paid_at', '>=', first)
    .groupBy('month')
    .execute()
  return {
    subscriberCount: current,
    payingCount: Number(paying.people),
    monthlyRevenue: { amount: formatCents(Number(paying.cents)), currency },
    revenueShare: 100,
    months: monthsOf(
      first,
      current,
      new Map(days.map((row) => [row.month, { began: Number(row.began), ended: Number(row.ended) }])),
      new Map(revenue.map((row) => [row.month, Number(row.cents)])),
    ),
  }
}

type Changes = ReadonlyMap<string, { began: number; ended: number }>

/** Counts backward from the current number, so that the last month always ends with it. */
export function monthsOf(first: Date, current: number, changes: Changes, cents: ReadonlyMap<string, number>): SubscriptionReport['months'] {
  let subscribers = current
  return Array.from({ length: monthsShown }, (_, i) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + i, 1)).toISOString().slice(0, 7),
  )
    .reverse()
    .map((month) => {
      const { began, ended } = changes.get(month) ?? { began: 0, ended: 0 }
      const atEnd = subscribers
      // Rows from before this was counted could make it negative.
      const atBeginning = Math.max(0, atEnd - began + ended)
      subscribers = atBeginning
      const churn = atBeginning === 0 ? null : Math.round((Math.min(ended, atBeginning) / atBeginning) * 1000) / 10
      return { month, began, ended, subscribers: atEnd, revenue: formatCents(cents.get(month) ?? 0), churn }
    })
    .reverse()
}
