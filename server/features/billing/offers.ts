import { sql } from 'kysely'
import { utcDate } from '#contracts/age.ts'
import type { PublicOffer, SubscriptionOffer, SubscriptionReport, WayToPay } from '#contracts/billing.ts'
import { formatCents, parseCents, shortPrice } from '#contracts/money.rules.ts'
import { isTest, takesKeys } from '#contracts/payment-providers.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { requireBusiness } from '#server/features/businesses/index.ts'
import { businessWords, requireClean } from '#server/features/screening/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { businessEntitlements } from './entitlements.ts'
import { type AccountRow, providerOfAccount } from './payment-accounts.queries.ts'

const minCents = 100
const maxCents = 100_000
const defaultTitle = 'Subscriber'

type Ctx = Pick<Context, 'db' | 'clock' | 'payments' | 'config'>

/** @throws AppError not_found */
export async function getOffer(ctx: Ctx, idOrSlug: string): Promise<PublicOffer> {
  const { id } = await requireBusiness(ctx.db, idOrSlug)
  const row = await offerOf(ctx.db, id)
  const mayPrice = (await businessEntitlements(ctx.db, id, ctx.clock.now())).has('own_prices')
  return {
    providers: mayPrice ? (await waysToSell(ctx, ctx.db, id)).map(({ account: _, ...way }): WayToPay => way) : [],
    price: row?.price_cents ? formatCents(row.price_cents) : null,
    currency: row?.currency ?? 'USD',
    title: row?.title ?? defaultTitle,
    perks: row?.perks ?? [],
  }
}

export const offerOf = (db: Db, businessId: string) =>
  db
    .selectFrom('subscription_offers')
    .select(['price_cents', 'currency', 'title', 'perks'])
    .where('business_id', '=', businessId)
    .executeTakeFirst()

/**
 * Existing subscribers keep their terms: a new price becomes a new plan at the provider.
 * @throws AppError not_found, forbidden, muted, plan_limit, conflict, invalid_input
 */
export async function saveOffer(ctx: Ctx, actor: Actor, idOrSlug: string, offer: SubscriptionOffer): Promise<PublicOffer> {
  const cents = offer.price === null ? null : parseCents(offer.price)
  if (cents !== null && (cents < minCents || cents > maxCents)) {
    const [min, max] = [minCents, maxCents].map((each) => shortPrice(formatCents(each), offer.currency))
    throw invalidField('price', `A price must be between ${min} and ${max}. Leave it empty to make subscribing free.`)
  }
  await inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'billing', { lock: true })
    const now = ctx.clock.now()
    if (cents !== null && !(await businessEntitlements(tx, business.id, now)).has('own_prices')) {
      throw new AppError('plan_limit', { message: 'You need Business Tools to set your own price. Without it, subscribing is free.' })
    }
    if (cents !== null && (await waysToSell(ctx, tx, business.id)).length === 0) {
      throw new AppError('conflict', {
        message: 'First set up how you get paid: connect your PayPal account, or explain how to pay your invoices.',
      })
    }
    const before = await offerOf(tx, business.id)
    const words = { title: offer.title, ...Object.fromEntries(offer.perks.map((perk, i) => [`perks.${i}`, perk])) }
    const check = await businessWords(tx, ctx, actor, 'business_profile', business.id)
    requireClean(check(words, before ? [before.title, ...before.perks] : [defaultTitle]))
    const values = { price_cents: cents, currency: offer.currency, title: offer.title, perks: offer.perks, updated_at: now }
    await tx
      .insertInto('subscription_offers')
      .values({ business_id: business.id, ...values })
      .onConflict((conflict) => conflict.column('business_id').doUpdateSet(values))
      .execute()
    await recordAudit(tx, {
      at: now,
      actorId: actor.id,
      action: 'offer.saved',
      subjectType: 'business',
      subjectId: business.id,
      businessId: business.id,
      details: { priceCents: cents, currency: offer.currency },
    })
  })
  return getOffer(ctx, idOrSlug)
}

type WayToSell = WayToPay & { account: AccountRow | null }

export const waysToBuy = ({ payments }: Pick<Context, 'payments'>): WayToPay[] =>
  payments.offered.map((name) => {
    const provider = payments.find(name)
    return { name, isTest: isTest(name), clientId: provider?.clientId ?? null, isAvailable: provider?.isAvailable() ?? true }
  })

/**
 * Ways to pay a business's own price. All of that money must go to the business, but the site's account and invoices would send
 * it to the site. So only the business's own accounts count, except in test mode, where no money moves.
 */
export async function waysToSell(ctx: Pick<Context, 'payments' | 'config'>, db: Db, businessId: string): Promise<WayToSell[]> {
  if (!ctx.payments.takesAccounts) return waysToBuy(ctx).map((way) => ({ ...way, account: null }))
  const accounts = await db
    .selectFrom('business_payment_accounts as accounts')
    .innerJoin('business_members as members', (join) =>
      join
        .onRef('members.business_id', '=', 'accounts.business_id')
        .onRef('members.user_id', '=', 'accounts.connected_by')
        // After a change of ownership, the former owner's account must not be used.
        .on('members.role', '=', 'owner'),
    )
    .innerJoin('users', 'users.id', 'members.user_id')
    .selectAll('accounts')
    .where('accounts.business_id', '=', businessId)
    .where('retired_at', 'is', null)
    .where('users.leaves_at', 'is', null)
    .where('users.banned_at', 'is', null)
    .where((eb) => eb.or([eb('failure', 'is', null), eb('failure', '=', 'silent')]))
    .orderBy('provider', 'desc')
    .execute()
  return accounts.flatMap((account): WayToSell[] => {
    const { provider: name } = account
    if (!takesKeys(name)) return [{ name, isTest: false, clientId: null, isAvailable: true, account }]
    const provider = providerOfAccount(ctx, account)
    return provider ? [{ name, isTest: false, clientId: provider.clientId, isAvailable: provider.isAvailable(), account }] : []
  })
}

const monthsShown = 12

/**
 * A business's subscribers, revenue and churn over the last 12 months (UTC), as totals without names. Amounts are in the
 * current price's currency; earlier payments in other currencies are left out.
 * @throws AppError not_found, forbidden
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
    .where('day', '>=', utcDate(first))
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
    payingCount: paying.people,
    monthlyRevenue: { amount: formatCents(paying.cents), currency },
    revenueShare: 100,
    months: monthsOf(
      first,
      current,
      new Map(days.map(({ month, began, ended }) => [month, { began, ended }])),
      new Map(revenue.map((row) => [row.month, row.cents])),
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
      // A gap in the counted changes must not make the number negative.
      const atBeginning = Math.max(0, atEnd - began + ended)
      subscribers = atBeginning
      // People who left may have subscribed in the same month.
      const ever = atBeginning + began
      const churn = ever === 0 ? null : Math.round((Math.min(ended, ever) / ever) * 1000) / 10
      return { month, began, ended, subscribers: atEnd, revenue: formatCents(cents.get(month) ?? 0), churn }
    })
    .reverse()
}
