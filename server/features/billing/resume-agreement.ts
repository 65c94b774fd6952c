import type { Agreement } from '../../../contracts/billing.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { refuseBlockedBusiness } from '../follows/index.ts'
import { requirePermission } from '../team/index.ts'
import { afterResuming, canResume } from './agreement-state.ts'
import { type AgreementRow, findAgreement, lockAgreement, otherRunning, stateOf } from './agreements.queries.ts'
import { loadAgreement } from './agreements.view.ts'
import { applyState, begin, isAbandoned, type Notes, writeNotes } from './apply-state.ts'
import { settleSoon } from './change-agreement.ts'
import { answerAway } from './checkouts.ts'
import { providerFor } from './payment-accounts.queries.ts'
import { type SyncCtx, syncAgreement } from './sync-agreement.ts'

/**
 * Takes a cancellation back: the purchase renews as before. The provider is asked first whether it still can. Resuming again changes
 * nothing; only the payer may, because the payer is charged.
 * @throws AppError not_found, forbidden, conflict, unavailable
 */
export async function resumeAgreement(ctx: SyncCtx, actor: Actor, id: string): Promise<Agreement> {
  const row = await findAgreement(ctx.db, id)
  if (row?.payer_id !== actor.id) throw notFound('This purchase is not here.')
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
    // Of a business that they handed over, the payer may end the plan and nothing else.
    if (parts?.business_id) await requirePermission(tx, actor, parts.business_id, 'billing', { lock: true })
    const locked = await lockAgreement(tx, id)
    if (locked?.row.payer_id !== actor.id) throw notFound('This purchase is not here.')
    const { row } = locked
    const state = stateOf(row)
    if (!state.isCanceled) return false
    const now = ctx.clock.now()
    if (!canResume(state, now) || isAbandoned(row)) throw new AppError('conflict', { message: tooLate(row) })
    await refuseReplaced(tx, row)
    if (row.subscribe_to) await refuseBlockedBusiness(tx, actor.id, row.subscribe_to)
    const notes: Notes = []
    const changed = await applyState(ctx, tx, locked, afterResuming(state, now), actor.id, notes)
    // The person who canceled may have left the business.
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

/** No one pays for two plans in place of one. @throws AppError conflict */
async function refuseReplaced(tx: Tx, row: AgreementRow): Promise<void> {
  const next = await tx
    .selectFrom('agreements')
    .select('title')
    .where('replaces', '=', row.id)
    .where('status', 'in', ['pending', 'active', 'past_due'])
    .executeTakeFirst()
  if (next) throw new AppError('conflict', { message: `${next.title} has replaced it. Cancel that plan first.` })
  if ((await otherRunning(tx, row)).length > 0) throw new AppError('conflict', { message: 'You have bought this again already.' })
}
