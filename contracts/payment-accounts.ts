import { line } from './fields.ts'
import { paymentProviderNames, takesAccounts } from './payment-providers.ts'
import * as z from './zod.ts'

export const AccountProvider = z.enum(paymentProviderNames.filter(takesAccounts))

/**
 * - `working`
 * - `silent`: PayPal didn't respond to the last request; nothing is lost
 * - `refused`: PayPal rejects the keys
 * - `unreadable`: the stored key can't be decrypted, because the server's secret was changed
 * - `former_owner`: it belongs to someone who no longer owns the business
 *
 * The last three take no new purchases until reconnected.
 */
export const AccountState = z.enum(['working', 'silent', 'refused', 'unreadable', 'former_owner'])
export type AccountState = z.infer<typeof AccountState>

export const PaymentAccounts = z.object({
  /** False in test mode, where no money moves and there is nothing to connect. */
  isOffered: z.boolean(),
  /** Requires a plan with custom prices, unless an account is already connected. */
  mayConnect: z.boolean(),
  paypal: z.nullable(
    z.object({
      /** The end of its client ID. The secret is never returned. */
      endsIn: z.string(),
      environment: z.enum(['live', 'sandbox']),
      state: AccountState,
      /** Start of the current failure. */
      failingSince: z.nullable(z.iso.datetime()),
      connectedAt: z.iso.datetime(),
      checkedAt: z.nullable(z.iso.datetime()),
      payingCount: z.int(),
    }),
  ),
  invoice: z.nullable(z.object({ instructions: z.string(), state: AccountState, payingCount: z.int() })),
  /** Disconnected accounts through which people still pay until they cancel. */
  former: z.array(
    z.object({ provider: AccountProvider, endsIn: z.nullable(z.string()), retiredAt: z.iso.datetime(), payingCount: z.int() }),
  ),
})
export type PaymentAccounts = z.infer<typeof PaymentAccounts>

/** Keys of a REST app in PayPal's dashboard. */
export const PayPalKeys = z.object({
  clientId: z
    .string('Client ID is required')
    .check(z.trim(), z.minLength(1, 'Client ID is required'), z.regex(/^[\w-]{16,200}$/, "This isn't the client ID of a PayPal REST app")),
  clientSecret: z
    .string('Secret is required')
    .check(z.trim(), z.minLength(1, 'Secret is required'), z.regex(/^[\x21-\x7e]{8,300}$/, "This isn't the secret of a PayPal REST app")),
})
export type PayPalKeys = z.infer<typeof PayPalKeys>

export const OwnInvoice = z.object({ instructions: line(1000, 'Explain how to pay') })
