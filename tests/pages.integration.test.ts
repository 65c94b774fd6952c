import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Boot } from '#contracts/boot.ts'
import { newId } from '#server/kernel/ids.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ env: { PUBLIC_URL: 'https://sungrove.example' } })
  await t.db
    .insertInto('businesses')
    .values({
      id: newId(),
      slug: 'green-hills-denver',
      name: 'Green <Hills> & Co',
      type: 'dispensary',
      location: 'Denver, CO',
      state: 'CO',
    })
    .execute()
})
afterAll(() => t.close())

/** Sends the path unencoded: `inject` only accepts valid URLs. */
async function rawGet(path: string): Promise<{ statusCode: number; body: string }> {
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = t.app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const request = http.get({ port, host: '127.0.0.1', path }, async (response) => {
      resolve({ statusCode: response.statusCode ?? 0, body: await text(response) })
    })
    request.once('error', reject)
  })
}

const bootOf = (html: string) => JSON.parse(/<script id="boot" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as Boot

test('includes the viewer in a page, but no inline scripts or styles', async () => {
  const response = await t.app.inject('/')
  expect(response.statusCode).toBe(200)
  expect(bootOf(response.body)).toMatchObject({ user: null, brand: { name: 'Sungrove', slug: 'sungrove' }, answers: [] })
  expect(response.body).not.toMatch(/<style|\son\w+=|<script(?![^>]*(type="application\/json"|src=))/)
  expect(response.headers['cache-control']).toBe('private, no-cache')
})

test('escapes text that could close its script element', async () => {
  const person = await t.signUp({ firstName: '</script><script>alert(1)' })
  const { body } = await t.app.inject({ url: '/', headers: { cookie: person.cookie } })
  expect(body).not.toContain('</script><script>alert')
  expect(bootOf(body).user?.firstName).toBe('</script><script>alert(1)')
})

test('describes a public business in the head for everyone, escaped, but preloads its data only for members', async () => {
  const visitor = await t.app.inject('/business/green-hills-denver')
  expect(visitor.statusCode).toBe(200)
  expect(visitor.body).toContain('<title>Green &lt;Hills&gt; &amp; Co in Denver, CO · Sungrove</title>')
  expect(visitor.body).toContain('<link rel="canonical" href="https://sungrove.example/business/green-hills-denver">')
  expect(bootOf(visitor.body).answers).toEqual([])

  const person = await t.signUp()
  const { id } = await t.db.selectFrom('businesses').select('id').executeTakeFirstOrThrow()
  const member = await t.app.inject({ url: '/business/green-hills-denver', headers: { cookie: person.cookie } })
  expect(bootOf(member.body).answers).toEqual([
    { url: '/api/businesses/green-hills-denver', next: null, body: expect.objectContaining({ name: 'Green <Hills> & Co' }) },
    { url: '/api/businesses/green-hills-denver/page-extras', next: null, body: { gallery: [], socialLinks: [] } },
    { url: '/api/businesses/green-hills-denver/events?limit=3', next: null, body: [] },
    { url: `/api/businesses/${id}/status`, next: null, body: expect.objectContaining({ isFavorited: false }) },
    { url: `/api/businesses/${id}/products`, next: null, body: [] },
  ])
})

test('never builds addresses in the head from the Host header', async () => {
  const { body } = await t.app.inject({ url: '/landing', headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } })
  expect(body).not.toContain('evil.example')
})

test('links only to its own site, no matter how the URL begins', async () => {
  for (const url of ['//', '///', '//[', '/\\', '//evil.example/business/green-hills-denver', '/%zz?next=//']) {
    const { statusCode, body } = await rawGet(url)
    expect(statusCode, url).toBeLessThan(500)
    expect(body, url).not.toMatch(/evil\.example|Green &lt;Hills/)
  }
})

test('returns 404 for the page of a missing business', async () => {
  expect((await t.app.inject('/business/nowhere')).statusCode).toBe(404)
  expect((await t.app.inject('/business/register')).statusCode).toBe(200)
})

test('reveals only the app’s name on a tasting card’s page, which isn’t indexed', async () => {
  const { body, statusCode } = await t.app.inject('/taste/AAAAAAAAAAAAAAAAAAAAAA')
  expect(statusCode).toBe(200)
  expect(body).toMatch(/<title>Sungrove · [^<]*<\/title>/)
  expect(body).toContain('<meta name="robots" content="noindex">')
  expect(bootOf(body).answers).toEqual([])
})

test('renders pages on the server in the cookie’s theme, and ignores unknown themes', async () => {
  expect((await t.app.inject({ url: '/', headers: { cookie: 'theme=dark' } })).body).toContain('<html lang="en" data-theme="dark">')
  expect((await t.app.inject({ url: '/', headers: { cookie: 'theme="><script>' } })).body).toContain('<html lang="en">')
})

test('caches hashed files forever and returns 404 for missing ones', async () => {
  const file = await t.app.inject('/assets/app-abc123.js')
  expect(file.statusCode).toBe(200)
  expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect((await t.app.inject('/assets/gone-123.js')).statusCode).toBe(404)
  expect((await t.app.inject('/index.html')).headers['cache-control']).toBe('private, no-cache')
})

test('serves files of a newer build that has replaced the one it started with, and no others', async () => {
  expect((await t.app.inject('/assets/main-new456.js')).statusCode).toBe(404)
  const assets = path.join(t.dataDir, 'dist/assets')
  for (const name of ['main-new456.js', 'main-new456.js.br', '.hidden']) fs.writeFileSync(path.join(assets, name), 'export {}')
  expect((await t.app.inject('/assets/main-new456.js')).statusCode).toBe(200)
  for (const name of ['main-new456.js.br', '.hidden', '..%2Findex.html', '..%5Cindex.html', '%00']) {
    expect((await t.app.inject(`/assets/${name}`)).statusCode, name).toBe(404)
  }
})

test('validates a response by its ETag, which changes with a write', async () => {
  const first = await t.app.inject('/api/businesses')
  const again = await t.app.inject({ url: '/api/businesses', headers: { 'if-none-match': String(first.headers.etag) } })
  expect(again.statusCode).toBe(304)
  expect(again.body).toBe('')

  const [business] = first.json() as { id: string }[]
  const person = await t.signUp()
  await t.request('POST', '/api/subscriptions', person, { businessId: business?.id as string })
  const after = await t.app.inject({ url: '/api/businesses', headers: { 'if-none-match': String(first.headers.etag) } })
  expect(after.statusCode).toBe(200)
  expect((after.json() as { subscriberCount: number }[])[0]?.subscriberCount).toBe(1)
})
