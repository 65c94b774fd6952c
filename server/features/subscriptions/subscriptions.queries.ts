import { sql } from 'kysely'
import { utcDate } from '#contracts/age.ts'
import { plansWith } from '#contracts/entitlements.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { NotifiedSubject } from '#server/kernel/notified-subject.ts'

type New = { userId: string; businessId: string; isPaid: boolean }

/** Returns false if there was one. A free subscription that becomes paid ends when the payments end. */
export async function addSubscription(tx: Tx, { userId, businessId, isPaid }: New, now: Date): Promise<boolean> {
  const added = await tx
    .insertInto('subscriptions')
    .values({ user_id: userId, business_id: businessId, is_paid: isPaid, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!added && isPaid) {
    await tx
      .updateTable('subscriptions')
      .set({ is_paid: true })
      .where('user_id', '=', userId)
      .where('business_id', '=', businessId)
      .execute()
  }
  return added !== undefined
}

export async function removeSubscription(tx: Tx, userId: string, businessId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('subscriptions')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

export const subscriptionOf = (db: Db, userId: string, businessId: string) =>
  db.selectFrom('subscriptions').select('is_paid').where('user_id', '=', userId).where('business_id', '=', businessId).executeTakeFirst()

/** The subscription price in cents; null if it is free. */
export async function priceOf(db: Db, businessId: string): Promise<number | null> {
  const offer = await db.selectFrom('subscription_offers').select('price_cents').where('business_id', '=', businessId).executeTakeFirst()
  return offer?.price_cents ?? null
}

/** Custom prices require a plan. Without it, paying subscribers keep their terms, but no one new can subscribe. */
export async function mayAskPrice(db: Db, businessId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('agreements')
    .select('id')
    .where('business_id', '=', businessId)
    .where('plan_id', 'in', plansWith('own_prices'))
    .where('entitled_until', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** The paid agreement for a subscription while it lasts. `renews`: it isn't canceled. */
export async function paidAgreementOf(db: Db, userId: string, businessId: string, now: Date): Promise<{ renews: boolean } | null> {
  const rows = await db
    .selectFrom('agreements')
    .select('status')
    .where('payer_id', '=', userId)
    .where('subscribe_to', '=', businessId)
    .where('entitled_until', '>', now)
    .execute()
  return rows.length > 0 ? { renews: rows.some(({ status }) => status !== 'canceled' && status !== 'ended') } : null
}

/** Counts a start or an end of a subscription on this day (UTC), anonymously. */
export const countDay = (tx: Tx, businessId: string, now: Date, what: 'began' | 'ended') =>
  tx
    .insertInto('subscription_days')
    .values({ business_id: businessId, day: utcDate(now), [what]: 1 })
    .onConflict((conflict) =>
      conflict.columns(['business_id', 'day']).doUpdateSet((eb) => ({ [what]: eb(`subscription_days.${what}`, '+', 1) })),
    )
    .execute()

/** A new subscriber is news for the whole team of the business. */
export const notifiedSubscriptions: NotifiedSubject<null> = (asked, viewer) => sql`
  select asked.id, null::jsonb as facts
  from ${asked} asked join business_members on business_members.business_id = asked.business_id
  where business_members.user_id = ${viewer.id}::uuid`
