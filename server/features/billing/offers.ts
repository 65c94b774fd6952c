import type { PublicOffer, SubscriptionOffer, WayToPay } from '../../../contracts/billing.ts'
import { formatCents, parseCents } from '../../../contracts/money.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { requireBusiness } from '../businesses/index.ts'
import { businessWords, requireClean } from '../screening/index.ts'
import { requirePermission } from '../team/index.ts'
import { businessEntitlements } from './entitlements.ts'
import { waysToSell } from './ways-to-pay.ts'

const leastCents = 100
const mostCents = 100_000
/** Of subscribing, where the business gave it no name. */
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
 * Those who subscribe already keep their terms: a new price is another plan at the provider, and theirs is not touched.
 * @throws AppError not_found, forbidden, muted, plan_limit, conflict, invalid_input
 */
export async function saveOffer(ctx: Ctx, actor: Actor, idOrSlug: string, offer: SubscriptionOffer): Promise<PublicOffer> {
  const cents = offer.price === null ? null : parseCents(offer.price)
  if (cents !== null && (cents < leastCents || cents > mostCents)) {
    throw invalidField(
      'price',
      `A price is between ${formatCents(leastCents)} and ${formatCents(mostCents)}. Leave it out to make subscribing free.`,
    )
  }
  await inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, idOrSlug, 'billing', { lock: true })
    const now = ctx.clock.now()
    if (cents !== null && !(await businessEntitlements(tx, business.id, now)).has('own_prices')) {
      throw new AppError('plan_limit', { message: 'Own prices come with Business Tools. Without it, subscribing is free.' })
    }
    if (cents !== null && (await waysToSell(ctx, tx, business.id)).length === 0) {
      throw new AppError('conflict', {
        message: 'Say first where the money goes: connect your own PayPal account, or say how your invoice is paid.',
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
