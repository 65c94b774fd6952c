import { LRUCache } from 'lru-cache'
import type { PaymentProviderName } from '#contracts/billing.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/connect.ts'
import type { Clock } from '#server/kernel/clock.ts'
import type { AccountKeys, PaymentProvider, Payments } from '#server/kernel/payments.ts'
import { createPayPal } from './paypal.ts'
import { createPayPalClient, ensureWebhook, removeWebhook } from './paypal-client.ts'
import { createTestProvider } from './test-provider.ts'

/** Accounts with a cached token and pause; evicted ones cost one more call. */
const maxAccounts = 500

/** If real payments are possible, the test provider is disabled, because it would give plans away. */
export function createPayments(config: Config, db: Db, clock: Clock): Payments {
  const paypal = config.paypal ? createPayPal({ ...config.paypal, productName: config.billingName, clock }) : null
  const isReal = paypal !== null || config.invoiceInstructions !== undefined
  const test = isReal ? null : createTestProvider({ db, clock, secret: config.sessionSecret })
  const offered: PaymentProviderName[] = []
  if (paypal) offered.push('paypal')
  if (config.invoiceInstructions !== undefined) offered.push('invoice')
  if (test) offered.push('test')
  const apiUrl = config.payPalApi.url
  // A person is waiting for the response.
  const clientOf = (keys: AccountKeys) => createPayPalClient({ ...keys, apiUrl, clock, timeoutMs: 5_000 })
  const accounts = new LRUCache<string, { keys: string; provider: PaymentProvider }>({ max: maxAccounts })
  return {
    offered,
    find: (name) => (name === 'paypal' ? paypal : name === 'test' ? test : null),
    test,
    takesAccounts: isReal,
    ofAccount({ id, clientId, clientSecret, webhookId }) {
      const keys = JSON.stringify([clientId, clientSecret, webhookId])
      const known = accounts.get(id)
      if (known?.keys === keys) return known.provider
      const provider = createPayPal({ clientId, clientSecret, webhookId, apiUrl, clock, accountId: id, productName: config.billingName })
      accounts.set(id, { keys, provider })
      return provider
    },
    openAccount: async (keys, url) => ({ webhookId: await ensureWebhook(clientOf(keys), url) }),
    closeAccount: (keys, webhookId) => removeWebhook(clientOf(keys), webhookId),
    invoiceInstructions: config.invoiceInstructions ?? null,
  }
}
