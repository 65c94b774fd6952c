import type { Checkout, NewCheckout } from '#contracts/billing.ts'
import { forOneBusiness } from '#contracts/entitlements.ts'
import type { Currency } from '#contracts/fields.ts'
import { formatCents, parseCents, shortPrice } from '#contracts/money.rules.ts'
import { type ChargingProvider, chargesItself, isTest, paymentProviders } from '#contracts/payment-providers.ts'
import { hourMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { labelForMember, requireInBusiness } from '#server/features/businesses/index.ts'
import { refuseBlockedBusiness } from '#server/features/follows/index.ts'
import { requirePermission, type TeamBusiness } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { type PaymentProvider, ProviderRefused, ProviderUnavailable } from '#server/kernel/payments.ts'
import { isResumable } from './agreements.queries.ts'
import { refuseLifted } from './change-agreement.ts'
import { providerUnavailable, viewCheckout } from './checkouts.ts'
import { lastDay } from './confirmations.ts'
import { businessEntitlements } from './entitlements.ts'
import { offerOf, waysToSell } from './offers.ts'
import { type AccountRow, providerOfAccount } from './payment-accounts.queries.ts'
import { changesFrom, findPlan, type KnownPlan } from './plans.ts'
import { requireProvider } from './sync-agreement.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'payments' | 'config' | 'log' | 'jobs'>

type Purchase = {
  planId: string | null
  businessId: string | null
  subscribeTo: string | null
  replaces: string | null
  /** The business's own account that gets the money, or null for the site's. */
  account: AccountRow | null
  title: string
  /** The plan's key and name at the provider. The name shows on statements, so it doesn't reveal what the site is about. */
  key: string
  statementName: string
  amountCents: number
  currency: Currency
}

/**
 * Nothing is bought until the provider confirms the purchase or the payment of the invoice is recorded.
 * @throws AppError invalid_input, not_found, forbidden, conflict, unavailable, idempotency_mismatch
 */
export async function beginCheckout(ctx: Ctx, actor: Actor, input: NewCheckout, idempotency: IdempotencyKey | null): Promise<Checkout> {
  if (input.subscribeTo === undefined && !ctx.payments.offered.includes(input.provider)) {
    throw invalidField('provider', 'This payment method isn’t available here.')
  }
  if (!isTest(input.provider)) await refuseDemoAccount(ctx.db, actor.id)
  const purchase = await readPurchase(ctx, actor, input)
  if (input.price) refuseOtherPrice(purchase, input.price)
  const providerPlanId = chargesItself(input.provider) ? await ensurePlan(ctx, input.provider, purchase) : null
  return inTransaction(ctx.db, (tx) =>
    once(tx, actor.id, idempotency, ctx.clock.now(), async () => {
      const now = ctx.clock.now()
      const row = await tx
        .insertInto('checkouts')
        .values({
          id: newId(),
          user_id: actor.id,
          plan_id: purchase.planId,
          business_id: purchase.businessId,
          subscribe_to: purchase.subscribeTo,
          provider: input.provider,
          provider_plan_id: providerPlanId,
          account_id: purchase.account?.id ?? null,
          title: purchase.title,
          amount_cents: purchase.amountCents,
          currency: purchase.currency,
          status: 'open',
          replaces: purchase.replaces,
          created_at: now,
          expires_at: new Date(now.getTime() + paymentProviders[input.provider].checkoutHours * hourMs),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return viewCheckout({ ...ctx, db: tx }, row)
    }),
  )
}

/** Demo accounts are open to everyone, including their payments and receipts. @throws AppError forbidden */
async function refuseDemoAccount(db: Db, userId: string): Promise<void> {
  const { is_demo } = await db.selectFrom('users').select('is_demo').where('id', '=', userId).executeTakeFirstOrThrow()
  if (is_demo) throw new AppError('forbidden', { message: 'Demo accounts can’t buy anything. Create your own account.' })
}

/** @throws AppError conflict */
function refuseOtherPrice({ amountCents, currency }: Purchase, shown: NonNullable<NewCheckout['price']>): void {
  if (parseCents(shown.amount) === amountCents && shown.currency === currency) return
  const price = shortPrice(formatCents(amountCents), currency)
  throw new AppError('conflict', { message: `The price is now ${price} per month. Nothing was bought.` })
}

async function readPurchase(ctx: Ctx, actor: Actor, wish: NewCheckout): Promise<Purchase> {
  if ((wish.planId === undefined) === (wish.subscribeTo === undefined)) {
    throw invalidField('planId', 'Choose a plan, or a business to subscribe to.')
  }
  return wish.subscribeTo === undefined ? readPlan(ctx, actor, wish) : readSubscription(ctx, actor, wish.subscribeTo, wish)
}

async function readPlan(ctx: Ctx, actor: Actor, wish: NewCheckout): Promise<Purchase> {
  const plan = findPlan(wish.planId ?? '')
  if (!plan) throw invalidField('planId', 'Plan not found.')
  const old = wish.replaces === undefined ? null : await replaceable(ctx.db, actor.id, wish.replaces, plan.id)
  const business = plan.audience === 'person' ? await menuToLift(ctx, actor, plan, wish) : await businessFor(ctx.db, actor, wish, old)
  const business_id = plan.audience === 'person' ? null : (business?.id ?? null)
  await refuseSecond(ctx, actor, { plan_id: plan.id, business_id, subscribe_to: null })
  return {
    planId: plan.id,
    businessId: business?.id ?? null,
    subscribeTo: null,
    replaces: old?.id ?? null,
    account: null,
    title: business ? `${plan.name} for ${await labelForMember(ctx.db, actor.id, business)}` : plan.name,
    key: `plan:${plan.id}`,
    statementName: `${ctx.config.billingName} ${plan.name}`,
    amountCents: plan.monthlyCents,
    currency: 'USD',
  }
}

/** The business that a business plan is bought for; null if it is assigned later. */
async function businessFor(
  db: Db,
  actor: Actor,
  wish: NewCheckout,
  old: { business_id: string | null } | null,
): Promise<TeamBusiness | null> {
  const businessId = wish.businessId ?? old?.business_id ?? null
  if (old && old.business_id !== businessId) throw invalidField('replaces', 'The purchase it replaces is for a different business.')
  return businessId === null ? null : requirePermission(db, actor, businessId, 'billing')
}

/**
 * The business whose menu limit a personal plan lifts: the named one, or the only one the payer owns; null if the payer has several and
 * chooses later. The plan isn't sold to people without a business, because it would do almost nothing for them.
 */
async function menuToLift(ctx: Ctx, actor: Actor, plan: KnownPlan, { businessId }: NewCheckout): Promise<TeamBusiness | null> {
  if (forOneBusiness(plan.id).length === 0) {
    if (businessId) throw invalidField('businessId', 'This plan is for people, not businesses.')
    return null
  }
  const owned = await ctx.db
    .selectFrom('business_members')
    .select('business_id')
    .where('user_id', '=', actor.id)
    .where('role', '=', 'owner')
    .limit(2)
    .execute()
  if (!businessId && owned.length === 0) {
    throw new AppError('conflict', {
      message: `${plan.name} unlocks the menu of a business that you own. You don’t own one here yet. Register or claim one first.`,
    })
  }
  const chosen = businessId ?? (owned.length === 1 ? owned[0]?.business_id : null)
  if (!chosen) return null
  const business = await requirePermission(ctx.db, actor, chosen, 'billing')
  await refuseLifted(ctx.db, business, ctx.clock.now())
  return business
}

async function replaceable(db: Db, userId: string, agreementId: string, planId: string) {
  const old = await db
    .selectFrom('agreements')
    .select(['id', 'plan_id', 'business_id', 'status', 'canceled_at'])
    .where('id', '=', agreementId)
    .where('payer_id', '=', userId)
    .executeTakeFirst()
  if (!old) throw notFound('Purchase not found.')
  const runs = (old.status === 'active' || old.status === 'past_due') && old.canceled_at === null
  if (!runs || !old.plan_id || !changesFrom(old.plan_id).includes(planId)) {
    throw new AppError('conflict', { message: 'This plan can’t replace that one.' })
  }
  return old
}

async function readSubscription(ctx: Ctx, actor: Actor, businessId: string, wish: NewCheckout): Promise<Purchase> {
  const business = await ctx.db
    .selectFrom('businesses')
    .select(['id', 'name'])
    .where('id', '=', businessId)
    .where('moderation', 'is', null)
    .executeTakeFirst()
  if (!business) throw notFound('Business not found.')
  if (wish.replaces !== undefined || wish.businessId) throw invalidField('subscribeTo', 'A subscription can’t include a plan.')
  // This takes no lock, because a block made before the payment arrives is found when the subscription begins.
  await refuseBlockedBusiness(ctx.db, actor.id, businessId)
  await requireInBusiness(ctx.db, businessId)
  const offer = await offerOf(ctx.db, businessId)
  if (!offer?.price_cents)
    throw new AppError('conflict', { message: 'Subscribing to this business is free, so you don’t need to buy anything.' })
  if (!(await businessEntitlements(ctx.db, businessId, ctx.clock.now())).has('own_prices')) {
    throw new AppError('conflict', { message: 'This business isn’t taking new subscriptions right now.' })
  }
  const way = (await waysToSell(ctx, ctx.db, businessId)).find(({ name }) => name === wish.provider)
  if (!way) throw new AppError('conflict', { message: 'You can’t pay this business by this method right now. Nothing was bought.' })
  const free = await ctx.db
    .selectFrom('subscriptions')
    .select('user_id')
    .where('user_id', '=', actor.id)
    .where('business_id', '=', businessId)
    // A paid subscription may outlast its paid period by up to an hour; `refuseSecond` checks the agreement.
    .where('is_paid', '=', false)
    .executeTakeFirst()
  if (free) throw new AppError('conflict', { message: 'You already subscribe, and your terms won’t change.' })
  await refuseSecond(ctx, actor, { plan_id: null, business_id: null, subscribe_to: businessId })
  return {
    planId: null,
    businessId: null,
    subscribeTo: businessId,
    replaces: null,
    account: way.account,
    title: `Subscription to ${business.name}`,
    // Plans are created in the account that gets the money.
    key: way.account ? `account:${way.account.id}` : `business:${businessId}`,
    statementName: `${ctx.config.billingName} subscription`,
    amountCents: offer.price_cents,
    currency: offer.currency,
  }
}

/** A canceled purchase can be bought again when its paid period has ended. */
async function refuseSecond(
  ctx: Ctx,
  actor: Actor,
  what: { plan_id: string | null; business_id: string | null; subscribe_to: string | null },
) {
  let query = ctx.db
    .selectFrom('agreements')
    .select(['status', 'paid_until', 'closed_at', isResumable(ctx.clock.now()).as('is_resumable')])
    .where((eb) =>
      eb.or([
        eb('status', 'in', ['pending', 'active', 'past_due']),
        eb.and([eb('status', '=', 'canceled'), eb('entitled_until', '>', ctx.clock.now())]),
      ]),
    )
    .where('plan_id', what.plan_id === null ? 'is' : '=', what.plan_id)
    .where('subscribe_to', what.subscribe_to === null ? 'is' : '=', what.subscribe_to)
    .where('business_id', what.business_id === null ? 'is' : '=', what.business_id)
  // A business needs a plan only once, whichever owner pays.
  if (what.business_id === null) query = query.where('payer_id', '=', actor.id)
  const before = await query.orderBy('paid_until', 'desc').executeTakeFirst()
  if (!before) return
  throw new AppError('conflict', {
    message: before.status === 'canceled' ? stillPaid(before) : 'You already have this, and it’s active.',
  })
}

type Canceled = { paid_until: Date | null; closed_at: Date | null; is_resumable: boolean }

/** Explains why a canceled purchase that is still paid for can't be bought again yet. */
function stillPaid({ paid_until, closed_at, is_resumable }: Canceled): string {
  const until = paid_until ? `It’s canceled, but paid until ${lastDay(paid_until)}.` : 'It’s canceled, but still paid.'
  if (is_resumable) return `${until} You can resume it under Billing.`
  const why = closed_at === null ? '' : ' The payment provider has closed it permanently.'
  return `${until}${why} You can buy it again after that day.`
}

/** Call outside a transaction: it may take seconds. */
async function ensurePlan(ctx: Ctx, name: ChargingProvider, purchase: Purchase): Promise<string> {
  const { key, statementName, amountCents, currency, account } = purchase
  const find = () =>
    ctx.db
      .selectFrom('provider_plans')
      .select('provider_plan_id')
      .where('provider', '=', name)
      .where('key', '=', key)
      .where('amount_cents', '=', amountCents)
      .where('currency', '=', currency)
      .executeTakeFirst()
  const provider = sellerOf(ctx, name, account)
  if (!provider.isAvailable()) throw providerUnavailable()
  const known = await find()
  if (known) return known.provider_plan_id
  const made = await provider.ensurePlan({ key, name: statementName, amountCents, currency }).catch(async (error: unknown) => {
    if (!(error instanceof ProviderUnavailable)) throw error
    // If the check finds the keys invalid, it emails the owner and stops further purchases through the account.
    if (error instanceof ProviderRefused && account) await ctx.jobs.enqueue('billing.check-account', { accountId: account.id })
    ctx.log.warn({ err: error, provider: name }, 'the payment provider does not respond')
    throw providerUnavailable(error)
  })
  await ctx.db
    .insertInto('provider_plans')
    .values({ provider: name, key, amount_cents: amountCents, currency, provider_plan_id: made, created_at: ctx.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await find())?.provider_plan_id ?? made
}

function sellerOf(ctx: Ctx, name: ChargingProvider, account: AccountRow | null): PaymentProvider {
  const provider = account ? providerOfAccount(ctx, account) : requireProvider(ctx, name)
  if (!provider) throw providerUnavailable()
  return provider
}
