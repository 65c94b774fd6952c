import { type Agreement, PaymentProviderName } from '../../../contracts/billing.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { ProviderUnavailable } from '../../kernel/payments.ts'
import { requirePermission } from '../team/index.ts'
import { afterCanceling } from './agreement-state.ts'
import { findAgreement, findByProvider, lockAgreement, stateOf } from './agreements.queries.ts'
import { loadAgreement } from './agreements.view.ts'
import { applyState, type Notes, wantedAtProvider, writeNotes } from './apply-state.ts'
import { providerFor } from './payment-accounts.queries.ts'
import { type SyncCtx, syncAgreement } from './sync-agreement.ts'

/**
 * Ends a purchase with its paid period: it's canceled here first, which also queues the job that pauses it at the provider; then it's
 * paused there at once, unless the provider is away. The payer may, and the owner of the business that a plan is for.
 * @throws AppError not_found
 */
export async function cancelAgreement(ctx: SyncCtx, actor: Actor, id: string): Promise<Agreement> {
  const viewer = await mayEnd(ctx, actor, id)
  await cancelHere(ctx, id, actor.id)
  await settleSoon(ctx, id)
  return loadAgreement(ctx, id, viewer)
}

/** What can't be done at once is done by the job. */
export const settleSoon = (ctx: SyncCtx, id: string): Promise<void> =>
  settleAtProvider(ctx, id).catch((error: unknown) => ctx.log.warn({ err: error, agreementId: id }, 'the provider is told later'))

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

const maxTurns = 5

/**
 * Has the provider do what the agreement says, and asks afterwards whether it does. Canceling and resuming may cross here: whoever acts
 * last at the provider looks again, so that the last word is the agreement's.
 * @throws ProviderUnavailable
 */
export async function settleAtProvider(ctx: SyncCtx, id: string): Promise<void> {
  for (let turn = 0; turn < maxTurns; turn++) {
    const row = await findAgreement(ctx.db, id)
    if (!row || row.closed_at || !row.provider_subscription_id) return
    const wanted = wantedAtProvider(row, stateOf(row))
    const provider = await providerFor(ctx, row)
    if (!provider) return
    if (wanted === 'closed') await provider.cancelSubscription(row.provider_subscription_id, 'Ended by the subscriber')
    else if (wanted === 'paused') await provider.pauseSubscription(row.provider_subscription_id, 'Canceled by the subscriber')
    else await provider.resumeSubscription(row.provider_subscription_id, 'Resumed by the subscriber')
    const now = await findAgreement(ctx.db, id)
    if (now && wantedAtProvider(now, stateOf(now)) === wanted) return syncAgreement(ctx, provider, now)
  }
  throw new ProviderUnavailable('The agreement kept changing.')
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
