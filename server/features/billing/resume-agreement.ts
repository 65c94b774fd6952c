import type { Agreement } from '#contracts/billing.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { refuseBlockedBusiness } from '#server/features/follows/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { afterResuming, canResume } from './agreement-state.ts'
import { type AgreementRow, findAgreement, lockAgreement, otherRunning, stateOf } from './agreements.queries.ts'
import { loadAgreement } from './agreements.view.ts'
import { applyState, begin, isAbandoned, type Notes, writeNotes } from './apply-state.ts'
import { settleSoon } from './change-agreement.ts'
import { answerAway } from './checkouts.ts'
import { providerFor } from './payment-accounts.queries.ts'
import { type SyncCtx, syncAgreement } from './sync-agreement.ts'

/**
 * Undoes a cancellation, so that the purchase renews as before. Checks first that the provider still allows it. Idempotent. Only
 * the payer may resume, because the payer is charged.
 * @throws AppError not_found, forbidden, conflict, unavailable
 */
export async function resumeAgreement(ctx: SyncCtx, actor: Actor, id: string): Promise<Agreement> {
  const row = await findAgreement(ctx.db, id)
  if (row?.payer_id !== actor.id) throw notFound('Purchase not found.')
  if (row.canceled_at) {
    await askProvider(ctx, row).catch(answerAway(ctx, 'Nothing was resumed. Try again in a minute.'))
    await resumeHere(ctx, actor, id)
    await settleSoon(ctx, id)
  }
  return loadAgreement(ctx, id, { id: actor.id, mayBill: false })
}

async function askProvider(ctx: SyncCtx, row: AgreementRow): Promise<void> {
  const provider = await providerFor(ctx, row)
  if (provider) await syncAgreement(ctx, provider, row)
}

async function resumeHere(ctx: SyncCtx, actor: Actor, id: string): Promise<void> {
  const countChanged = await inTransaction(ctx.db, async (tx) => {
    const parts = await tx.selectFrom('agreements').select('business_id').where('id', '=', id).executeTakeFirst()
    // A payer who handed the business over may only end its plan.
    if (parts?.business_id) await requirePermission(tx, actor, parts.business_id, 'billing', { lock: true })
    const locked = await lockAgreement(tx, id)
    if (locked?.row.payer_id !== actor.id) throw notFound('Purchase not found.')
    const { row } = locked
    const state = stateOf(row)
    if (!state.isCanceled) return false
    const now = ctx.clock.now()
    if (!canResume(state, now) || isAbandoned(row)) throw new AppError('conflict', { message: tooLate(row) })
    await refuseReplaced(tx, row)
    if (row.subscribe_to) await refuseBlockedBusiness(tx, actor.id, row.subscribe_to)
    const notes: Notes = []
    const changed = await applyState(ctx, tx, locked, afterResuming(state, now), actor.id, notes)
    // Resubscribes a payer who unsubscribed after canceling.
    const begun = await begin(ctx, tx, locked)
    await writeNotes(tx, notes)
    return changed || begun
  })
  if (countChanged) ctx.cache.invalidate('businesses')
}

const tooLate = ({ status, closed_at }: AgreementRow): string =>
  status === 'canceled' && closed_at !== null
    ? 'The payment provider has closed it for good, so it can’t be resumed. You can buy it again when it has ended.'
    : 'This purchase has ended. You can buy it again.'

/** Prevents paying for both a plan and its replacement. @throws AppError conflict */
async function refuseReplaced(tx: Tx, row: AgreementRow): Promise<void> {
  const next = await tx
    .selectFrom('agreements')
    .select('title')
    .where('replaces', '=', row.id)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .executeTakeFirst()
  if (next) throw new AppError('conflict', { message: `${next.title} has replaced it. Cancel that plan first.` })
  if ((await otherRunning(tx, row)).length > 0) throw new AppError('conflict', { message: 'You have already bought this again.' })
}
