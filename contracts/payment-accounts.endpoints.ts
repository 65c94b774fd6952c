import { Agreement, InvoiceMoney, OpenInvoice } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlugParams, page } from './fields.ts'
import { AccountProvider, OwnInvoice, PaymentAccounts, PayPalKeys } from './payment-accounts.ts'
import * as z from './zod.ts'

export const getPaymentAccounts = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/payment-accounts',
  summary: 'Read where a business’s subscribers pay; never returns a secret (owner only)',
  tag: 'Billing',
  access: 'member',
  params: IdOrSlugParams,
  response: PaymentAccounts,
})

export const connectPayPal = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/payment-accounts/paypal',
  summary: 'Connect or replace a business’s PayPal account; its keys are checked and its webhook is created before anything is stored',
  tag: 'Billing',
  access: 'member',
  rateLimit: 'sign-in',
  params: IdOrSlugParams,
  body: PayPalKeys,
  response: PaymentAccounts,
})

export const saveOwnInvoice = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/payment-accounts/invoice',
  summary: 'Set how subscribers pay the business’s own invoices',
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  params: IdOrSlugParams,
  body: OwnInvoice,
  response: PaymentAccounts,
})

export const disconnectAccount = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/payment-accounts/:provider',
  summary: 'Stop new purchases through the account. Current ones continue until canceled; the key is erased when none are left.',
  tag: 'Billing',
  access: 'member',
  params: z.object({ ...IdOrSlugParams.shape, provider: AccountProvider }),
  response: PaymentAccounts,
  status: 200,
})

export const listOwnInvoices = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/invoice-checkouts',
  summary: 'List subscriptions to a business that wait for its invoice to be paid, newest first (owner only)',
  tag: 'Billing',
  access: 'member',
  paginated: true,
  params: IdOrSlugParams,
  query: z.object(page),
  response: z.array(OpenInvoice),
})

export const recordOwnInvoicePayment = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/invoice-payments',
  summary: 'Record money received by the business’s own invoice, for a subscription to it (owner only)',
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  idempotent: true,
  params: IdOrSlugParams,
  body: InvoiceMoney,
  response: Agreement,
  status: 201,
})
