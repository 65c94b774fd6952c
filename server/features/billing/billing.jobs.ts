import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { closeStray, endPaymentsFor, endSubscriptionsTo, settleAtProvider } from './change-agreement.ts'
import { sendConfirmation } from './confirmations.ts'
import { sendDunning } from './invoices.ts'
import { handleMessage, receiveMessage } from './messages.ts'
import { checkAccount, checkAccounts, mailAccountProblem } from './payment-accounts.ts'
import { expire, reconcile } from './reconcile.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'billing.reconcile': { after?: string }
    'billing.expire': Record<string, never>
    /** Ends a person's payments for a subscription that they no longer have. */
    'billing.end-payments': { businessId: string; userId: string }
    /** Cancels the paid subscriptions to a business that closed for good. */
    'billing.end-subscriptions': { businessId: string }
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
    'billing.end-subscriptions': (data) => endSubscriptionsTo(ctx, data),
    'billing.dun': (data) => sendDunning(ctx, data),
    'billing.expire': () => expire(ctx),
    'billing.check-accounts': () => checkAccounts(ctx),
    'billing.check-account': ({ accountId }) => checkAccount(ctx, accountId),
    'billing.tell-of-account': (data) => mailAccountProblem(ctx, data),
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
