import { createSign, randomBytes, randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { crc32 } from 'node:zlib'
import Fastify, { type FastifyRequest } from 'fastify'
import { testCertificate, testPrivateKey } from './paypal-certificate.ts'

type Money = { currency_code: string; value: string }
type Plan = { id: string; price: Money; merchant: Merchant }
type Transaction = { id: string; status: string; amount: Money; time: string }
type Subscription = {
  id: string
  plan_id: string
  custom_id: string | undefined
  status: string
  plan_overridden: boolean
  quantity: string
  /** The page may have overridden the price. */
  price: Money
  failed_payments_count: number
  last_payment: { amount: Money; time: string } | null
  next_billing_time: string | null
  create_time: string
  transactions: Transaction[]
}

/** A PayPal account: merchants can't see each other's data. */
export type Merchant = {
  clientId: string
  clientSecret: string
  products: Set<string>
  webhooks: { id: string; url: string; event_types: { name: string }[] }[]
  /** PayPal's limit on webhooks. */
  maxWebhooks: number
  /** Whether PayPal rejects this merchant's requests. */
  isDown: boolean
}

export type PayPalServer = {
  addMerchant(): Merchant
  env: Record<string, string>
  url: string
  /** Received requests in order: "GET /v1/billing/subscriptions/I-…". */
  requests: string[]
  /** The `PayPal-Request-Id` of every POST that had one. */
  requestIds: string[]
  /** Statuses returned instead of the real responses, one per request; 0 closes the connection. */
  failures: number[]
  isDown: boolean
  tokensGiven: number
  /** Approves as a payer would in PayPal's window. */
  approve(planId: string, customId: string | undefined, changes?: Partial<Subscription>): Subscription
  /** For changes that a payer or merchant could make at PayPal. */
  subscription(id: string): Subscription
  pay(id: string, at: Date): void
  fail(id: string, at: Date): void
  message(type: string, subscriptionId: string, options?: { id?: string; sale?: boolean; webhookId?: string }): SignedMessage
  sign(body: string, changes?: { webhookId?: string; certUrl?: string }): SignedMessage
  close(): Promise<void>
}
export type SignedMessage = { headers: Record<string, string>; body: string }

const clientId = 'AUv8rrc-P-EbP2E0mpb49BV7rFt3Usr'
const clientSecret = 'a secret of the test'
const webhookId = '9XL90610J3647323C'
const code = () => randomBytes(8).toString('hex').toUpperCase().slice(0, 12)

/** The part of PayPal's REST API that the server uses, with its documented responses, running locally. It moves no money. */
export async function startPayPalServer(now: () => Date = () => new Date()): Promise<PayPalServer> {
  const app = Fastify({ forceCloseConnections: true })
  const tokens = new Map<string, Merchant>()
  /** The secrets used to request the latest tokens. */
  const tokenKeys = new Map<Merchant, string>()
  const merchants: Merchant[] = []
  const newMerchant = (keys: { clientId: string; clientSecret: string }): Merchant => {
    const merchant = { ...keys, products: new Set<string>(), webhooks: [], maxWebhooks: 10, isDown: false }
    merchants.push(merchant)
    return merchant
  }
  newMerchant({ clientId, clientSecret })
  const plans = new Map<string, Plan>()
  const byRequestId = new Map<string, object>()
  const subscriptions = new Map<string, Subscription>()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body ? JSON.parse(body as string) : {}),
  )
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) => done(null, body))

  const server: PayPalServer = {
    env: {},
    url: '',
    requests: [],
    requestIds: [],
    failures: [],
    isDown: false,
    tokensGiven: 0,
    addMerchant: () => newMerchant({ clientId: `A${code()}${code()}`, clientSecret: `E${code()}-${code()}` }),
    approve(planId, customId, changes = {}) {
      const plan = plans.get(planId)
      if (!plan) throw new Error(`PayPal knows no plan ${planId}.`)
      const id = `I-${code()}`
      const time = now().toISOString()
      const subscription: Subscription = {
        id,
        plan_id: planId,
        custom_id: customId,
        status: 'ACTIVE',
        plan_overridden: false,
        quantity: '1',
        price: plan.price,
        failed_payments_count: 0,
        last_payment: null,
        next_billing_time: time,
        create_time: time,
        transactions: [],
        ...changes,
      }
      subscriptions.set(id, subscription)
      if (subscription.status === 'ACTIVE') server.pay(id, now())
      return subscription
    },
    subscription: (id) => found(id),
    pay(id, at) {
      const subscription = found(id)
      const next = new Date(at)
      next.setUTCMonth(next.getUTCMonth() + 1)
      subscription.last_payment = { amount: subscription.price, time: at.toISOString() }
      subscription.next_billing_time = next.toISOString()
      subscription.failed_payments_count = 0
      subscription.transactions.push({ id: code(), status: 'COMPLETED', amount: subscription.price, time: at.toISOString() })
    },
    fail(id, at) {
      const subscription = found(id)
      subscription.failed_payments_count++
      subscription.transactions.push({ id: code(), status: 'DECLINED', amount: subscription.price, time: at.toISOString() })
    },
    message(type, subscriptionId, { id = `WH-${code()}-${code()}`, sale = false, webhookId: forWebhook = webhookId } = {}) {
      const resource = sale
        ? { id: code(), state: 'completed', amount: { total: '75.00', currency: 'USD' }, billing_agreement_id: subscriptionId }
        : { id: subscriptionId, status: 'ACTIVE', plan_id: 'P-WHATEVER', custom_id: 'whatever' }
      return server.sign(
        JSON.stringify({
          id,
          event_version: '1.0',
          create_time: now().toISOString(),
          resource_type: sale ? 'sale' : 'subscription',
          event_type: type,
          summary: 'A message of a test',
          resource,
          links: [],
        }),
        { webhookId: forWebhook },
      )
    },
    sign(
      body,
      { webhookId: forWebhook = webhookId, certUrl = `${server.url}/v1/notifications/certs/CERT-360caa42-fca2a594-1d93a270` } = {},
    ) {
      const id = randomUUID()
      const time = now().toISOString().replace(/\.\d+/, '')
      const signature = createSign('RSA-SHA256')
        .update(`${id}|${time}|${forWebhook}|${crc32(body)}`)
        .sign(testPrivateKey, 'base64')
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'paypal-auth-algo': 'SHA256withRSA',
          'paypal-cert-url': certUrl,
          'paypal-transmission-id': id,
          'paypal-transmission-time': time,
          'paypal-transmission-sig': signature,
        },
      }
    },
    close: () => app.close(),
  }
  const found = (id: string) => {
    const subscription = subscriptions.get(id)
    if (!subscription) throw new Error(`PayPal knows no subscription ${id}.`)
    return subscription
  }

  app.addHook('onRequest', async (request, reply) => {
    server.requests.push(`${request.method} ${request.url.split('?')[0]}`)
    const failure = server.isDown ? 503 : server.failures.shift()
    if (failure === 0) {
      request.raw.destroy()
      return reply.hijack()
    }
    if (failure) return reply.status(failure).send({ name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error has occurred.' })
    if (request.url.startsWith('/v1/oauth2/') || request.url.startsWith('/v1/notifications/certs/')) return
    const merchant = tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '')
    if (merchant?.isDown) return reply.status(503).send({ name: 'INTERNAL_SERVER_ERROR' })
    // After keys change at PayPal, the old keys and their tokens no longer work.
    if (!merchant || tokenKeys.get(merchant) !== merchant.clientSecret) {
      return reply.status(401).send({ error: 'invalid_token', error_description: 'Token signature verification failed' })
    }
  })
  const merchantOf = (request: FastifyRequest) => tokens.get(request.headers.authorization?.replace('Bearer ', '') ?? '') as Merchant
  /** Finds only the merchant's own subscriptions. */
  const ownSubscription = (request: FastifyRequest): Subscription | undefined => {
    const subscription = subscriptions.get((request.params as { id: string }).id)
    return subscription && plans.get(subscription.plan_id)?.merchant === merchantOf(request) ? subscription : undefined
  }
  const requestName = (request: FastifyRequest, id: string) => `${merchantOf(request).clientId} ${id}`
  /** Repeating the request ID of a new plan returns the same plan. */
  app.addHook('preHandler', async (request, reply) => {
    const id = request.headers['paypal-request-id']
    if (typeof id !== 'string') return
    server.requestIds.push(id)
    const before = byRequestId.get(requestName(request, id))
    if (before) return reply.status(200).send(before)
  })
  app.post('/v1/oauth2/token', async (request, reply) => {
    const basicOf = (each: Merchant) => `Basic ${Buffer.from(`${each.clientId}:${each.clientSecret}`).toString('base64')}`
    const merchant = merchants.find((each) => request.headers.authorization === basicOf(each))
    if (merchant?.isDown) return reply.status(503).send({ name: 'INTERNAL_SERVER_ERROR' })
    if (!merchant || request.body !== 'grant_type=client_credentials') {
      return reply.status(401).send({ error: 'invalid_client', error_description: 'Client Authentication failed' })
    }
    const token = `A21AA${code()}`
    tokens.set(token, merchant)
    tokenKeys.set(merchant, merchant.clientSecret)
    server.tokensGiven++
    return {
      scope: 'https://uri.paypal.com/services/subscriptions',
      access_token: token,
      token_type: 'Bearer',
      app_id: 'APP-1',
      expires_in: 31_668,
      nonce: 'n',
    }
  })
  app.post('/v1/catalogs/products', async (request, reply) => {
    const { id, name } = request.body as { id: string; name: string }
    const { products } = merchantOf(request)
    if (products.has(id)) {
      return reply.status(422).send({ name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'DUPLICATE_RESOURCE_IDENTIFIER' }] })
    }
    products.add(id)
    return reply.status(201).send({ id, name, create_time: now().toISOString(), links: [] })
  })
  app.post('/v1/billing/plans', async (request, reply) => {
    const body = request.body as { product_id: string; billing_cycles: { pricing_scheme: { fixed_price: Money } }[] }
    const price = body.billing_cycles[0]?.pricing_scheme.fixed_price
    if (!merchantOf(request).products.has(body.product_id) || !price) return reply.status(404).send({ name: 'RESOURCE_NOT_FOUND' })
    const plan = { id: `P-${code()}`, price, merchant: merchantOf(request) }
    plans.set(plan.id, plan)
    const answer = { ...(request.body as object), id: plan.id, status: 'ACTIVE', links: [] }
    const requestId = request.headers['paypal-request-id']
    if (typeof requestId === 'string') byRequestId.set(requestName(request, requestId), answer)
    return reply.status(201).send(answer)
  })
  app.get('/v1/billing/subscriptions', async (request) => {
    const { plan_ids = '', created_after = '', page = '1', page_size = '10' } = request.query as Record<string, string>
    const matches = [...subscriptions.values()].filter(
      (each) =>
        plan_ids.split(',').includes(each.plan_id) &&
        plans.get(each.plan_id)?.merchant === merchantOf(request) &&
        each.create_time >= created_after,
    )
    const from = (Number(page) - 1) * Number(page_size)
    return {
      subscriptions: matches.slice(from, from + Number(page_size)).map(({ id, plan_id, status }) => ({ id, plan_id, status })),
      links: [],
    }
  })
  app.get('/v1/billing/subscriptions/:id', async (request, reply) => {
    const subscription = ownSubscription(request)
    if (!subscription) return reply.status(404).send(notFound)
    const withPlan = (request.query as { fields?: string }).fields === 'plan'
    const isOver = subscription.status === 'CANCELLED'
    return {
      id: subscription.id,
      plan_id: subscription.plan_id,
      custom_id: subscription.custom_id,
      start_time: subscription.create_time,
      quantity: subscription.quantity,
      shipping_amount: { currency_code: 'USD', value: '0.0' },
      subscriber: { name: { given_name: 'John', surname: 'Doe' }, email_address: 'customer@example.com', payer_id: '2J6QB8YJQSJRJ' },
      billing_info: {
        outstanding_balance: { currency_code: 'USD', value: '0.0' },
        cycle_executions: [{ tenure_type: 'REGULAR', sequence: 1, cycles_completed: 1, cycles_remaining: 0, total_cycles: 0 }],
        ...(subscription.last_payment ? { last_payment: subscription.last_payment } : {}),
        ...(subscription.next_billing_time && !isOver ? { next_billing_time: subscription.next_billing_time } : {}),
        failed_payments_count: subscription.failed_payments_count,
      },
      create_time: subscription.create_time,
      update_time: subscription.create_time,
      status: subscription.status,
      status_update_time: subscription.create_time,
      plan_overridden: subscription.plan_overridden,
      ...(withPlan
        ? {
            plan: {
              billing_cycles: [
                {
                  pricing_scheme: { version: 1, fixed_price: subscription.price },
                  tenure_type: 'REGULAR',
                  sequence: 1,
                  total_cycles: 0,
                  frequency: { interval_unit: 'MONTH', interval_count: 1 },
                },
              ],
              payment_preferences: { auto_bill_outstanding: true },
            },
          }
        : {}),
      links: [],
    }
  })
  for (const [verb, { from, to }] of Object.entries(changes)) {
    app.post(`/v1/billing/subscriptions/:id/${verb}`, async (request, reply) => {
      const subscription = ownSubscription(request)
      if (!subscription) return reply.status(404).send(notFound)
      if (!from.includes(subscription.status)) {
        return reply.status(422).send({ name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'SUBSCRIPTION_STATUS_INVALID' }] })
      }
      subscription.status = to
      return reply.status(204).send()
    })
  }
  app.get('/v1/billing/subscriptions/:id/transactions', async (request, reply) => {
    const subscription = ownSubscription(request)
    const { start_time, end_time } = request.query as Record<string, string>
    if (!subscription) return reply.status(404).send(notFound)
    if (!start_time || !end_time) return reply.status(400).send({ name: 'INVALID_REQUEST' })
    return {
      transactions: subscription.transactions
        .filter(({ time }) => time >= start_time && time <= end_time)
        .map(({ id, status, amount, time }) => ({
          id,
          status,
          payer_email: 'customer@example.com',
          payer_name: { given_name: 'John', surname: 'Doe' },
          amount_with_breakdown: { gross_amount: amount, fee_amount: { currency_code: 'USD', value: '0.50' }, net_amount: amount },
          time,
        })),
      links: [],
    }
  })
  app.get('/v1/notifications/webhooks', async (request) => ({ webhooks: merchantOf(request).webhooks }))
  app.post('/v1/notifications/webhooks', async (request, reply) => {
    const { url, event_types } = request.body as { url: string; event_types: { name: string }[] }
    const { webhooks, maxWebhooks } = merchantOf(request)
    const refusal = !url.startsWith('https://')
      ? 'VALIDATION_ERROR'
      : webhooks.some((each) => each.url === url)
        ? 'WEBHOOK_URL_ALREADY_EXISTS'
        : webhooks.length >= maxWebhooks
          ? 'WEBHOOK_NUMBER_LIMIT_EXCEEDED'
          : null
    if (refusal) return reply.status(400).send({ name: refusal, message: 'Not made.' })
    const webhook = { id: code(), url, event_types }
    webhooks.push(webhook)
    return reply.status(201).send({ ...webhook, links: [] })
  })
  app.patch('/v1/notifications/webhooks/:id', async (request, reply) => {
    const webhook = merchantOf(request).webhooks.find(({ id }) => id === (request.params as { id: string }).id)
    const [change] = request.body as { op: string; path: string; value: { name: string }[] }[]
    if (!webhook) return reply.status(404).send(notFound)
    if (change?.op !== 'replace' || change.path !== '/event_types') return reply.status(400).send({ name: 'VALIDATION_ERROR' })
    webhook.event_types = change.value
    return webhook
  })
  app.delete('/v1/notifications/webhooks/:id', async (request, reply) => {
    const { webhooks } = merchantOf(request)
    const index = webhooks.findIndex(({ id }) => id === (request.params as { id: string }).id)
    if (index < 0) return reply.status(404).send(notFound)
    webhooks.splice(index, 1)
    return reply.status(204).send()
  })
  app.get('/v1/notifications/certs/:id', async (_request, reply) => reply.type('application/x-pem-file').send(testCertificate))

  await app.listen({ port: 0, host: '127.0.0.1' })
  server.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  server.env = { PAYPAL_CLIENT_ID: clientId, PAYPAL_CLIENT_SECRET: clientSecret, PAYPAL_WEBHOOK_ID: webhookId, PAYPAL_API_URL: server.url }
  return server
}

/** Transitions that PayPal allows: a canceled subscription can never be reactivated. */
const changes = {
  cancel: { from: ['ACTIVE', 'SUSPENDED'], to: 'CANCELLED' },
  suspend: { from: ['ACTIVE'], to: 'SUSPENDED' },
  activate: { from: ['SUSPENDED'], to: 'ACTIVE' },
}

const notFound = {
  name: 'RESOURCE_NOT_FOUND',
  message: 'The specified resource does not exist.',
  details: [{ issue: 'INVALID_RESOURCE_ID' }],
}
