import type { PaymentProviderName } from '../../../contracts/billing.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/connect.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Payments } from '../../kernel/payments.ts'
import { createPayPal } from './paypal.ts'
import { createTestProvider } from './test-provider.ts'

/** Where real money can come in, the test provider is gone: it would give away what others pay for. */
export function createPayments(config: Config, db: Db, clock: Clock): Payments {
  const paypal = config.paypal ? createPayPal({ ...config.paypal, productName: config.billingName, clock }) : null
  const isReal = paypal !== null || config.invoiceInstructions !== undefined
  const test = isReal ? null : createTestProvider({ db, clock, secret: config.sessionSecret })
  const offered: PaymentProviderName[] = []
  if (paypal) offered.push('paypal')
  if (config.invoiceInstructions !== undefined) offered.push('invoice')
  if (test) offered.push('test')
  return {
    offered,
    find: (name) => (name === 'paypal' ? paypal : name === 'test' ? test : null),
    test,
    invoiceInstructions: config.invoiceInstructions ?? null,
  }
}
