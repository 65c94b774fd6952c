import { type Agreement, PaymentProviderName } from '../../../contracts/billing.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { requirePermission } from '../team/index.ts'
import { afterCanceling } from './agreement-state.ts'
import { findAgreement, findByProvider, lockAgreement, stateOf } from './agreements.queries.ts'
import { loadAgreement } from './agreements.view.ts'
import { applyState, type Notes, writeNotes } from './apply-state.ts'
import { providerFor } from './payment-accounts.queries.ts'
import { findPlan } from './plans.ts'
import { type SyncCtx, syncAgreement } from './sync-agreement.ts'

/**
 * Ends a purchase with its paid period: it is ended here first, which also queues the job that ends it at the provider; then it is
 * ended there at once, unless the provider is away. Whoever pays may, and the owner of the business that a plan is for.
 * @throws AppError not_found
 */
export async function cancelAgreement(ctx: SyncCtx, actor: Actor, id: string): Promise<Agreement> {
  const viewer = await mayEnd(ctx, actor, id)
  await cancelHere(ctx, id, actor.id)
  await closeAtProvider(ctx, id).catch((error: unknown) =>
    ctx.log.warn({ err: error, agreementId: id }, 'to be ended at the provider later'),
  )
  return loadAgreement(ctx.db, id, viewer)
}

async function mayEnd(ctx: SyncCtx, actor: Actor, id: string): Promise<{ id: string; mayBill: boolean }> {
  const row = await findAgreement(ctx.db, id)
  if (row?.payer_id === actor.id) return { id: actor.id, mayBill: false }
  if (!row?.business_id) throw notFound('This purchase is not here.')
  await requirePermission(ctx.db, actor, row.business_id, 'billing').catch(() => {
    // Who may not see it is not told that it is there.
    throw notFound('This purchase is not here.')
  })
  return { id: actor.id, mayBill: true }
}

/** Canceling again changes nothing. `actorId`: null for the software itself. */
export async function cancelHere(ctx: SyncCtx, id: string, actorId: string | null): Promise<void> {
  const countChanged = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id)
    if (!locked || locked.row.canceled_at) return false
    const notes: Notes = []
    const changed = await applyState(ctx, tx, locked, afterCanceling(stateOf(locked.row), ctx.clock.now()), actorId, notes)
    await writeNotes(tx, notes)
    return changed
  })
  if (countChanged) ctx.cache.invalidate('businesses')
}

/** Ends it at the provider when it is over here; asks afterwards whether that is so. @throws ProviderUnavailable */
export async function closeAtProvider(ctx: SyncCtx, id: string): Promise<void> {
  const row = await findAgreement(ctx.db, id)
  if (!row || row.closed_at || !row.provider_subscription_id) return
  if (row.canceled_at === null && row.status !== 'ended') return
  const provider = await providerFor(ctx, row)
  if (!provider) return
  await provider.cancelSubscription(row.provider_subscription_id, 'Ended by the subscriber')
  await syncAgreement(ctx, provider, row)
}

/** A subscription at the provider that was made for one of our checkouts and belongs to nothing here. */
export async function closeStray(ctx: SyncCtx, stray: { provider: string; accountId?: string | null; subscriptionId: string }) {
  const { accountId = null, subscriptionId } = stray
  const provider = await providerFor(ctx, { provider: PaymentProviderName.parse(stray.provider), account_id: accountId })
  if (!provider || (await findByProvider(ctx.db, provider, subscriptionId))) return
  await provider.cancelSubscription(subscriptionId, 'Not what was ordered')
}

/** Somebody no longer subscribes, for another reason than the end of their payments: those end too. */
export async function endPaymentsFor(ctx: SyncCtx, { businessId, userId }: { businessId: string; userId: string }): Promise<void> {
  const rows = await ctx.db
    .selectFrom('agreements')
    .select('id')
    .where('payer_id', '=', userId)
    .where('subscribe_to', '=', businessId)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .where((eb) =>
      eb.not(
        eb.exists(eb.selectFrom('subscriptions').select('user_id').where('user_id', '=', userId).where('business_id', '=', businessId)),
      ),
    )
    .execute()
  for (const { id } of rows) await cancelHere(ctx, id, null)
}

/**
 * Says which business a plan is for that was bought before there was one; once. Saying the same again changes nothing.
 * @throws AppError not_found, forbidden, conflict
 */
export async function assignAgreement(ctx: SyncCtx, actor: Actor, id: string, businessId: string): Promise<Agreement> {
  await inTransaction(ctx.db, async (tx) => {
    const business = await requirePermission(tx, actor, businessId, 'billing', { lock: true })
    const locked = await lockAgreement(tx, id)
    if (!locked || locked.row.payer_id !== actor.id) throw notFound('This purchase is not here.')
    const { row } = locked
    if (row.business_id === business.id) return
    const plan = row.plan_id === null ? null : findPlan(row.plan_id)
    if (plan?.audience !== 'business') throw new AppError('conflict', { message: 'This purchase is for no business.' })
    if (row.business_id !== null) throw new AppError('conflict', { message: 'This plan is for another business, and stays there.' })
    if (row.status === 'ended') throw new AppError('conflict', { message: 'This purchase has ended.' })
    const other = await tx
      .selectFrom('agreements')
      .select('id')
      .where('business_id', '=', business.id)
      .where('plan_id', '=', plan.id)
      .where('status', 'in', ['pending', 'active', 'past_due'])
      .executeTakeFirst()
    if (other) throw new AppError('conflict', { message: 'This business has that plan already.' })
    const now = ctx.clock.now()
    await tx
      .updateTable('agreements')
      .set({ business_id: business.id, title: `${plan.name} for ${business.name}`, updated_at: now })
      .where('id', '=', id)
      .execute()
    await ctx.events.publish(tx, 'billing.entitlements-changed', { businessId: business.id, userId: null })
    await writeNotes(tx, [
      {
        at: now,
        actorId: actor.id,
        action: 'agreement.assigned',
        subjectType: 'agreement',
        subjectId: id,
        businessId: business.id,
        details: { planId: plan.id },
      },
    ])
  })
  return loadAgreement(ctx.db, id, { id: actor.id, mayBill: true })
}
