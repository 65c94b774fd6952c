import * as contract from '#contracts/billing.endpoints.ts'
import type { Auth } from '#server/features/accounts/index.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { beginCheckout } from './begin-checkout.ts'
import { assignAgreement, cancelAgreement, resumeAgreement } from './change-agreement.ts'
import { answerTestCheckout, approveCheckout, getCheckout } from './checkouts.ts'
import { addReceipts, receiptRoutes } from './confirmations.ts'
import { getBusinessPlanStatus, getOwnPlanStatus } from './entitlements.ts'
import {
  listInvoiceCheckouts,
  listOwnInvoices,
  recordInvoicePayment,
  recordOwnInvoicePayment,
  recordOwnInvoiceRefund,
  recordRefund,
} from './invoices.ts'
import { addMessages, messageRoutes } from './messages.ts'
import { getOffer, getReport, saveOffer, waysToBuy } from './offers.ts'
import { connectAccount, disconnectAccount, getPaymentAccounts, requireOwnerProof, saveOwnInvoice } from './payment-accounts.ts'
import { offeredPlans } from './plans.ts'
import { listAgreements, listOwnInvoicePayments, listPayments } from './read-agreements.ts'

export { billingJobs, billingSchedules } from './billing.jobs.ts'
export { cancelPurchases, endPlans } from './change-agreement.ts'
export { businessEntitlements, hasPlanWith, hasPrioritySupport, hasSubscriptionPrice } from './entitlements.ts'
export { abandonAccounts, eraseAccounts, moveAccounts, warnOfUnreachable } from './payment-accounts.queries.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** The entitlements of a business or a person changed; the other ID is null. */
    'billing.entitlements-changed': { businessId: string | null; userId: string | null }
  }
}

/** Routes under /api without a contract. */
export const billingRoutes: readonly string[] = [...messageRoutes, ...receiptRoutes]

export function registerBilling(api: Api, auth: Auth): void {
  route(api, contract.listPlans, async ({ ctx: { payments } }) => ({
    plans: offeredPlans(),
    providers: waysToBuy({ payments }),
  }))
  route(api, contract.getBusinessPlanStatus, ({ ctx, actor, params }) => getBusinessPlanStatus(ctx.db, actor, params.id, ctx.clock.now()))
  route(api, contract.getOwnPlanStatus, ({ ctx, actor }) => getOwnPlanStatus(ctx.db, actor.id, ctx.clock.now()))

  route(api, contract.beginCheckout, ({ ctx, actor, body, idempotency }) => beginCheckout(ctx, actor, body, idempotency))
  route(api, contract.getCheckout, ({ ctx, actor, params }) => getCheckout(ctx, actor, params.id))
  route(api, contract.approveCheckout, ({ ctx, actor, params, body }) => approveCheckout(ctx, actor, params.id, body.subscriptionID))
  route(api, contract.answerTestCheckout, ({ ctx, actor, params, body }) => answerTestCheckout(ctx, actor, params.id, body.outcome))

  route(api, contract.listAgreements, ({ ctx, actor, query }) => listAgreements(ctx, actor, query))
  route(api, contract.cancelAgreement, ({ ctx, actor, params }) => cancelAgreement(ctx, actor, params.id))
  route(api, contract.resumeAgreement, ({ ctx, actor, params }) => resumeAgreement(ctx, actor, params.id))
  route(api, contract.assignAgreement, ({ ctx, actor, params, body }) => assignAgreement(ctx, actor, params.id, body.businessId))
  route(api, contract.listPayments, ({ ctx, actor, query }) => listPayments(ctx.db, actor, query))

  route(api, contract.getSubscriptionOffer, ({ ctx, params }) => getOffer(ctx, params.id))
  route(api, contract.saveSubscriptionOffer, ({ ctx, actor, params, body }) => saveOffer(ctx, actor, params.id, body))
  route(api, contract.getSubscriptionReport, ({ ctx, actor, params }) => getReport(ctx.db, actor, params.id, ctx.clock.now()))

  route(api, contract.recordInvoicePayment, ({ ctx, actor, body, idempotency }) => recordInvoicePayment(ctx, actor, body, idempotency))
  route(api, contract.recordRefund, ({ ctx, actor, params, body, idempotency }) => recordRefund(ctx, actor, params.id, body, idempotency))
  route(api, contract.listInvoiceCheckouts, ({ ctx, query }) => listInvoiceCheckouts(ctx, query))

  route(api, contract.getPaymentAccounts, ({ ctx, actor, params }) => getPaymentAccounts(ctx, actor, params.id))
  route(api, contract.connectPayPal, async ({ ctx, actor, params, body: { password, ...keys } }) => {
    await requireOwnerProof(ctx, auth, actor, params.id, password)
    return connectAccount(ctx, actor, params.id, 'paypal', keys)
  })
  route(api, contract.saveOwnInvoice, async ({ ctx, actor, params, body: { password, instructions } }) => {
    await requireOwnerProof(ctx, auth, actor, params.id, password)
    return saveOwnInvoice(ctx, actor, params.id, instructions)
  })
  route(api, contract.disconnectAccount, ({ ctx, actor, params }) => disconnectAccount(ctx, actor, params.id, params.provider))
  route(api, contract.listOwnInvoices, ({ ctx, actor, params, query }) => listOwnInvoices(ctx, actor, params.id, query))
  route(api, contract.recordOwnInvoicePayment, ({ ctx, actor, params, body, idempotency }) =>
    recordOwnInvoicePayment(ctx, actor, params.id, body, idempotency),
  )
  route(api, contract.listOwnInvoicePayments, ({ ctx, actor, params, query }) => listOwnInvoicePayments(ctx.db, actor, params.id, query))
  route(api, contract.recordOwnInvoiceRefund, ({ ctx, actor, params, body, idempotency }) =>
    recordOwnInvoiceRefund(ctx, actor, params, body, idempotency),
  )

  addMessages(api)
  addReceipts(api)
}
