import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Clock } from '../../kernel/clock.ts'
import { ProviderRefused, ProviderUnavailable } from '../../kernel/payments.ts'

export type PayPalSettings = {
  clientId: string
  clientSecret: string
  /** Without a slash at the end. */
  apiUrl: string
  clock: Clock
  timeoutMs?: number
  /** Before the second try; before the third one three times as long. */
  retryAfterMs?: number
}

type Request = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object
  /** `PayPal-Request-Id`: a repetition gets the first answer. Without one, a POST must be harmless to repeat. */
  requestId?: string
}

export type PayPalAnswer = { status: number; body: unknown }

export type PayPalClient = {
  /** Every answer below 500 but 401 and 429 is the caller's to judge. @throws ProviderUnavailable */
  send(request: Request): Promise<PayPalAnswer>
  isAvailable(): boolean
}

const RefusedToken = z.object({ error: z.literal('invalid_client') })
const Token = z.object({ access_token: z.string().check(z.minLength(1)), expires_in: z.number() })

const tries = 3
/** So many calls without an answer, and no others are made for a while: nobody's request waits for a service that is away. */
const failuresUntilPause = 3
const pauseMs = 30_000
/** A token is renewed before its end, so that it cannot end on the way. */
const tokenMarginMs = 60_000
const maxAnswerBytes = 2 * 1024 * 1024

/** PayPal's REST API: tokens, timeouts, tries, and a pause when it is away. */
export function createPayPalClient(settings: PayPalSettings): PayPalClient {
  const { clientId, clientSecret, apiUrl, clock, timeoutMs = 10_000, retryAfterMs = 250 } = settings
  let token: { value: string; until: number } | null = null
  let asking: Promise<string> | null = null
  let failures = 0
  let pausedUntil = 0
  const now = () => clock.now().getTime()

  async function call(url: string, options: RequestInit): Promise<PayPalAnswer> {
    const response = await fetch(url, { ...options, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) })
    const text = await response.text()
    if (text.length > maxAnswerBytes) throw new ProviderUnavailable('PayPal answered too much.')
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
      throw new ProviderRefused('PayPal does not know these keys.')
    }
    const result = Token.safeParse(answer.body)
    if (answer.status !== 200 || !result.success) throw new ProviderUnavailable(`PayPal gave no token (${answer.status}).`)
    token = { value: result.data.access_token, until: now() + result.data.expires_in * 1000 - tokenMarginMs }
    return token.value
  }

  /** Those who need one at the same time share the answer. */
  function currentToken(): Promise<string> {
    if (token && token.until > now()) return Promise.resolve(token.value)
    asking ??= fetchToken().finally(() => {
      asking = null
    })
    return asking
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
      throw new ProviderUnavailable(`PayPal answered ${answer.status} to ${method} ${path.split('?')[0]}.`)
    }
    return answer
  }

  return {
    isAvailable: () => now() >= pausedUntil,
    async send(request) {
      if (now() < pausedUntil) throw new ProviderUnavailable('PayPal did not answer a moment ago.')
      for (let attempt = 1; ; attempt++) {
        try {
          const answer = await once(request)
          failures = 0
          return answer
        } catch (error) {
          // An answer like any other, and the same one the next time.
          if (error instanceof ProviderRefused) throw error
          if (attempt < tries) {
            await sleep(retryAfterMs * (attempt === 1 ? 1 : 3))
            continue
          }
          if (++failures >= failuresUntilPause) {
            failures = 0
            pausedUntil = now() + pauseMs
          }
          throw error instanceof ProviderUnavailable ? error : new ProviderUnavailable('PayPal did not answer.', { cause: error })
        }
      }
    },
  }
}

/** What was answered, when it is a success. @throws ProviderUnavailable */
export function require2xx(answer: PayPalAnswer, what: string): unknown {
  if (answer.status >= 200 && answer.status < 300) return answer.body
  throw new ProviderUnavailable(`PayPal would not ${what} (${answer.status}).`)
}

/** The answer as it is documented. @throws ProviderUnavailable */
export function read<Schema extends z.ZodMiniType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body)
  if (!result.success) throw new ProviderUnavailable(`PayPal answered something else than it documents: ${result.error.message}`)
  return result.data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderUnavailable('PayPal answered something that is no JSON.')
  }
}
