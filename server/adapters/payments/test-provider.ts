import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import * as z from 'zod/mini'
import { dayMs } from '#contracts/time.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Clock } from '#server/kernel/context.ts'
import { newId } from '#server/kernel/ids.ts'
import type { TestProvider } from '#server/kernel/payments.ts'
import { addMonths } from '#server/kernel/time-zones.ts'

type Settings = { db: Db; clock: Clock; secret: string }
type Subscription = Selectable<DB['test_provider_subscriptions']>

export const signatureHeader = 'test-provider-signature'

const Message = z.object({ id: z.string(), type: z.string(), subscription_id: z.nullable(z.string()) })

const daysBetweenTries = 5
const maxFailures = 3
const batch = 100

/**
 * Acts like a real payment service but moves no money. Keeps its own records, charges monthly by the clock, retries failed payments and
 * gives up after the third, and signs its webhooks.
 */
export function createTestProvider({ db, clock, secret }: Settings): TestProvider {
  const key = createHmac('sha256', secret).update('test payment provider').digest()
  const sign = (body: Buffer | string) => createHmac('sha256', key).update(body).digest('hex')

  const queueMessage = (tx: Tx, type: string, subscriptionId: string, at: Date) => {
    const id = `TM-${newId()}`
    const body = JSON.stringify({ id, type, subscription_id: subscriptionId, created_at: at.toISOString() })
    return tx.insertInto('test_provider_messages').values({ id, body, created_at: at }).execute()
  }

  async function charge(tx: Tx, subscription: Subscription, at: Date): Promise<Subscription> {
    const { id, plan_id } = subscription
    const { amount_cents, currency } = await tx
      .selectFrom('test_provider_plans')
      .select(['amount_cents', 'currency'])
      .where('id', '=', plan_id)
      .executeTakeFirstOrThrow()
    const payment = { id: `TP-${newId()}`, subscription_id: id, amount_cents, currency, made_at: at }
    let next: Subscription
    if (subscription.refuses_payments) {
      const failed_payments = subscription.failed_payments + 1
      const isLast = failed_payments >= maxFailures
      next = {
        ...subscription,
        failed_payments,
        failing_since: subscription.failing_since ?? at,
        state: isLast ? 'suspended' : 'active',
        next_payment_at: isLast ? null : new Date(at.getTime() + daysBetweenTries * dayMs),
      }
      await tx
        .insertInto('test_provider_payments')
        .values({ ...payment, status: 'failed' })
        .execute()
      await queueMessage(tx, 'payment.failed', id, at)
      if (isLast) await queueMessage(tx, 'subscription.suspended', id, at)
    } else {
      const payments_made = subscription.payments_made + 1
      const paid_until = addMonths(subscription.began_at, payments_made)
      next = {
        ...subscription,
        payments_made,
        failed_payments: 0,
        failing_since: null,
        last_paid_at: at,
        paid_until,
        next_payment_at: paid_until,
      }
      await tx
        .insertInto('test_provider_payments')
        .values({ ...payment, status: 'paid' })
        .execute()
      await queueMessage(tx, 'payment.completed', id, at)
    }
    const { id: _id, ...columns } = next
    await tx.updateTable('test_provider_subscriptions').set(columns).where('id', '=', id).execute()
    return next
  }

  /** Catches up first, because a real service would have charged in the meantime. */
  const upToDate = (id: string): Promise<Subscription | null> =>
    inTransaction(db, async (tx) => {
      let row = await lock(tx, id)
      if (!row) return null
      const now = clock.now()
      while (row.state === 'active' && row.next_payment_at && row.next_payment_at <= now) row = await charge(tx, row, row.next_payment_at)
      return row
    })

  return {
    name: 'test',
    accountId: null,
    clientId: null,
    isAvailable: () => true,

    async ensurePlan({ key: planKey, amountCents, currency }) {
      const price = { key: planKey, amount_cents: amountCents, currency }
      await db
        .insertInto('test_provider_plans')
        .values({ id: `TPLAN-${newId()}`, ...price })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const { id } = await db
        .selectFrom('test_provider_plans')
        .select('id')
        .where('key', '=', planKey)
        .where('amount_cents', '=', amountCents)
        .where('currency', '=', currency)
        .executeTakeFirstOrThrow()
      return id
    },

    async fetchSubscription(id) {
      const row = await upToDate(id)
      if (!row) return null
      const plan = await db
        .selectFrom('test_provider_plans')
        .select(['amount_cents', 'currency'])
        .where('id', '=', row.plan_id)
        .executeTakeFirstOrThrow()
      return {
        id,
        planId: row.plan_id,
        customId: row.custom_id,
        amountCents: plan.amount_cents,
        currency: plan.currency,
        state: row.state === 'canceled' ? 'closed' : row.state,
        failedPayments: row.failed_payments,
        lastPaidAt: row.last_paid_at,
        paidUntil: row.paid_until,
      }
    },

    async findSubscriptions(planIds, since) {
      if (planIds.length === 0) return []
      const rows = await db
        .selectFrom('test_provider_subscriptions')
        .select('id')
        .where('plan_id', 'in', [...planIds])
        .where('began_at', '>=', since)
        .execute()
      return rows.map((row) => row.id)
    },

    async cancelSubscription(id) {
      await upToDate(id)
      await inTransaction(db, async (tx) => {
        const row = await lock(tx, id)
        if (!row || row.state === 'canceled') return
        await tx.updateTable('test_provider_subscriptions').set({ state: 'canceled', next_payment_at: null }).where('id', '=', id).execute()
        await queueMessage(tx, 'subscription.canceled', id, clock.now())
      })
    },

    async pauseSubscription(id) {
      await upToDate(id)
      await inTransaction(db, async (tx) => {
        const row = await lock(tx, id)
        if (row?.state !== 'active') return
        await tx
          .updateTable('test_provider_subscriptions')
          .set({ state: 'suspended', next_payment_at: null })
          .where('id', '=', id)
          .execute()
        await queueMessage(tx, 'subscription.suspended', id, clock.now())
      })
    },

    async resumeSubscription(id) {
      await inTransaction(db, async (tx) => {
        const row = await lock(tx, id)
        if (row?.state !== 'suspended') return
        const next_payment_at = row.paid_until ?? clock.now()
        await tx.updateTable('test_provider_subscriptions').set({ state: 'active', next_payment_at }).where('id', '=', id).execute()
        await queueMessage(tx, 'subscription.activated', id, clock.now())
      })
    },

    async listPayments(id, since, until) {
      const rows = await db
        .selectFrom('test_provider_payments')
        .selectAll()
        .where('subscription_id', '=', id)
        .where('made_at', '>=', since)
        .where('made_at', '<=', until)
        .orderBy('made_at')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        amountCents: row.amount_cents,
        currency: row.currency,
        status: row.status,
        refundedCents: row.status === 'refunded' ? row.amount_cents : 0,
        madeAt: row.made_at,
      }))
    },

    async verifyMessage(headers, rawBody) {
      const given = Buffer.from(String(headers[signatureHeader] ?? ''))
      const right = Buffer.from(sign(rawBody))
      if (given.length !== right.length || !timingSafeEqual(given, right)) return null
      const message = Message.parse(JSON.parse(rawBody.toString()))
      return { id: message.id, type: message.type, subscriptionId: message.subscription_id }
    },

    approve: (planId, customId, approvalKey = customId) =>
      inTransaction(db, async (tx) => {
        const id = `TS-${sign(`approval ${approvalKey}`).slice(0, 18).toUpperCase()}`
        const row = await tx
          .insertInto('test_provider_subscriptions')
          .values({ id, plan_id: planId, custom_id: customId, state: 'active', began_at: clock.now() })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst()
        if (!row) return id
        await queueMessage(tx, 'subscription.activated', id, row.began_at)
        await charge(tx, row, row.began_at)
        return id
      }),

    async refusePayments(subscriptionId, refuses) {
      await db.updateTable('test_provider_subscriptions').set({ refuses_payments: refuses }).where('id', '=', subscriptionId).execute()
    },

    async renewDue() {
      for (;;) {
        const due = await db
          .selectFrom('test_provider_subscriptions')
          .select('id')
          .where('state', '=', 'active')
          .where('next_payment_at', '<=', clock.now())
          .limit(batch)
          .execute()
        for (const { id } of due) await upToDate(id)
        if (due.length < batch) return
      }
    },

    async waitingMessages() {
      const rows = await db
        .selectFrom('test_provider_messages')
        .select(['id', 'body'])
        .where('delivered_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(batch)
        .execute()
      return rows.map(({ id, body }) => ({
        id,
        headers: { 'content-type': 'application/json', [signatureHeader]: sign(body) },
        body: Buffer.from(body),
      }))
    },

    async markDelivered(messageId) {
      await db.updateTable('test_provider_messages').set({ delivered_at: clock.now() }).where('id', '=', messageId).execute()
    },
  }
}

const lock = async (tx: Tx, id: string): Promise<Subscription | null> =>
  (await tx.selectFrom('test_provider_subscriptions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) ?? null
