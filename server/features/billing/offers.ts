import type { PaymentProviderName, SubscriptionOffer } from '../../../contracts/billing.ts'
import { formatCents, parseCents } from '../../../contracts/money.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { requireBusiness } from '../businesses/index.ts'
import { requirePermission } from '../team/index.ts'
import { businessEntitlements } from './entitlements.ts'

const leastCents = 100
const mostCents = 100_000

/** @throws AppError not_found */
export async function getOffer(db: Db, idOrSlug: string): Promise<SubscriptionOffer> {
  const { id } = await requireBusiness(db, idOrSlug)
  const row = await offerOf(db, id)
  return {
    price: row?.price_cents ? formatCents(row.price_cents) : null,
    currency: row?.currency ?? 'USD',
    title: row?.title ?? 'Subscriber',
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
 * Money for a business must go to the business, and all of it. Our PayPal account and our invoices would bring it to us, so only the
 * test provider, where no money moves, sells subscriptions to businesses yet: see docs/decisions/015-payments.md.
 */
export const sellsSubscriptions = ({ payments }: Pick<Context, 'payments'>, provider?: PaymentProviderName): boolean =>
  payments.offered.includes('test') && (provider ?? 'test') === 'test'

/**
 * Those who subscribe already keep their terms: a new price is another plan at the provider, and theirs is not touched.
 * @throws AppError not_found, forbidden, plan_limit, conflict, invalid_input
 */
export async function saveOffer(
  ctx: Pick<Context, 'db' | 'clock' | 'payments'>,
  actor: Actor,
  idOrSlug: string,
  offer: SubscriptionOffer,
): Promise<SubscriptionOffer> {
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
    if (cents !== null && !sellsSubscriptions(ctx)) {
      throw new AppError('conflict', {
        message: 'Nobody can pay you here yet, so a price would only keep people out. Subscribing stays free.',
      })
    }
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
  return getOffer(ctx.db, idOrSlug)
}
