import type { Context } from '../../kernel/context.ts'
import type { JobHandlers, JobName, JobSchedule } from '../../kernel/jobs.ts'
import { closeStray, endPaymentsFor, settleAtProvider } from './change-agreement.ts'
import { checkAccount, checkAccounts, tellOfAccount } from './check-account.ts'
import { sendConfirmation } from './confirmations.ts'
import { sendDunning } from './dunning.ts'
import { handleMessage, receiveMessage } from './messages.ts'
import { expire, reconcile } from './reconcile.ts'

declare module '../../kernel/jobs.ts' {
  interface JobData {
    /** Compares every purchase that runs with what the provider says: a page, and then the next one in a job of its own. */
    'billing.reconcile': { after?: string }
    /** Ends what time has ended. */
    'billing.expire': Record<string, never>
    /** Somebody does not subscribe any more: their payments for it end. */
    'billing.end-payments': { businessId: string; userId: string }
    /** The test provider makes the payments that are due, and delivers its messages as a real one would. */
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
    'billing.dun': (data) => sendDunning(ctx, data),
    'billing.expire': () => expire(ctx),
    'billing.check-accounts': () => checkAccounts(ctx),
    'billing.check-account': ({ accountId }) => checkAccount(ctx, accountId),
    'billing.tell-of-account': (data) => tellOfAccount(ctx, data),
    async 'billing.reconcile'({ after }) {
      const { asked, failed, next } = await reconcile(ctx, after ?? null)
      if (next) await ctx.jobs.enqueue('billing.reconcile', { after: next })
      if (failed > 0) ctx.log.warn({ asked, failed }, 'a payment provider did not answer for some purchases; they stay as they are')
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
