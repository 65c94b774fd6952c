import { type AccountProvider, chargesItself, paymentProviderNames, paymentProviders } from '#contracts/payment-providers.ts'
import { dayMs } from '#contracts/time.ts'
import { inTransaction, recordDone } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import { firstUuid } from '#server/kernel/ids.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { composeMail } from '#server/kernel/mail.ts'
import { ProviderUnavailable } from '#server/kernel/payments.ts'
import { afterTime } from './agreement-state.ts'
import { type AgreementRow, findAgreement, lockAgreement, stateOf } from './agreements.queries.ts'
import { applyState, isAbandoned, type Notes, writeNotes } from './apply-state.ts'
import {
  cancelLocally,
  closeStray,
  endLostPlans,
  endPaymentsFor,
  endPurchasesOfBanned,
  endSubscriptions,
  settleAtProvider,
} from './change-agreement.ts'
import { sendConfirmation } from './confirmations.ts'
import { sendDunning } from './invoices.ts'
import { handleMessage, receiveMessage } from './messages.ts'
import { providerFor } from './payment-accounts.queries.ts'
import { approvalDays, checkAccount, checkAccounts } from './payment-accounts.ts'
import { type SyncCtx, syncAgreement, syncSubscription } from './sync-agreement.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'billing.reconcile': { after?: string }
    'billing.expire': Record<string, never>
    'billing.end-payments': { businessId: string; userId: string }
    'billing.end-subscriptions': { businessId: string }
    'billing.end-plans': { agreementIds: string[] }
    'billing.end-purchases': { userId: string }
    /** Makes the test provider's due payments and delivers its webhooks as a real provider would. */
    'billing.run-test-provider': Record<string, never>
  }
}

type BillingJob = Extract<JobName, `billing.${string}`>

export function billingJobs(ctx: Context): Pick<JobHandlers, BillingJob> {
  return {
    'billing.sync': (data) => handleMessage(ctx, data),
    'billing.settle': ({ agreementId }) => settleAtProvider(ctx, agreementId),
    'billing.confirm': (data) => sendConfirmation(ctx, data),
    'billing.close-stray': (data) => closeStray(ctx, data),
    'billing.end-payments': (data) => endPaymentsFor(ctx, data),
    'billing.end-subscriptions': ({ businessId }) => endSubscriptions(ctx, businessId),
    'billing.end-plans': ({ agreementIds }) => endLostPlans(ctx, agreementIds),
    'billing.end-purchases': ({ userId }) => endPurchasesOfBanned(ctx, userId),
    'billing.dun': (data) => sendDunning(ctx, data),
    'billing.expire': () => expire(ctx),
    'billing.check-accounts': () => checkAccounts(ctx),
    'billing.check-account': ({ accountId }) => checkAccount(ctx, accountId),
    'billing.notify-of-account': (data) => mailAccountProblem(ctx, data),
    'billing.mail-new-account': (data) => mailNewAccount(ctx, data),
    async 'billing.reconcile'({ after }) {
      const { asked, failed, next } = await reconcile(ctx, after ?? null)
      if (next) await ctx.jobs.enqueue('billing.reconcile', { after: next })
      if (failed > 0) ctx.log.warn({ asked, failed }, 'a payment provider did not respond for some purchases; leaving them unchanged')
    },
    async 'billing.run-test-provider'() {
      const { test } = ctx.payments
      if (!test) return
      await test.renewDue()
      for (const { id, headers, body } of await test.waitingMessages()) {
        if (await receiveMessage(ctx, test, headers, body)) await test.markDelivered(id)
      }
    },
  }
}

export const billingSchedules: readonly JobSchedule[] = [
  { name: 'billing.reconcile', cron: '23 3 * * *', data: {} },
  { name: 'billing.check-accounts', cron: '41 2 * * *', data: {} },
  { name: 'billing.expire', cron: '7 * * * *', data: {} },
  { name: 'billing.run-test-provider', cron: '*/5 * * * *', data: {} },
]

const batch = 100
const pendingDays = 7
const messageDays = 90
/** How long an unpaid checkout is kept after it expires. Invoices may be paid late. */
const checkoutRetentionDays = 30
/** After this many consecutive failures, an account counts as down, and its other purchases on the page wait until tomorrow. */
const maxFailures = 3

/**
 * Compares a page of running purchases with the providers, to make up for crashes, lost webhooks and outages. A provider that
 * doesn't respond changes nothing. Returns the cursor of the next page, or null after the last one.
 */
async function reconcile(ctx: SyncCtx, after: string | null): Promise<{ asked: number; failed: number; next: string | null }> {
  const counts = { asked: 0, failed: 0 }
  const away = new Map<string, number>()
  const ask: Ask = async (provider, work) => {
    if ((away.get(provider) ?? 0) >= maxFailures) return
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
  if (after === null) {
    await adoptMissed(ctx, ask)
    await endSubscriptions(ctx, null)
    await endPurchasesOfBanned(ctx, null)
  }
  const rows = await ctx.db
    .selectFrom('agreements')
    .selectAll()
    .where('id', '>', after ?? firstUuid)
    .where('provider', 'in', paymentProviderNames.filter(chargesItself))
    .where((eb) => eb.or([eb('status', '<>', 'ended'), eb('closed_at', 'is', null)]))
    .orderBy('id')
    .limit(batch)
    .execute()
  for (const row of rows) await ask(accountName(row), () => reconcileOne(ctx, row))
  return { ...counts, next: rows.length < batch ? null : (rows.at(-1)?.id ?? null) }
}

/** Failures are counted per account, so that one outage doesn't block the others. */
const accountName = ({ provider, account_id }: Pick<AgreementRow, 'provider' | 'account_id'>) => `${provider} ${account_id ?? ''}`

type Ask = (account: string, work: () => Promise<unknown>) => Promise<void>

/** A purchase that ended here but not at the provider is queued again; see `applyState`. */
async function reconcileOne(ctx: SyncCtx, row: AgreementRow): Promise<void> {
  const provider = await providerFor(ctx, row)
  if (!provider) return
  await syncAgreement(ctx, provider, row)
  const isStalePending = row.status === 'pending' && row.created_at.getTime() < ctx.clock.now().getTime() - pendingDays * dayMs
  if (isAbandoned(row) || isStalePending) await cancelAbandoned(ctx, row.id)
  // The subscription may have been paused instead of closed, because someone could still resume it then.
  if (isAbandoned(row)) await settleAtProvider(ctx, row.id)
}

async function cancelAbandoned(ctx: SyncCtx, id: string): Promise<void> {
  const now = await findAgreement(ctx.db, id)
  if (now && (isAbandoned(now) || now.status === 'pending')) await cancelLocally(ctx, id, null)
}

/**
 * Adopts purchases that were approved at the provider but missed here, because the page was closed, the webhook was lost or the
 * server restarted.
 */
async function adoptMissed(ctx: SyncCtx, ask: Ask): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - approvalDays * dayMs)
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

/** Applies changes that depend only on time: ended periods and grace, unpaid invoices, expired checkouts. */
async function expire(ctx: SyncCtx): Promise<void> {
  const now = ctx.clock.now()
  let last = firstUuid
  for (;;) {
    const due = await ctx.db
      .selectFrom('agreements')
      .select('id')
      .where('id', '>', last)
      .where((eb) =>
        eb.or([
          eb.and([eb('status', 'in', ['active', 'past_due', 'canceled']), eb('entitled_until', '<=', now)]),
          // These purchases enter their grace period, whose end the billing page shows.
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
    .where('expires_at', '<', new Date(now.getTime() - checkoutRetentionDays * dayMs))
    .execute()
  await ctx.db
    .deleteFrom('payment_messages')
    .where('received_at', '<', new Date(now.getTime() - messageDays * dayMs))
    .execute()
  await ctx.db
    .deleteFrom('test_provider_messages')
    .where('delivered_at', '<', new Date(now.getTime() - messageDays * dayMs))
    .execute()
}

async function expireOne(ctx: SyncCtx, id: string): Promise<void> {
  const countChanged = await inTransaction(ctx.db, async (tx) => {
    const locked = await lockAgreement(tx, id)
    if (!locked) return false
    const notes: Notes = []
    const next = afterTime(stateOf(locked.row), ctx.clock.now(), !chargesItself(locked.row.provider))
    const changed = await applyState(ctx, tx, locked, next, null, notes)
    await writeNotes(tx, notes)
    return changed
  })
  if (countChanged) ctx.cache.invalidate('businesses')
}

/** These emails name neither the product, the business nor the buyers, because they show on lock screens and in shared mailboxes. */
async function mailOwners(ctx: Context, businessId: string, subject: string, paragraphs: readonly string[]): Promise<void> {
  const owners = await ctx.db
    .selectFrom('business_members')
    .innerJoin('users', 'users.id', 'business_members.user_id')
    .select('users.email')
    .where('business_id', '=', businessId)
    .where('business_members.role', '=', 'owner')
    .where('users.is_demo', '=', false)
    .execute()
  const brand = { name: ctx.config.billingName, supportEmail: ctx.brand.supportEmail }
  const link = `${ctx.config.publicUrl}/business-dashboard?business=${businessId}&tab=subscriptions`
  for (const { email } of owners) await ctx.mail.send(composeMail(brand, email, subject, [...paragraphs, link]))
}

const mailNewAccount = (ctx: Context, { businessId, provider }: { businessId: string; provider: AccountProvider }): Promise<void> =>
  mailOwners(ctx, businessId, 'how you get paid has changed', [
    provider === 'invoice'
      ? 'The instructions for paying your invoices were just changed.'
      : `A ${paymentProviders[provider].label} account was just connected. New payments go to it.`,
    `If this wasn’t you, set a new password at ${ctx.config.publicUrl}/auth/forgot, write to ${ctx.brand.supportEmail} and change it back:`,
  ])

/** Records the email only after sending it, so a crash in between sends it twice rather than never. */
async function mailAccountProblem(ctx: Context, data: { accountId: string; since: string }): Promise<void> {
  const failing = () =>
    ctx.db
      .selectFrom('business_payment_accounts')
      .where('id', '=', data.accountId)
      .where('failing_since', '=', new Date(data.since))
      .where('told_at', 'is', null)
  const account = await failing().select(['provider', 'business_id']).executeTakeFirst()
  if (account) {
    await mailOwners(ctx, account.business_id, 'your payment account needs attention', [
      `The keys for the ${paymentProviders[account.provider].label} account you connected no longer work.`,
      'Existing payments aren’t affected. New ones can’t start until you connect it again:',
    ])
  }
  await recordDone(() =>
    ctx.db
      .updateTable('business_payment_accounts')
      .set({ told_at: ctx.clock.now() })
      .where('id', '=', data.accountId)
      .where('failing_since', '=', new Date(data.since))
      .execute(),
  )
}
