import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { formatCents } from '#contracts/money.rules.ts'
import type { Config } from '#server/config.ts'
import type { Clock } from '#server/kernel/context.ts'
import type {
  AccountKeys,
  AccountService,
  PaymentProvider,
  ProviderPage,
  ProviderPayment,
  ProviderSubscription,
} from '#server/kernel/payments.ts'
import { addMonths } from '#server/kernel/time-zones.ts'
import {
  createPayPalClient,
  createPayPalVerifier,
  ensureWebhook,
  type PayPalSettings,
  read,
  removeWebhook,
  require2xx,
} from './paypal-client.ts'

const Money = z.object({ currency_code: z.string(), value: z.string().check(z.regex(/^\d+(\.\d{1,2})?$/)) })
const time = z.pipe(
  z.string(),
  z.transform((text: string) => new Date(text)),
)
const Subscription = z.object({
  id: z.string(),
  status: z.enum(['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']),
  plan_id: z.string(),
  custom_id: z.optional(z.string()),
  quantity: z.optional(z.string()),
  /** The browser creates subscriptions, so a payer could override the price. */
  plan_overridden: z.optional(z.boolean()),
  plan: z.optional(
    z.object({
      billing_cycles: z.array(
        z.object({ tenure_type: z.string(), pricing_scheme: z.optional(z.object({ fixed_price: z.optional(Money) })) }),
      ),
    }),
  ),
  billing_info: z.optional(
    z.object({
      last_payment: z.optional(z.object({ amount: Money, time })),
      next_billing_time: z.optional(time),
      failed_payments_count: z.optional(z.number()),
    }),
  ),
})
const Created = z.object({ id: z.string() })
const Listed = z.object({ subscriptions: z.optional(z.array(z.object({ id: z.string() }))) })
const Transactions = z.object({
  transactions: z.optional(
    z.array(
      z.object({
        id: z.string(),
        status: z.string(),
        amount_with_breakdown: z.object({ gross_amount: z.object({ currency_code: z.string(), value: z.string() }) }),
        time,
      }),
    ),
  ),
})
const Message = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  event_type: z.string().check(z.maxLength(100)),
  resource_type: z.optional(z.string()),
  resource: z.optional(z.object({ id: z.optional(z.string()), billing_agreement_id: z.optional(z.string()) })),
})

const states: Record<z.infer<typeof Subscription>['status'], ProviderSubscription['state']> = {
  APPROVAL_PENDING: 'pending',
  APPROVED: 'approved',
  ACTIVE: 'active',
  SUSPENDED: 'suspended',
  CANCELLED: 'closed',
  EXPIRED: 'closed',
}
const paymentStates: Record<string, ProviderPayment['status']> = {
  COMPLETED: 'paid',
  DECLINED: 'failed',
  REFUNDED: 'refunded',
  PARTIALLY_REFUNDED: 'partially_refunded',
}

/** The catalog product that all plans belong to. Its ID is fixed, so it is created only once. */
const productId = 'MONTHLY-PLANS'
const pageSize = 20
const maxPages = 50

const page: ProviderPage = {
  origins: ['https://*.paypal.com', 'https://*.paypalobjects.com'],
  writesStyles: true,
  opensWindow: true,
}

export const payPal = {
  page,
  ofSite: (config: Config, clock: Clock): PaymentProvider | null =>
    config.paypal ? createPayPal({ ...config.paypal, productName: config.billingName, clock }) : null,
}

export function payPalAccounts(config: Config, clock: Clock): AccountService {
  const { url: apiUrl, environment } = config.payPalApi
  // The timeout is short, because a person is waiting for the response.
  const clientOf = (keys: AccountKeys) => createPayPalClient({ ...keys, apiUrl, clock, timeoutMs: 5_000 })
  return {
    environment,
    ofAccount: ({ id, ...account }) => createPayPal({ ...account, apiUrl, clock, accountId: id, productName: config.billingName }),
    openAccount: async (keys, url) => ({ webhookId: await ensureWebhook(clientOf(keys), url) }),
    closeAccount: (keys, webhookId) => removeWebhook(clientOf(keys), webhookId),
  }
}

type Settings = PayPalSettings & { webhookId: string; productName: string; accountId?: string }

/** PayPal Subscriptions over the REST API. IDs from the browser are validated before they go into a path. */
export function createPayPal(settings: Settings): PaymentProvider {
  const client = createPayPalClient(settings)
  const isSigned = createPayPalVerifier(settings)

  async function ensureProduct(): Promise<void> {
    const answer = await client.send({
      method: 'POST',
      path: '/v1/catalogs/products',
      body: { id: productId, name: settings.productName, type: 'SERVICE' },
      requestId: `product-${productId}`,
    })
    // 422 DUPLICATE_RESOURCE_IDENTIFIER: the product already exists.
    if (answer.status !== 422) require2xx(answer, 'create a product')
  }

  async function change(id: string, verb: 'cancel' | 'suspend' | 'activate', reason: string): Promise<void> {
    if (!isSubscriptionId(id)) return
    const path = `/v1/billing/subscriptions/${id}/${verb}`
    const answer = await client.send({ method: 'POST', path, body: { reason: reason.slice(0, 128) } })
    // 422 SUBSCRIPTION_STATUS_INVALID: already in this state, or can't change anymore. 404: never existed.
    if (answer.status !== 422 && answer.status !== 404) require2xx(answer, `${verb} a subscription`)
  }

  return {
    name: 'paypal',
    accountId: settings.accountId ?? null,
    clientId: settings.clientId,
    isAvailable: client.isAvailable,

    async ensurePlan({ key, name, amountCents, currency }) {
      await ensureProduct()
      const answer = await client.send({
        method: 'POST',
        path: '/v1/billing/plans',
        requestId: `plan-${createHash('sha256').update(`${key}|${amountCents}|${currency}`).digest('hex').slice(0, 32)}`,
        body: {
          product_id: productId,
          name: name.slice(0, 127),
          status: 'ACTIVE',
          billing_cycles: [
            {
              frequency: { interval_unit: 'MONTH', interval_count: 1 },
              tenure_type: 'REGULAR',
              sequence: 1,
              total_cycles: 0,
              pricing_scheme: { fixed_price: { value: formatCents(amountCents), currency_code: currency } },
            },
          ],
          payment_preferences: { auto_bill_outstanding: true, setup_fee_failure_action: 'CANCEL', payment_failure_threshold: 3 },
          quantity_supported: false,
        },
      })
      return read(Created, require2xx(answer, 'create a plan')).id
    },

    async fetchSubscription(id) {
      if (!isSubscriptionId(id)) return null
      const answer = await client.send({ method: 'GET', path: `/v1/billing/subscriptions/${id}?fields=plan` })
      if (answer.status === 404) return null
      return toSubscription(read(Subscription, require2xx(answer, 'read a subscription')))
    },

    async findSubscriptions(planIds, since) {
      const ids: string[] = []
      for (let from = 0; from < planIds.length; from += 70) {
        const plans = planIds.slice(from, from + 70).join(',')
        for (let page = 1; page <= maxPages; page++) {
          const query = new URLSearchParams({
            plan_ids: plans,
            created_after: since.toISOString(),
            page_size: String(pageSize),
            page: String(page),
          })
          const answer = await client.send({ method: 'GET', path: `/v1/billing/subscriptions?${query}` })
          const { subscriptions = [] } = read(Listed, require2xx(answer, 'list subscriptions'))
          ids.push(...subscriptions.map((each) => each.id))
          if (subscriptions.length < pageSize) break
        }
      }
      return ids
    },

    cancelSubscription: (id, reason) => change(id, 'cancel', reason),
    pauseSubscription: (id, reason) => change(id, 'suspend', reason),
    resumeSubscription: (id, reason) => change(id, 'activate', reason),

    async listPayments(id, since, until) {
      if (!isSubscriptionId(id)) return []
      const query = new URLSearchParams({ start_time: since.toISOString(), end_time: until.toISOString() })
      const answer = await client.send({ method: 'GET', path: `/v1/billing/subscriptions/${id}/transactions?${query}` })
      if (answer.status === 404) return []
      const { transactions = [] } = read(Transactions, require2xx(answer, 'list payments'))
      return transactions.flatMap(({ id: paymentId, status, amount_with_breakdown, time: madeAt }) => {
        const state = paymentStates[status]
        const { value, currency_code: currency } = amount_with_breakdown.gross_amount
        // Refunds also appear as negative transactions, but the original payment already reports them.
        const amountCents = centsOf(value)
        if (!state || amountCents === null || amountCents === 0) return []
        const refundedCents = state === 'refunded' ? amountCents : state === 'partially_refunded' ? null : 0
        return [{ id: paymentId, amountCents, currency, status: state, refundedCents, madeAt }]
      })
    },

    async verifyMessage(headers, rawBody) {
      if (!(await isSigned(headers, rawBody))) return null
      const message = Message.safeParse(parsedJson(rawBody))
      if (!message.success) return null
      const { id, event_type: type, resource } = message.data
      // A payment names its subscription. A subscription event has the subscription's ID.
      const subscriptionId = resource?.billing_agreement_id ?? (type.startsWith('BILLING.SUBSCRIPTION.') ? resource?.id : undefined)
      return { id, type, subscriptionId: subscriptionId && isSubscriptionId(subscriptionId) ? subscriptionId : null }
    },
  }
}

const isSubscriptionId = (id: string) => /^I-[A-Z0-9]{1,40}$/.test(id)

export function toSubscription(row: z.infer<typeof Subscription>): ProviderSubscription {
  const { last_payment: last, next_billing_time: next, failed_payments_count: failures = 0 } = row.billing_info ?? {}
  const price = row.plan?.billing_cycles.find((cycle) => cycle.tenure_type === 'REGULAR')?.pricing_scheme?.fixed_price
  // The site never offers overridden prices, quantities or other billing cycles.
  const isAsOffered = !row.plan_overridden && (row.quantity ?? '1') === '1' && row.plan?.billing_cycles.length === 1
  const state = states[row.status]
  return {
    id: row.id,
    planId: row.plan_id,
    customId: row.custom_id ?? null,
    amountCents: (isAsOffered && price && centsOf(price.value)) || 0,
    currency: price?.currency_code ?? '',
    state,
    failedPayments: failures,
    lastPaidAt: last?.time ?? null,
    paidUntil: last ? (state === 'active' && failures === 0 && next ? next : addMonths(last.time, 1)) : null,
  }
}

/** "3" → 300, "12.50" → 1250. Null unless the value is a whole number of cents, at least 0. */
export function centsOf(value: string): number | null {
  const [, whole = '', part = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(value) ?? []
  return whole === '' ? null : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}
