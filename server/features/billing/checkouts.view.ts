import type { Selectable } from 'kysely'
import type { Checkout } from '../../../contracts/billing.ts'
import { formatCents } from '../../../contracts/money.ts'
import type { DB } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'

export type CheckoutRow = Selectable<DB['checkouts']>

export function toCheckout({ payments, clock }: Pick<Context, 'payments' | 'clock'>, row: CheckoutRow): Checkout {
  const isOpen = row.status === 'open'
  const clientId = payments.find('paypal')?.clientId
  return {
    id: row.id,
    // One that ran out is only marked so once a day.
    status: isOpen && row.expires_at <= clock.now() ? 'expired' : row.status,
    provider: row.provider,
    title: row.title,
    planId: row.plan_id,
    businessId: row.business_id ?? row.subscribe_to,
    price: { amount: formatCents(row.amount_cents), currency: row.currency },
    paypal:
      row.provider === 'paypal' && isOpen && clientId && row.provider_plan_id
        ? { clientId, planId: row.provider_plan_id, customId: row.id }
        : null,
    instructions: row.provider === 'invoice' && isOpen ? payments.invoiceInstructions : null,
    agreementId: row.agreement_id,
    expiresAt: row.expires_at.toISOString(),
  }
}
