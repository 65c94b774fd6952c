import { inTransaction } from '../../db/transaction.ts'
import { ProviderUnavailable } from '../../kernel/payments.ts'
import { afterTime } from './agreement-state.ts'
import { type AgreementRow, findAgreement, lockAgreement, stateOf } from './agreements.queries.ts'
import { applyState, isAbandoned, type Notes, writeNotes } from './apply-state.ts'
import { cancelHere, settleAtProvider } from './change-agreement.ts'
import { providerFor } from './payment-accounts.queries.ts'
import { type SyncCtx, syncAgreement, syncSubscription } from './sync-agreement.ts'

const batch = 100
const firstId = '00000000-0000-0000-0000-000000000000'
const day = 86_400_000
/** A purchase that was approved and never paid does not wait for ever. */
const pendingDays = 7
/** Providers send a message again for some days; whatever was approved in that time is looked for. */
const checkoutDays = 7
const messageDays = 90
/** So long after its end, a checkout that came to nothing is forgotten. Money for an invoice may come late. */
const checkoutKeptDays = 30
/** So many in a row without an answer: the provider is away, and the rest is asked tomorrow. */
const mostFailures = 3

/**
 * Compares a page of what runs with the providers: what was missed by a crash, a lost message or an outage is as if it had not been.
 * A provider that does not answer changes nothing. Answers where the next page begins, or null after the last one.
 */
export async function reconcile(ctx: SyncCtx, after: string | null): Promise<{ asked: number; failed: number; next: string | null }> {
  const counts = { asked: 0, failed: 0 }
  const away = new Map<string, number>()
  const ask: Ask = async (provider, work) => {
    if ((away.get(provider) ?? 0) >= mostFailures) return
    counts.asked++
    try {
      await work()
      away.set(provider, 0)
    } catch (error) {
      if (!(error instanceof ProviderUnavailable)) throw error
      counts.failed++
      away.set(provider, (away.get(provider) ?? 0) + 1)
    }
  }
  if (after === null) await adoptMissed(ctx, ask)
  const rows = await ctx.db
    .selectFrom('agreements')
    .selectAll()
    .where('id', '>', after ?? firstId)
    .where('provider', '<>', 'invoice')
    .where((eb) => eb.or([eb('status', '<>', 'ended'), eb('closed_at', 'is', null)]))
    .orderBy('id')
    .limit(batch)
    .execute()
  for (const row of rows) await ask(accountName(row), () => reconcileOne(ctx, row))
  return { ...counts, next: rows.length < batch ? null : (rows.at(-1)?.id ?? null) }
}

/** One that is away does not keep the others from being asked. */
const accountName = ({ provider, account_id }: Pick<AgreementRow, 'provider' | 'account_id'>) => `${provider} ${account_id ?? ''}`

type Ask = (account: string, work: () => Promise<unknown>) => Promise<void>

/** What is over here and not over there is queued again to be ended there: see `applyState`. */
async function reconcileOne(ctx: SyncCtx, row: AgreementRow): Promise<void> {
  const provider = await providerFor(ctx, row)
  if (!provider) return
  await syncAgreement(ctx, provider, row)
  const waitsInVain = row.status === 'pending' && row.created_at.getTime() < ctx.clock.now().getTime() - pendingDays * day
  if (isAbandoned(row) || waitsInVain) await cancelAbandoned(ctx, row.id)
  // Paused while there was still someone who could resume it.
  if (isAbandoned(row)) await settleAtProvider(ctx, row.id)
}

async function cancelAbandoned(ctx: SyncCtx, id: string): Promise<void> {
  const now = await findAgreement(ctx.db, id)
  if (now && (isAbandoned(now) || now.status === 'pending')) await cancelHere(ctx, id, null)
}

/** Approved at the provider, but the payer's page went away, the server stopped, or the message was lost. */
async function adoptMissed(ctx: SyncCtx, ask: Ask): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - checkoutDays * day)
  const rows = await ctx.db
    .selectFrom('checkouts')
    .select(['provider', 'account_id', 'provider_plan_id'])
    .distinct()
    .where('created_at', '>=', since)
    .where('agreement_id', 'is', null)
    .where('provider_plan_id', 'is not', null)
    .execute()
  const accounts = new Map(rows.map((row) => [accountName(row), row]))
  for (const [name, account] of accounts) {
    await ask(name, async () => {
      const provider = await providerFor(ctx, account)
      if (!provider) return
      const planIds = rows.flatMap((row) => (accountName(row) === name && row.provider_plan_id ? row.provider_plan_id : []))
      const ids = await provider.findSubscriptions(planIds, since)
      if (ids.length === 0) return
      const known = await ctx.db
        .selectFrom('agreements')
        .select('provider_subscription_id')
        .where('provider', '=', provider.name)
        .where('provider_subscription_id', 'in', ids)
        .execute()
      const knownIds = new Set(known.map((row) => row.provider_subscription_id))
      for (const id of ids) if (!knownIds.has(id)) await syncSubscription(ctx, provider, id)
    })
  }
}

/** What time alone changes: periods and graces that are over, invoices that nobody paid, checkouts that ran out. */
export async function expire(ctx: SyncCtx): Promise<void> {
  const now = ctx.clock.now()
  let last = firstId
  for (;;) {
    const due = await ctx.db
      .selectFrom('agreements')
      .select('id')
      .where('id', '>', last)
      .where((eb) =>
        eb.or([
          eb.and([eb('status', 'in', ['active', 'past_due', 'canceled']), eb('entitled_until', '<=', now)]),
          // In its grace from now on, which its page says.
          eb.and([eb('status', '=', 'active'), eb('paid_until', '<=', now), eb('grace_until', 'is', null)]),
        ]),
      )
      .orderBy('id')
      .limit(batch)
      .execute()
    for (const { id } of due) await expireOne(ctx, id)
    if (due.length < batch) break
    last = due.at(-1)?.id ?? last
  }
  await ctx.db.updateTable('checkouts').set({ status: 'expired' }).where('status', '=', 'open').where('expires_at', '<=', now).execute()
  await ctx.db
    .deleteFrom('checkouts')
    .where('status', 'in', ['refused', 'expired'])
    .where('agreement_id', 'is', null)
    .where('expires_at', '<', new Date(now.getTime() - checkoutKeptDays * day))
    .execute()
  await ctx.db
    .deleteFrom('payment_messages')
    .where('received_at', '<', new Date(now.getTime() - messageDays * day))
    .execute()
  await ctx.db
    .deleteFrom('test_provider_messages')
    .where('delivered_at', '<', new Date(now.getTime() - messageDays * day))
    .execute()
}

async function expireOne(ctx: SyncCtx, id: string): Promise<void> {
  const countChanged = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id)
    if (!locked) return false
    const notes: Notes = []
    const next = afterTime(stateOf(locked.row), ctx.clock.now(), locked.row.provider === 'invoice')
    const changed = await applyState(ctx, tx, locked, next, null, notes)
    await writeNotes(tx, notes)
    return changed
  })
  if (countChanged) ctx.cache.invalidate('businesses')
}
