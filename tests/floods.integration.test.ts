import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '#server/kernel/errors.ts'
import { addBusiness, type TestBusiness } from './support/businesses.ts'
import { startTestApp, type TestApp, type TestPerson } from './support/test-app.ts'

/** Limits on the requests of one visitor or account, and on their cost to everyone else. */

let t: TestApp
let person: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  t = await startTestApp({ env: { PUBLIC_URL: 'https://sungrove.example' } })
  person = await t.signUp()
  shop = await addBusiness(t.db, { slug: 'green-hills', name: 'Green Hills' })
})
afterAll(() => t?.close())

describe('the check before a body is read', () => {
  /** Sends the headers, and waits for the response without sending the body. */
  async function answerBeforeBody(path: string, headers: Record<string, string>): Promise<number> {
    if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as AddressInfo
    return new Promise((resolve, reject) => {
      const request = http.request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', ...headers },
      })
      request.once('response', (response) => {
        resolve(response.statusCode ?? 0)
        request.destroy()
      })
      request.once('error', reject)
      request.setTimeout(10_000, () => request.destroy(new Error('no answer came before the body')))
      request.flushHeaders()
    })
  }

  it('refuses visitors, other sites, and excessive requests without reading their bodies', async () => {
    const size = { 'content-length': '1000' }
    expect(await answerBeforeBody('/api/posts', size)).toBe(401)
    expect(await answerBeforeBody('/api/posts', { ...size, cookie: person.cookie, origin: 'https://evil.example' })).toBe(403)
    const tooMany = vi.spyOn(t.ctx.rateLimiter, 'consume').mockRejectedValue(new AppError('too_many_requests', { retryAfterSeconds: 9 }))
    expect(await answerBeforeBody('/api/posts', { ...size, cookie: person.cookie })).toBe(429)
    expect(await answerBeforeBody('/api/hunt-imports', { 'content-length': '30000000', cookie: person.cookie })).toBe(429)
    expect(await answerBeforeBody('/api/login', size)).toBe(429)
    tooMany.mockRestore()
    expect(await answerBeforeBody('/api/posts', { 'content-length': '3000000', cookie: person.cookie })).toBe(413)
    expect(await answerBeforeBody('/api/login', { 'content-length': '70000' })).toBe(413)
  })

  it('counts a call once and reads its session once', async () => {
    const consume = vi.spyOn(t.ctx.rateLimiter, 'consume')
    const read = vi.spyOn(t.ctx.sessions, 'read')
    expect((await t.request('POST', '/api/favorites', person, { businessId: shop.id })).statusCode).toBeLessThan(300)
    expect((await t.request('GET', '/api/favorites', person)).statusCode).toBe(200)
    expect(consume.mock.calls.map(([allowance]) => allowance)).toEqual(['write', 'read'])
    expect(read).toHaveBeenCalledTimes(2)
    consume.mockRestore()
    read.mockRestore()
  })

  it('admits one large document per person at a time and frees the slot when they disconnect', async () => {
    if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as AddressInfo
    const read = vi.spyOn(t.ctx.sessions, 'read')
    const first = http.request({
      ...{ port, host: '127.0.0.1', method: 'POST', path: '/api/hunt-imports' },
      headers: { 'content-type': 'application/json', 'content-length': '1000', cookie: person.cookie },
    })
    first.on('error', () => {})
    first.flushHeaders()
    await expect.poll(() => read.mock.calls.length).toBe(1)
    let isAnswered = false
    const second = t.request('POST', '/api/hunt-imports', person, {}).then((answer) => {
      isAnswered = true
      return answer
    })
    await expect.poll(() => read.mock.calls.length).toBe(2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(isAnswered).toBe(false)
    expect((await t.request('POST', '/api/hunt-imports', await t.signUp(), {})).statusCode).toBe(400)
    first.destroy()
    expect((await second).statusCode).toBe(400)
    read.mockRestore()
  })
})

describe('a static response', () => {
  const paths = [
    '/api/openapi.json',
    '/api/docs/static/swagger-ui-bundle.js',
    '/offline/page',
    '/manifest.webmanifest',
    '/robots.txt',
    '/sitemaps/pages.xml',
  ]

  it('is computed once, compressed once, and validated by its ETag', async () => {
    const make = vi.spyOn(JSON, 'stringify')
    const large = () => make.mock.results.filter(({ value }) => typeof value === 'string' && value.length > 1000).length
    for (const path of paths) {
      const plain = await t.app.inject(path)
      expect(plain.statusCode, path).toBe(200)
      const written = large()
      for (const [encoding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const answer = await t.app.inject({ url: path, headers: { 'accept-encoding': encoding } })
        const again = await t.app.inject({ url: path, headers: { 'accept-encoding': encoding } })
        if (plain.rawPayload.length > 1024) {
          expect([answer.headers['content-encoding'], answer.headers.vary], path).toEqual([encoding, 'accept-encoding'])
          expect(decode(answer.rawPayload).equals(plain.rawPayload), path).toBe(true)
        }
        expect(again.rawPayload.equals(answer.rawPayload)).toBe(true)
      }
      const confirmed = await t.app.inject({ url: path, headers: { 'if-none-match': String(plain.headers.etag) } })
      expect([confirmed.statusCode, confirmed.body], path).toEqual([304, ''])
      expect(large(), path).toBe(written)
    }
    make.mockRestore()
  })

  it('counts toward the read limit', async () => {
    const consume = vi.spyOn(t.ctx.rateLimiter, 'consume').mockRejectedValue(new AppError('too_many_requests', { retryAfterSeconds: 9 }))
    for (const path of [...paths, '/offline/shell', '/api/docs/', '/embed/menu.js']) {
      const { statusCode, headers } = await t.app.inject(path)
      expect([statusCode, headers['retry-after']], path).toEqual([429, '9'])
    }
    consume.mockRestore()
  })

  it('is a redirect for the docs viewer’s copies of the API document', async () => {
    for (const path of ['/api/docs/json', '/api/docs/yaml']) {
      const answer = await t.app.inject(path)
      expect([answer.statusCode, answer.headers.location], path).toEqual([302, '/api/openapi.json'])
    }
  })
})

describe('a cached response', () => {
  it('is shared by all equivalent queries', async () => {
    const made = vi.spyOn(t.ctx.cache, 'answer')
    const first = await t.app.inject('/api/businesses?type=dispensary&limit=1&utm_source=mail')
    expect(first.headers.link ?? '').not.toContain('utm_source')
    for (const query of ['limit=1&type=dispensary', 'x=1&type=dispensary&y=2&limit=1', 'type=dispensary&limit=01']) {
      const again = await t.app.inject(`/api/businesses?${query}`)
      expect(again.headers.etag, query).toBe(first.headers.etag)
    }
    const keys = made.mock.calls.map(([, key]) => key)
    expect(new Set(keys).size).toBe(1)
    await t.app.inject('/api/businesses?limit=2')
    await t.app.inject(`/api/businesses/${shop.slug}`)
    await t.app.inject('/api/businesses/another-one')
    expect(new Set(made.mock.calls.map(([, key]) => key)).size).toBe(4)
    made.mockRestore()
  })

  it('links to the next page with only the parameters that the call declares', async () => {
    for (let i = 0; i < 3; i++) await addBusiness(t.db, { city: 'Boulder' })
    t.ctx.cache.invalidate('businesses')
    const seen: string[] = []
    for (let url: string | undefined = '/api/businesses?z=9&limit=2&q=Boulder'; url; ) {
      const page: LightMyRequestResponse = await t.app.inject(url)
      seen.push(...(page.json() as { id: string }[]).map(({ id }) => id))
      url = /<([^>]+)>/.exec(String(page.headers.link ?? ''))?.[1]
      if (url) expect([...new URL(url, 'http://x').searchParams.keys()].sort()).toEqual(['cursor', 'limit', 'q'])
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThanOrEqual(3)
  })
})

describe('an unavailable page', () => {
  const path = '/business/green-hills'
  const failing = (allowance: string, error: AppError) => {
    const consume = t.ctx.rateLimiter.consume
    return vi.spyOn(t.ctx.rateLimiter, 'consume').mockImplementation(async (asked, key) => {
      if (asked === allowance) throw error
      return consume(asked, key)
    })
  }
  const expectNotNow = async (status: number, retryAfter: string, words: RegExp) => {
    const { statusCode, headers, body } = await t.app.inject(path)
    expect([statusCode, headers['retry-after'], headers['content-type'], headers['cache-control']]).toEqual([
      status,
      retryAfter,
      'text/html; charset=utf-8',
      'no-store',
    ])
    expect(body).toMatch(words)
    expect(body).not.toContain('noindex')
  }

  it('asks the visitor to wait if too many pages were opened', async () => {
    const spy = failing('page', new AppError('too_many_requests', { retryAfterSeconds: 30 }))
    await expectNotNow(429, '30', /You’re opening pages too fast[\s\S]*Wait 30 seconds/)
    spy.mockRestore()
  })

  it('asks the visitor to come back later if its first response fails', async () => {
    const spy = vi.spyOn(t.ctx.cache, 'answer').mockRejectedValue(new AppError('unavailable', { retryAfterSeconds: 5 }))
    await expectNotNow(503, '5', /We’re busy right now[\s\S]*Wait 5 seconds/)
    spy.mockRestore()
  })

  it('isn’t sent when the read limit is exceeded, because opening a page counts only toward the page limit', async () => {
    const spy = failing('read', new AppError('too_many_requests', { retryAfterSeconds: 30 }))
    const consume = vi.mocked(t.ctx.rateLimiter.consume)
    const page = await t.app.inject(path)
    expect([page.statusCode, page.body.includes('noindex')]).toEqual([200, false])
    expect(consume.mock.calls.map(([allowance]) => allowance)).toEqual(['page'])
    // The server ignores this header in requests from outside.
    expect((await t.app.inject({ url: '/api/businesses', headers: { 'inner-call': 'true' } })).statusCode).toBe(429)
    spy.mockRestore()
    expect((await t.app.inject('/business/nowhere')).statusCode).toBe(404)
  })
})

it('draws a business’s QR code card only once', async () => {
  const address = `/business/${shop.slug}/qr.pdf`
  const drawings = () => consume.mock.calls.filter(([allowance]) => allowance === 'drawing').length
  const consume = vi.spyOn(t.ctx.rateLimiter, 'consume')
  const first = await t.app.inject(address)
  const others = await Promise.all(Array.from({ length: 5 }, () => t.app.inject(address)))
  expect(first.headers['content-type']).toBe('application/pdf')
  for (const other of others) expect(other.rawPayload.equals(first.rawPayload)).toBe(true)
  expect(drawings()).toBe(1)
  await t.db.updateTable('businesses').set({ name: 'Green Hills & Sons' }).where('id', '=', shop.id).execute()
  const renamed = await t.app.inject(address)
  expect([renamed.statusCode, renamed.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect(renamed.rawPayload.equals(first.rawPayload)).toBe(false)
  expect(drawings()).toBe(2)
  consume.mockRestore()
})

it('accepts readings that are too close to zero for their column', async () => {
  const hunt = await t.request('POST', '/api/pheno-hunts', person, { huntName: 'Small numbers' })
  const begun = await t.request('POST', `/api/pheno-hunts/${hunt.json().id}/climate/imports`, person, {
    ...{ sensorName: 'Tent', fileName: 'a.csv', timeZone: 'UTC' },
  })
  const readings = { at: [1_700_000_000], airCelsius: [1e-320], humidityPercent: [5e-324], leafCelsius: [-1e-300], co2Ppm: [1e-45] }
  const added = await t.request('POST', `/api/climate-imports/${begun.json().id}/readings`, person, readings)
  expect([added.statusCode, added.json().added]).toEqual([200, 1])
})
