import { afterAll, beforeAll, expect, it } from 'vitest'
import { findAuditBreak } from '#server/features/audit/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { actorOf } from '#tests/support/actors.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { Crash, crashAt } from '#tests/support/crash.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { wrongFollowCounts } from '#tests/support/follow-counts.ts'
import type { MemoryJobs } from '#tests/support/memory-jobs.ts'
import { addPeople } from '#tests/support/people.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { beginCheckout } from './begin-checkout.ts'
import { billingJobs } from './billing.jobs.ts'
import { cancelAgreement } from './change-agreement.ts'
import { answerTestCheckout, approveCheckout } from './checkouts.ts'

/**
 * Kills the server before every statement and around every provider call, in every step of a purchase. Queued jobs and the
 * provider's webhooks are also lost, so the nightly reconciliation alone must reach the state of an undisturbed purchase.
 */

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())

const newPerson = async () => actorOf((await addPeople(test.db, 1))[0] as string)

async function afterTheCrash() {
  ;(test.ctx.jobs as MemoryJobs & { waiting: unknown[] }).waiting.length = 0
  await test.db.deleteFrom('test_provider_messages').execute()
  await billingJobs(test.ctx)['billing.reconcile']({})
  await test.runJobs()
}

async function outcome(userId: string) {
  const agreements = await test.db
    .selectFrom('agreements')
    .select((eb) => [
      'id',
      'plan_id',
      'status',
      'paid_until',
      'entitled_until',
      'canceled_at',
      'closed_at',
      eb
        .selectFrom('test_provider_subscriptions')
        .select('state')
        .whereRef('test_provider_subscriptions.id', '=', 'provider_subscription_id')
        .as('state'),
    ])
    .where('payer_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const payments = await test.db
    .selectFrom('payments')
    .innerJoin('agreements', 'agreements.id', 'agreement_id')
    .select(['agreements.plan_id', 'payments.status', 'payments.amount_cents', 'receipt_number'])
    .where('payer_id', '=', userId)
    .orderBy('payments.paid_at')
    .execute()
  const there = await test.db
    .selectFrom('test_provider_subscriptions')
    .innerJoin('checkouts', (join) =>
      join.on('checkouts.user_id', '=', userId).onRef((eb) => eb.cast('checkouts.id', 'text'), '=', 'custom_id'),
    )
    .select(['state', 'payments_made'])
    .orderBy('began_at')
    .execute()
  const { subscription_tier } = await test.db
    .selectFrom('users')
    .select('subscription_tier')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const subscriptions = await test.db.selectFrom('subscriptions').select('is_paid').where('user_id', '=', userId).execute()
  const checkouts = await test.db.selectFrom('checkouts').select('status').where('user_id', '=', userId).orderBy('created_at').execute()
  const audit = await test.db
    .selectFrom('audit_log')
    .select('action')
    .where('subject_id', 'in', agreements.length > 0 ? agreements.map(({ id }) => id) : [userId])
    .orderBy('sequence')
    .execute()
  return {
    agreements: agreements.map(({ plan_id, status, paid_until, entitled_until, canceled_at, closed_at, state }) => ({
      plan_id,
      status,
      grace: paid_until && entitled_until ? Math.round((entitled_until.getTime() - paid_until.getTime()) / 86_400_000) : null,
      isCanceled: canceled_at !== null,
      isClosed: closed_at !== null,
      state,
    })),
    payments: payments.map(({ receipt_number, ...rest }) => ({ ...rest, hasReceipt: receipt_number !== null })),
    there,
    tier: subscription_tier,
    subscriptions,
    checkouts,
    audit: audit.map(({ action }) => action).sort(),
  }
}

const forget = (userId: string) =>
  test.db.updateTable('agreements').set({ status: 'ended', closed_at: new Date() }).where('payer_id', '=', userId).execute()

type Setting = { actor: Actor; checkoutId: string; subscriptionId: string }

async function purchase(wish: { planId?: string; subscribeTo?: string; replaces?: string }, actor: Actor): Promise<Setting> {
  const checkout = await beginCheckout(test.ctx, actor, { provider: 'test', ...wish }, null)
  const { subscriptionID } = await answerTestCheckout(test.ctx, actor, checkout.id, 'approve')
  return { actor, checkoutId: checkout.id, subscriptionId: subscriptionID as string }
}

const approve = (ctx: Context, { actor, checkoutId, subscriptionId }: Setting) => approveCheckout(ctx, actor, checkoutId, subscriptionId)

/** Runs `work` for a new person per step, crashing at that step. Returns the number of steps. */
async function atEveryStep<S extends { actor: Actor }>(
  prepare: () => Promise<S>,
  work: (ctx: Context, setting: S) => Promise<unknown>,
  check: (setting: S, expected: Awaited<ReturnType<typeof outcome>>) => Promise<void>,
): Promise<number> {
  const smooth = await prepare()
  await work(test.ctx, smooth)
  await afterTheCrash()
  const expected = await outcome(smooth.actor.id)
  await forget(smooth.actor.id)
  for (let point = 1; ; point++) {
    const setting = await prepare()
    const crashing = crashAt(test.ctx, point)
    const ended = await work(crashing.ctx, setting).then(
      () => 'done',
      (error: unknown) => {
        let cause: unknown = error
        while (cause instanceof Error && !(cause instanceof Crash)) cause = cause.cause
        if (!(cause instanceof Crash)) throw error
        return 'crashed'
      },
    )
    await afterTheCrash()
    await check(setting, expected)
    await forget(setting.actor.id)
    if (ended === 'done' && crashing.steps() < point) return point - 1
  }
}

const same = async ({ actor }: { actor: Actor }, expected: Awaited<ReturnType<typeof outcome>>) => {
  expect(await outcome(actor.id)).toEqual(expected)
}

it('approves an upgrade consistently, wherever the server is killed', async () => {
  const steps = await atEveryStep(
    async () => {
      const actor = await newPerson()
      const old = await approve(test.ctx, await purchase({ planId: 'vip' }, actor))
      return purchase({ planId: 'pro', replaces: old.id }, actor)
    },
    approve,
    async (setting, expected) => {
      expect(expected).toMatchObject({
        agreements: [
          { plan_id: 'vip', status: 'canceled', state: 'suspended', isClosed: false, grace: 0 },
          { plan_id: 'pro', status: 'active', state: 'active', isClosed: false, grace: 30 },
        ],
        payments: [{ plan_id: 'vip' }, { plan_id: 'pro' }],
        tier: 'VIP',
      })
      await same(setting, expected)
    },
  )
  expect(steps).toBeGreaterThan(25)
  expect(await findAuditBreak(test.db)).toBeNull()
}, 60_000)

it('approves a paid subscription with correct counts, wherever the server is killed', async () => {
  const business = await addBusiness(test.db)
  await joinBusiness(test.db, (await newPerson()).id, business.id)
  await grantPlan(test.db, { businessId: business.id, planId: 'business_tools' })
  await test.db
    .insertInto('subscription_offers')
    .values({ business_id: business.id, price_cents: 900, currency: 'USD', title: 'Subscriber', perks: [] })
    .execute()
  const steps = await atEveryStep(
    async () => purchase({ subscribeTo: business.id }, await newPerson()),
    approve,
    async (setting, expected) => {
      await same(setting, expected)
      expect(await wrongFollowCounts(test.db)).toEqual([])
    },
  )
  expect(steps).toBeGreaterThan(20)
}, 60_000)

it('buys nothing at checkout, wherever the server is killed', async () => {
  await atEveryStep(
    async () => ({ actor: await newPerson() }),
    (ctx, { actor }) => beginCheckout(ctx, actor, { provider: 'test', planId: 'vip' }, null),
    async ({ actor }) => {
      expect(await outcome(actor.id)).toMatchObject({ agreements: [], payments: [], there: [], tier: null })
      await approve(test.ctx, await purchase({ planId: 'vip' }, actor))
      expect((await outcome(actor.id)).tier).toBe('VIP')
    },
  )
}, 60_000)

it('cancels fully or not at all, and fully when retried', async () => {
  await atEveryStep(
    async () => {
      const setting = await purchase({ planId: 'pro' }, await newPerson())
      return { ...setting, agreementId: (await approve(test.ctx, setting)).id }
    },
    (ctx, { actor, agreementId }) => cancelAgreement(ctx, actor, agreementId),
    async ({ actor, agreementId }, expected) => {
      const now = await outcome(actor.id)
      const [agreement] = now.agreements
      // A purchase that is canceled here is paused at the provider, and one that continues here isn't.
      expect(agreement?.isCanceled).toBe(agreement?.state === 'suspended')
      await cancelAgreement(test.ctx, actor, agreementId)
      await test.runJobs()
      expect(await outcome(actor.id)).toEqual(expected)
    },
  )
}, 60_000)

it('leaves no gaps in receipt numbers after crashes', async () => {
  const rows = await test.db.selectFrom('payments').select('receipt_number').orderBy('receipt_number').execute()
  const numbers = rows.map(({ receipt_number }) => Number(receipt_number?.split('-')[1]))
  expect(numbers.length).toBeGreaterThan(80)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, i) => i + 1))
})
