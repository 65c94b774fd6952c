import { sql } from 'kysely'
import { utcDate } from '#contracts/age.ts'
import type { subscribe } from '#contracts/billing.endpoints.ts'
import * as contract from '#contracts/billing.endpoints.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { plansWith } from '#contracts/entitlements.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import {
  type CountedBusiness,
  lockSubscriberCount,
  requireBusiness,
  requireInBusiness,
  setSubscriberCount,
} from '#server/features/businesses/index.ts'
import { addImpliedFollow, refuseBlockedBusiness, removeImpliedFollow } from '#server/features/follows/index.ts'
import { lockPerson } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { NotifiedSubject } from '#server/kernel/notified-subject.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { type Api, route } from '#server/kernel/route.ts'

export function registerSubscriptions(api: Api): void {
  route(api, contract.subscribe, ({ ctx, actor, body }) => changeSubscription(ctx, actor.id, body.businessId, true))
  route(api, contract.unsubscribe, ({ ctx, actor, params }) => changeSubscription(ctx, actor.id, params.businessId, false))
}

declare module '#server/kernel/events.ts' {
  interface EventData {
    'business.subscribed': { businessId: string; userId: string }
    'business.unsubscribed': { businessId: string; userId: string }
  }
}

type State = ResponseOf<typeof subscribe>
type Ctx = Pick<Context, 'clock' | 'events'>
type Pair = { userId: Locked<'users'> } & CountedBusiness

/**
 * Starts or ends a subscription. Idempotent. Subscribing implies following: the follow is added if needed, and removed with the
 * subscription unless the person had chosen to follow. If the business charges a price, subscribing requires a payment; while the payments
 * renew, people cancel those instead of unsubscribing. Existing subscribers keep their terms.
 */
export async function changeSubscription(
  ctx: Ctx & Pick<Context, 'db' | 'cache'>,
  personId: string,
  businessId: string,
  isSubscribed: boolean,
): Promise<State> {
  const { before, after } = await inTransaction(ctx.db, async (tx) => {
    const counted = await lockSubscriberCount(tx, businessId)
    if (!counted) throw notFound('Business not found.')
    const before = counted.subscriberCount
    const userId = await lockPerson(tx, personId)
    const pair = { userId, ...counted }
    const now = ctx.clock.now()
    const existing = await subscriptionOf(tx, userId, businessId)
    if (!isSubscribed) {
      if (!existing) return { before, after: before }
      if (existing.is_paid && (await paidAgreementOf(tx, userId, businessId, now))?.renews) {
        throw new AppError('conflict', {
          message: 'You pay for this subscription. Cancel it under Billing; it stays active until the paid period ends.',
        })
      }
      return { before, after: (await endSubscription(ctx, tx, pair)) ?? before }
    }
    await refuseBlockedBusiness(tx, userId, businessId)
    if (existing) return { before, after: before }
    await requireBusiness(tx, businessId, personId)
    await requireInBusiness(tx, businessId)
    const isPaid = (await paidAgreementOf(tx, userId, businessId, now)) !== null
    if (!isPaid && (await priceOf(tx, businessId)) !== null) {
      if (await canChargePrice(tx, businessId, now)) {
        throw new AppError('payment_required', { message: 'Subscribing to this business costs money. Buy the subscription first.' })
      }
      throw new AppError('conflict', { message: 'This business isn’t taking new subscriptions right now. You can follow it for free.' })
    }
    return { before, after: (await beginSubscription(ctx, tx, pair, isPaid)) ?? before }
  })
  if (after !== before) ctx.cache.invalidate('businesses')
  return { businessId, isSubscribed, subscriberCount: after }
}

/**
 * Starts a subscription, updates its counts and adds the follow. Returns the new count, or null if the person already subscribes. With
 * `isPaid`, their existing subscription becomes a paid one.
 */
export async function beginSubscription(ctx: Ctx, tx: Tx, pair: Pair, isPaid: boolean): Promise<number | null> {
  const { userId, businessId, subscriberCount } = pair
  const now = ctx.clock.now()
  if (!(await addSubscription(tx, { userId, businessId, isPaid }, now))) return null
  await setSubscriberCount(tx, businessId, subscriberCount + 1)
  await countDay(tx, businessId, now, 'began')
  await addImpliedFollow(tx, userId, businessId, now)
  await ctx.events.publish(tx, 'business.subscribed', { businessId, userId })
  return subscriberCount + 1
}

/** Ends a subscription, updates its counts and removes the follow it added. Returns the new count, or null if there was no subscription. */
export async function endSubscription(ctx: Ctx, tx: Tx, { userId, businessId, subscriberCount }: Pair): Promise<number | null> {
  if (!(await removeSubscription(tx, userId, businessId))) return null
  await setSubscriberCount(tx, businessId, subscriberCount - 1)
  await countDay(tx, businessId, ctx.clock.now(), 'ended')
  await removeImpliedFollow(tx, userId, businessId)
  await ctx.events.publish(tx, 'business.unsubscribed', { businessId, userId })
  return subscriberCount - 1
}

const batch = 50

/** Ends subscriptions as usual, with their counts and implied follows. */
export const eraseSubscriptions: EraseStep = {
  name: 'subscriptions',
  async eraseSome(ctx, { id }) {
    const rows = await ctx.db.selectFrom('subscriptions').select('business_id').where('user_id', '=', id).limit(batch).execute()
    for (const { business_id: businessId } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        const counted = await lockSubscriberCount(tx, businessId)
        if (!counted) return
        const userId = await lockPerson(tx, id)
        await endSubscription(ctx, tx, { userId, ...counted })
      })
    }
    if (rows.length > 0) ctx.cache.invalidate('businesses')
    return rows.length
  },
}

type New = { userId: string; businessId: string; isPaid: boolean }

/** Returns false if there was already a subscription. A free subscription that becomes paid ends when the payments end. */
async function addSubscription(tx: Tx, { userId, businessId, isPaid }: New, now: Date): Promise<boolean> {
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

async function removeSubscription(tx: Tx, userId: string, businessId: string): Promise<boolean> {
  const removed = await tx
    .deleteFrom('subscriptions')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .returning('user_id')
    .executeTakeFirst()
  return removed !== undefined
}

const subscriptionOf = (db: Db, userId: string, businessId: string) =>
  db.selectFrom('subscriptions').select('is_paid').where('user_id', '=', userId).where('business_id', '=', businessId).executeTakeFirst()

/** The subscription price in cents; null if it is free. */
async function priceOf(db: Db, businessId: string): Promise<number | null> {
  const offer = await db.selectFrom('subscription_offers').select('price_cents').where('business_id', '=', businessId).executeTakeFirst()
  return offer?.price_cents ?? null
}

/** Custom prices require a plan. Without it, paying subscribers keep their terms, but no one new can subscribe. */
async function canChargePrice(db: Db, businessId: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('agreements')
    .select('id')
    .where('business_id', '=', businessId)
    .where('plan_id', 'in', plansWith('own_prices'))
    .where('entitled_until', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** The paid agreement for a subscription, while it lasts. `renews` is false once it is canceled. */
async function paidAgreementOf(db: Db, userId: string, businessId: string, now: Date): Promise<{ renews: boolean } | null> {
  const rows = await db
    .selectFrom('agreements')
    .select('status')
    .where('payer_id', '=', userId)
    .where('subscribe_to', '=', businessId)
    .where('entitled_until', '>', now)
    .execute()
  return rows.length > 0 ? { renews: rows.some(({ status }) => status !== 'canceled' && status !== 'ended') } : null
}

/** Anonymously counts a subscription's start or end on this day (UTC). */
const countDay = (tx: Tx, businessId: string, now: Date, what: 'began' | 'ended') =>
  tx
    .insertInto('subscription_days')
    .values({ business_id: businessId, day: utcDate(now), [what]: 1 })
    .onConflict((conflict) =>
      conflict.columns(['business_id', 'day']).doUpdateSet((eb) => ({ [what]: eb(`subscription_days.${what}`, '+', 1) })),
    )
    .execute()

/** The whole team is notified of a new subscriber. */
export const notifiedSubscriptions: NotifiedSubject<null> = (asked, viewer) => sql`
  select asked.id, null::jsonb as facts
  from ${asked} asked join business_members on business_members.business_id = asked.business_id
  where business_members.user_id = ${viewer.id}::uuid`
