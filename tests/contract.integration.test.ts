import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { ErrorAnswer, errorStatus } from '#contracts/errors.ts'
import { endpoints } from '#contracts/index.ts'
import { plainRoutes } from '#server/app/plain-routes.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

/** Tests every endpoint of the server as assembled for production. */

let t: TestApp
const registered: string[] = []

beforeAll(async () => {
  t = await startTestApp({ onRoute: (method, url) => registered.push(`${method} ${url}`) })
})
afterAll(() => t.close())

const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.path}`
const urlOf = (endpoint: Endpoint) => endpoint.path.replace(/:\w+/g, '0190a1b2-0000-7000-8000-000000000000')

test('declares no address twice', () => {
  const names = endpoints.map(nameOf)
  expect(new Set(names).size).toBe(names.length)
})

test('registers every declared call and declares every route under /api', () => {
  const declared = new Set([...endpoints.map(nameOf), ...plainRoutes])
  const underApi = registered.filter((route) => route.includes(' /api/') && !route.startsWith('HEAD ') && !route.includes(' /api/docs'))
  expect(underApi.filter((route) => !declared.has(route))).toEqual([])
  expect(endpoints.map(nameOf).filter((name) => !registered.includes(name))).toEqual([])
})

describe.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))('%s', (_name, endpoint) => {
  const inject = (headers: Record<string, string> = {}) =>
    t.app.inject({
      method: endpoint.method,
      url: urlOf(endpoint),
      headers,
      ...(endpoint.body ? { payload: {} } : {}),
    })

  if (endpoint.access !== 'public') {
    test('asks a visitor to sign in before checking anything else', async () => {
      const response = await inject()
      expect(response.statusCode, response.body).toBe(401)
      expect(ErrorAnswer.parse(response.json()).code).toBe('signed_out')
    })

    test('rejects a forged session', async () => {
      const response = await inject({ cookie: `${t.sessionCookieName}=forged.c2lnbmF0dXJl` })
      expect(response.statusCode).toBe(401)
    })
  }

  if (endpoint.method !== 'GET') {
    test('refuses requests from another site', async () => {
      for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'https://evil.example' }]) {
        const response = await inject(headers as Record<string, string>)
        expect(response.statusCode).toBe(403)
        expect(response.json().code).toBe('foreign_origin')
      }
    })
  }

  if (endpoint.body) {
    test.each(['application/x-www-form-urlencoded', 'text/plain', 'application/xml'])(
      'refuses a body of type %s, unless it refuses the sender first',
      async (type) => {
        const response = await t.app.inject({
          method: endpoint.method,
          url: urlOf(endpoint),
          headers: { 'content-type': type },
          payload: '{"a":"b"}',
        })
        // The sender is authenticated before the body is read.
        const refusal = endpoint.access === 'public' ? 'unsupported_media_type' : 'signed_out'
        expect(response.json().code).toBe(refusal)
        expect(response.statusCode).toBe(errorStatus[refusal])
      },
    )
  }

  if (endpoint.receives === 'bytes') {
    test('refuses other content types and files above the size limit', async () => {
      const { cookie } = await t.signUp()
      const send = (type: string, payload: string | Buffer) =>
        t.app.inject({ method: endpoint.method, url: urlOf(endpoint), headers: { 'content-type': type, cookie }, payload })
      for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=b', 'text/plain', 'application/json']) {
        const response = await send(type, '{}')
        expect(response.statusCode, type).toBe(415)
        expect(ErrorAnswer.parse(response.json()).code).toBe('unsupported_media_type')
      }
      const large = await send('application/octet-stream', Buffer.alloc((endpoint.maxBytes ?? 1024 * 1024) + 1))
      expect(large.statusCode).toBe(413)
      expect(ErrorAnswer.parse(large.json()).code).toBe('too_large')
    })
  }

  if (endpoint.access === 'public' && endpoint.method === 'GET' && !endpoint.params) {
    test('returns the declared response to a visitor', async () => {
      const response = await t.app.inject({ url: `${endpoint.path}?q=denver` })
      expect(response.statusCode, response.body).toBe(200)
      expect(endpoint.response?.safeParse(response.json()).error).toBeUndefined()
    })
  }

  if (endpoint.access === 'public' && endpoint.params && endpoint.method === 'GET') {
    test('returns 404 to a visitor if the object doesn’t exist', async () => {
      const response = await inject()
      expect(response.statusCode, response.body).toBe(404)
      expect(ErrorAnswer.parse(response.json()).code).toBe('not_found')
    })
  }
})

test('describes every call in the OpenAPI document in one sentence, and then in detail', async () => {
  const document = (await t.app.inject('/api/openapi.json')).json() as { paths: Record<string, Record<string, unknown>> }
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
    const described = document.paths[path]?.[endpoint.method.toLowerCase()] as
      | { summary: string; description?: string; requestBody?: { content: object } }
      | undefined
    expect(described, nameOf(endpoint)).toBeDefined()
    expect(described?.summary, nameOf(endpoint)).not.toMatch(/\.( |$)/)
    expect([described?.summary, described?.description].filter(Boolean).join('. ')).toBe(endpoint.summary)
    const type = endpoint.receives === 'bytes' ? 'application/octet-stream' : endpoint.body ? 'application/json' : undefined
    expect(Object.keys(described?.requestBody?.content ?? {}), nameOf(endpoint)).toEqual(type ? [type] : [])
  }
  const docs = await t.app.inject('/api/docs/')
  expect(docs.statusCode).toBe(200)
  expect(docs.headers['content-type']).toContain('text/html')
})

test('returns a JSON 404 for an unknown call', async () => {
  const response = await t.app.inject('/api/nowhere')
  expect(response.statusCode).toBe(404)
  expect(ErrorAnswer.parse(response.json()).code).toBe('not_found')
})

test('refuses broken JSON and oversized bodies in the error format', async () => {
  const post = (payload: string) =>
    t.app.inject({ method: 'POST', url: '/api/login', headers: { 'content-type': 'application/json' }, payload })
  const broken = await post('{"email":')
  expect(broken.statusCode).toBe(400)
  expect(ErrorAnswer.parse(broken.json()).message).toBe('The body is not valid JSON.')
  const large = await post(JSON.stringify({ email: 'a'.repeat(2 * 1024 * 1024) }))
  expect(large.statusCode).toBe(413)
  const deep = await post('['.repeat(5000) + ']'.repeat(5000))
  expect([deep.statusCode, ErrorAnswer.parse(deep.json()).message]).toEqual([400, 'The body is nested too deeply. The limit is 32 levels.'])
  // Signed-in people may send larger bodies than visitors.
  const login = (bytes: number) => post(JSON.stringify({ email: 'a'.repeat(bytes), password: 'x' }))
  expect([(await login(60 * 1024)).statusCode, (await login(65 * 1024)).statusCode]).toEqual([400, 413])
})

test('sends the security headers with every response', async () => {
  for (const url of ['/', '/api/businesses', '/api/nowhere', '/api/docs/', '/healthz']) {
    const { headers } = await t.app.inject(url)
    const policy = String(headers['content-security-policy'])
    const isCall = url.startsWith('/api/') && !url.startsWith('/api/docs')
    expect(policy, url).toContain(isCall ? "default-src 'none'" : "script-src 'self'")
    expect(policy, url).not.toMatch(/unsafe-inline|unsafe-eval/)
    expect(policy, url).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options'], url).toBe('nosniff')
    expect(headers['referrer-policy'], url).toBe('strict-origin-when-cross-origin')
    expect(headers['x-frame-options'], url).toBe('DENY')
  }
})
