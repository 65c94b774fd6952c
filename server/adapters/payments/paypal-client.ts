import { verify, X509Certificate } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { Clock } from '#server/kernel/context.ts'
import type { Headers } from '#server/kernel/payments.ts'
import { AccountUnusable, ProviderRefused, ProviderUnavailable } from '#server/kernel/payments.ts'

export type PayPalSettings = {
  clientId: string
  clientSecret: string
  /** Without a trailing slash. */
  apiUrl: string
  clock: Clock
  timeoutMs?: number
  /** Delay before the second attempt. Tripled before the third. */
  retryAfterMs?: number
}

type Request = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** Sent as `PayPal-Request-Id`, so a retry gets the first response. A POST without it must be safe to repeat. */
  requestId?: string
}

export type PayPalAnswer = { status: number; body: unknown }

type PayPalClient = {
  /** The caller handles all responses below 500 except 401 and 429. @throws ProviderUnavailable */
  send(request: Request): Promise<PayPalAnswer>
  isAvailable(): boolean
}

const RefusedToken = z.object({ error: z.literal('invalid_client') })
const Token = z.object({ access_token: z.string().check(z.minLength(1)), expires_in: z.number() })

const tries = 3
/** After this many calls fail in a row, calls pause for `pauseMs`, so no one waits for a service that is down. */
const failuresUntilPause = 3
const pauseMs = 30_000
/** Tokens are renewed this long before they expire, so none expires in transit. */
const tokenMarginMs = 60_000
const maxAnswerBytes = 2 * 1024 * 1024

/** PayPal's REST API: tokens, timeouts, retries, and a pause when it is down. */
export function createPayPalClient(settings: PayPalSettings): PayPalClient {
  const { clientId, clientSecret, apiUrl, clock, timeoutMs = 10_000, retryAfterMs = 250 } = settings
  let token: { value: string; until: number } | null = null
  let pendingToken: Promise<string> | null = null
  let failures = 0
  let pausedUntil = 0
  const now = () => clock.now().getTime()

  async function call(url: string, options: RequestInit): Promise<PayPalAnswer> {
    const response = await fetch(url, { ...options, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    if (text.length > maxAnswerBytes) throw new ProviderUnavailable("PayPal's response is too large.")
    return { status: response.status, body: text === '' ? null : parsed(text) }
  }

  async function fetchToken(): Promise<string> {
    const answer = await call(`${apiUrl}/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    })
    if (answer.status === 401 && RefusedToken.safeParse(answer.body).success) {
      throw new ProviderRefused("PayPal doesn't recognize these keys.")
    }
    const result = Token.safeParse(answer.body)
    if (answer.status !== 200 || !result.success) throw new ProviderUnavailable(`PayPal didn't issue a token (${answer.status}).`)
    token = { value: result.data.access_token, until: now() + result.data.expires_in * 1000 - tokenMarginMs }
    return token.value
  }

  /** Concurrent callers share one request. */
  function currentToken(): Promise<string> {
    if (token && token.until > now()) return Promise.resolve(token.value)
    pendingToken ??= fetchToken().finally(() => {
      pendingToken = null
    })
    return pendingToken
  }

  async function once({ method, path, body, requestId }: Request): Promise<PayPalAnswer> {
    const answer = await call(`${apiUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await currentToken()}`,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json', prefer: 'return=representation' } : {}),
        ...(requestId ? { 'paypal-request-id': requestId } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (answer.status === 401) token = null
    if (answer.status === 401 || answer.status === 429 || answer.status >= 500) {
      throw new ProviderUnavailable(`PayPal responded with ${answer.status} to ${method} ${path.split('?')[0]}.`)
    }
    return answer
  }

  return {
    isAvailable: () => now() >= pausedUntil,
    async send(request) {
      if (now() < pausedUntil) throw new ProviderUnavailable('PayPal recently failed to respond.')
      for (let attempt = 1; ; attempt++) {
        try {
          const answer = await once(request)
          failures = 0
          return answer
        } catch (error) {
          // A retry would get the same response.
          if (error instanceof ProviderRefused) throw error
          if (attempt < tries) {
            await sleep(retryAfterMs * (attempt === 1 ? 1 : 3))
            continue
          }
          if (++failures >= failuresUntilPause) {
            failures = 0
            pausedUntil = now() + pauseMs
          }
          throw error instanceof ProviderUnavailable ? error : new ProviderUnavailable("PayPal didn't respond.", { cause: error })
        }
      }
    },
  }
}

/** @throws ProviderUnavailable */
export function require2xx(answer: PayPalAnswer, what: string): unknown {
  if (answer.status >= 200 && answer.status < 300) return answer.body
  throw new ProviderUnavailable(`PayPal refused to ${what} (${answer.status}).`)
}

/** Validates a documented response. @throws ProviderUnavailable */
export function read<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (!result.success) throw new ProviderUnavailable(`PayPal's response doesn't match its documentation: ${result.error.message}`)
  return result.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderUnavailable("PayPal's response isn't JSON.")
  }
}

/** Event types that an account's webhook needs: "Billing subscription" and "Payment sale". */
const events = [
  'BILLING.SUBSCRIPTION.ACTIVATED',
  'BILLING.SUBSCRIPTION.CANCELLED',
  'BILLING.SUBSCRIPTION.EXPIRED',
  'BILLING.SUBSCRIPTION.PAYMENT.FAILED',
  'BILLING.SUBSCRIPTION.SUSPENDED',
  'BILLING.SUBSCRIPTION.UPDATED',
  'PAYMENT.SALE.COMPLETED',
  'PAYMENT.SALE.REFUNDED',
  'PAYMENT.SALE.REVERSED',
]

const Webhook = z.object({ id: z.string(), url: z.string(), event_types: z.optional(z.array(z.object({ name: z.string() }))) })
const Webhooks = z.object({ webhooks: z.optional(z.array(Webhook)) })
const Refusal = z.object({ name: z.string() })

const path = '/v1/notifications/webhooks'
const idPattern = /^[A-Za-z0-9]{1,50}$/

/** Finds or creates the account's webhook for `url`. @throws AccountUnusable, ProviderUnavailable */
export async function ensureWebhook(client: PayPalClient, url: string): Promise<string> {
  const listed = await client.send({ method: 'GET', path })
  if (listed.status === 403)
    throw new AccountUnusable("This PayPal app can't manage webhooks. Use a REST app from your own business account.")
  const { webhooks = [] } = read(Webhooks, require2xx(listed, 'list webhooks'))
  const wanted = events.map((name) => ({ name }))
  const existing = webhooks.find((each) => each.url === url && idPattern.test(each.id))
  if (existing) {
    const known = new Set(existing.event_types?.map(({ name }) => name))
    if (known.has('*') || events.every((name) => known.has(name))) return existing.id
    const body = [{ op: 'replace', path: '/event_types', value: wanted }]
    require2xx(await client.send({ method: 'PATCH', path: `${path}/${existing.id}`, body }), 'change a webhook')
    return existing.id
  }
  const made = await client.send({ method: 'POST', path, body: { url, event_types: wanted } })
  if (made.status >= 400 && made.status < 500) throw new AccountUnusable(refusalText(Refusal.safeParse(made.body).data?.name))
  return read(Webhook, require2xx(made, 'create a webhook')).id
}

/** @throws ProviderUnavailable */
export async function removeWebhook(client: PayPalClient, id: string): Promise<void> {
  if (!idPattern.test(id)) return
  const answer = await client.send({ method: 'DELETE', path: `${path}/${id}` })
  if (answer.status !== 404) require2xx(answer, 'remove a webhook')
}

function refusalText(name: string | undefined): string {
  if (name === 'WEBHOOK_NUMBER_LIMIT_EXCEEDED') {
    return 'This PayPal app has as many webhooks as PayPal allows. Remove one you no longer use, then connect again.'
  }
  return 'PayPal doesn’t accept this server’s address for webhooks: it must be public and start with https. Contact the site’s operator.'
}

type Settings = {
  webhookId: string
  /** Certificates come from PayPal's hosts or this URL's host, which differs only in tests and behind gateways. */
  apiUrl: string
  clock: Clock
  timeoutMs?: number
}

const maxCertificates = 20
const maxCertificateBytes = 64 * 1024
const pathPattern = /^\/v1\/notifications\/certs\/[\w-]{1,100}$/

/**
 * Verifies that PayPal signed these bytes for this webhook, as documented: an RSA signature with SHA-256 over transmission ID, time,
 * webhook ID and the body's CRC-32, with a certificate that PayPal's own hosts serve over HTTPS. Returns false if anything is missing or
 * malformed. Throws if the certificate couldn't be fetched, so PayPal delivers the webhook again.
 */
export function createPayPalVerifier({ webhookId, apiUrl, clock, timeoutMs = 5_000 }: Settings) {
  const certificates = new LRUCache<string, X509Certificate>({ max: maxCertificates })

  async function certificateAt(url: string): Promise<X509Certificate | null> {
    const known = certificates.get(url)
    if (known) return known
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    if (response.status === 404) return null
    if (!response.ok) throw new Error(`PayPal's certificate could not be fetched (${response.status}).`)
    const pem = await response.text()
    if (pem.length > maxCertificateBytes) return null
    let certificate: X509Certificate
    try {
      certificate = new X509Certificate(pem)
    } catch {
      return null
    }
    certificates.set(url, certificate)
    return certificate
  }

  return async function isSigned(headers: Headers, rawBody: Buffer): Promise<boolean> {
    const read = (name: string) => {
      const value = headers[name]
      return typeof value === 'string' && value.length > 0 && value.length <= 1000 ? value : null
    }
    const id = read('paypal-transmission-id')
    const time = read('paypal-transmission-time')
    const signature = read('paypal-transmission-sig')
    const certificateUrl = read('paypal-cert-url')
    if (!id || !time || !signature || !certificateUrl || read('paypal-auth-algo') !== 'SHA256withRSA') return false
    if (!isPayPalUrl(certificateUrl, apiUrl)) return false
    const certificate = await certificateAt(certificateUrl)
    const now = clock.now()
    if (!certificate || new Date(certificate.validFrom) > now || new Date(certificate.validTo) < now) return false
    const signed = Buffer.from(`${id}|${time}|${webhookId}|${crc32(rawBody)}`)
    return verify('RSA-SHA256', signed, certificate.publicKey, Buffer.from(signature, 'base64'))
  }
}

/** Without this check, an attacker could name another host and sign with their own key. */
export function isPayPalUrl(certificateUrl: string, apiUrl: string): boolean {
  if (!URL.canParse(certificateUrl)) return false
  const url = new URL(certificateUrl)
  if (!pathPattern.test(url.pathname) || url.search || url.username || url.password) return false
  if (url.origin === new URL(apiUrl).origin) return true
  return url.protocol === 'https:' && url.port === '' && /^([a-z0-9-]+\.)+paypal\.com$/.test(url.hostname)
}
