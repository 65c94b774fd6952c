import * as z from 'zod/mini'
import { Agreement, InvoiceMoney, OpenInvoice } from './billing.ts'
import { endpoint } from './endpoint.ts'
import { IdOrSlugParams } from './ids.ts'
import { page } from './pagination.ts'
import { line } from './text.ts'

/** By which a business can be paid itself. */
export const AccountProvider = z.enum(['paypal', 'invoice'])
export type AccountProvider = z.infer<typeof AccountProvider>

/**
 * - `working`
 * - `silent`: PayPal did not answer when it was last asked; nothing is lost
 * - `refused`: PayPal does not take its keys any more
 * - `unreadable`: the stored key cannot be read any more, because the server's own secret was changed
 * - `former_owner`: it is the account of somebody who does not own the business any more
 *
 * The last three take no new purchases until it is connected again.
 */
export const AccountState = z.enum(['working', 'silent', 'refused', 'unreadable', 'former_owner'])
export type AccountState = z.infer<typeof AccountState>

export const PaymentAccounts = z.object({
  /** False in test mode, where no money moves, and there is nothing to connect. */
  isOffered: z.boolean(),
  /** Own prices come with a plan; what is connected already can always be mended. */
  mayConnect: z.boolean(),
  paypal: z.nullable(
    z.object({
      /** The last characters of its client id. The secret is never answered. */
      endsIn: z.string(),
      environment: z.enum(['live', 'sandbox']),
      state: AccountState,
      /** Since when it does not work. */
      failingSince: z.nullable(z.iso.datetime()),
      connectedAt: z.iso.datetime(),
      checkedAt: z.nullable(z.iso.datetime()),
      /** People who pay through it. */
      payingCount: z.int(),
    }),
  ),
  invoice: z.nullable(z.object({ instructions: z.string(), state: AccountState, payingCount: z.int() })),
  /** Those that were taken away, and through which people still pay until they end it. */
  former: z.array(
    z.object({ provider: AccountProvider, endsIn: z.nullable(z.string()), retiredAt: z.iso.datetime(), payingCount: z.int() }),
  ),
})
export type PaymentAccounts = z.infer<typeof PaymentAccounts>

export const getPaymentAccounts = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/payment-accounts',
  summary: 'Where the money of a business’s own subscribers goes; never a secret (owner only)',
  tag: 'Billing',
  access: 'member',
  params: IdOrSlugParams,
  response: PaymentAccounts,
})

/** Of a REST app in PayPal's dashboard. */
export const PayPalKeys = z.object({
  clientId: z
    .string('Client id is required')
    .check(z.trim(), z.minLength(1, 'Client id is required'), z.regex(/^[\w-]{16,200}$/, 'This is no client id of a PayPal REST app')),
  clientSecret: z
    .string('Secret is required')
    .check(z.trim(), z.minLength(1, 'Secret is required'), z.regex(/^[\x21-\x7e]{8,300}$/, 'This is no secret of a PayPal REST app')),
})
export type PayPalKeys = z.infer<typeof PayPalKeys>

export const connectPayPal = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/payment-accounts/paypal',
  summary: 'Connect a business’s own PayPal account, or replace it: its keys are tried, and its webhook is made, before anything is stored',
  tag: 'Billing',
  access: 'member',
  rateLimit: 'sign-in',
  params: IdOrSlugParams,
  body: PayPalKeys,
  response: PaymentAccounts,
})

export const OwnInvoice = z.object({ instructions: line(1000, 'Say how to pay') })

export const saveOwnInvoice = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/payment-accounts/invoice',
  summary: 'Say how subscribers pay the business’s own invoice',
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
  summary: 'Take no new purchases by it. What people pay through it goes on until they end it; its key is erased when nothing is open',
  tag: 'Billing',
  access: 'member',
  params: z.object({ ...IdOrSlugParams.shape, provider: AccountProvider }),
  response: PaymentAccounts,
  status: 200,
})

export const listOwnInvoices = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/invoice-checkouts',
  summary: 'Subscriptions to a business that wait for money by its own invoice, newest first (owner only)',
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
  summary: 'Record money that came in by the business’s own invoice, for a subscription to it (owner only)',
  tag: 'Billing',
  access: 'member',
  words: 'payment',
  idempotent: true,
  params: IdOrSlugParams,
  body: InvoiceMoney,
  response: Agreement,
  status: 201,
})
