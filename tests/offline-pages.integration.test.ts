import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Boot } from '#contracts/boot.ts'
import { groundColors } from '#server/app/offline-pages.ts'
import { oklchToHex } from '#web/ui/cover/tones.ts'
import { readTokens } from '#web/ui/read-tokens.test-support.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ env: { BRAND_NAME: 'Hill & Row' } })
})
afterAll(() => t.close())

test('has a manifest with the brand and its icons', async () => {
  const response = await t.app.inject('/manifest.webmanifest')
  expect(response.headers['content-type']).toContain('application/manifest+json')
  expect(response.json()).toMatchObject({ name: 'Hill & Row', start_url: '/', display: 'standalone', scope: '/' })
  const { icons } = response.json() as { icons: { src: string; sizes: string; purpose?: string }[] }
  for (const { src, sizes } of icons) {
    const { width, height, format } = await sharp(fileURLToPath(new URL(`../web/public${src}`, import.meta.url))).metadata()
    expect([`${width}x${height}`, format], src).toEqual([sizes, 'png'])
  }
  expect(icons.map(({ purpose }) => purpose)).toContain('maskable')
})

test('uses the themes’ background colors in the manifest and the page', async () => {
  const tokens = readTokens(readFileSync(new URL('../web/ui/tokens.css', import.meta.url), 'utf8'))
  expect(groundColors).toEqual({ light: oklchToHex(tokens.light.ground!), dark: oklchToHex(tokens.dark.ground!) })
  const html = readFileSync(new URL('../web/index.html', import.meta.url), 'utf8')
  expect(
    [...html.matchAll(/name="theme-color" media="\(prefers-color-scheme: (\w+)\)" content="(#\w+)"/g)].map(([, ...found]) => found),
  ).toEqual(Object.entries(groundColors))
})

test('has no personal data in the offline shell', async () => {
  const person = await t.signUp({ firstName: 'Ivy' })
  const response = await t.app.inject({ url: '/offline/shell', headers: { cookie: person.cookie } })
  const boot = JSON.parse(/<script id="boot" type="application\/json">(.*?)<\/script>/s.exec(response.body)?.[1] ?? '') as Boot
  expect(boot).toMatchObject({ user: null, answers: [], brand: { name: 'Hill & Row' } })
  expect(response.body).toContain('<title>Hill &amp; Row</title>')
  expect(response.body).not.toContain('Ivy')
  expect(response.headers['set-cookie']).toBeUndefined()
})

test('has no script in the offline page', async () => {
  const response = await t.app.inject('/offline/page')
  expect(response.body).toContain('<title>Offline · Hill &amp; Row</title>')
  expect(response.body).not.toMatch(/<script|<style|\sstyle=/)
  expect(response.body).toContain('href="">Try again</a>')
})

test('sends the viewer’s ID with every page, which separates the caches of different people', async () => {
  const person = await t.signUp()
  const viewerOf = async (cookie?: string) =>
    (await t.app.inject({ url: '/pheno-hunt', headers: cookie ? { cookie } : {} })).headers['page-viewer']
  expect(await viewerOf(person.cookie)).toBe(person.user.id)
  expect(await viewerOf()).toBe('none')
})

test('shows a page in dim mode if a valid cookie requests it', async () => {
  const htmlOf = async (cookie: string) => (await t.app.inject({ url: '/pheno-hunt', headers: { cookie } })).body
  expect(await htmlOf('theme=light; lights=off')).toContain('<html lang="en" data-theme="light" data-lights="off">')
  expect(await htmlOf('lights="><script>')).toContain('<html lang="en">')
})

test('refuses writes from a page or device if another person has signed in since', async () => {
  const [writer, next] = [await t.signUp(), await t.signUp()]
  const send = (as: { cookie: string }, account: string) =>
    t.app.inject({
      method: 'POST',
      url: '/api/pheno-hunts',
      headers: { cookie: as.cookie, 'expected-account': account },
      payload: { huntName: 'Cellar' },
    })
  const refused = await send(next, writer.user.id)
  expect([refused.statusCode, refused.json().code]).toEqual([401, 'other_account'])
  expect(refused.json().message).toMatch(/^Someone else is signed in now, so nothing was saved\./)
  expect((await send(writer, writer.user.id)).statusCode).toBe(201)
  expect(await t.db.selectFrom('hunts').select('owner_id').execute()).toEqual([{ owner_id: writer.user.id }])
})

test('reports that someone else is signed in, even if that person isn’t allowed to make the call', async () => {
  const [admin, next] = [await t.signUp(), await t.signUp()]
  const response = await t.app.inject({
    method: 'POST',
    url: `/api/admin/people/${next.user.id}/sign-out`,
    headers: { cookie: next.cookie, 'expected-account': admin.user.id },
  })
  expect([response.statusCode, response.json().code]).toEqual([401, 'other_account'])
})

test('lets a page whose session has ended make the calls of visitors, such as signing in, but no others', async () => {
  const person = await t.signUp()
  const send = (url: string, payload: object) =>
    t.app.inject({ method: 'POST', url, headers: { 'expected-account': person.user.id }, payload })
  expect((await send('/api/login', { email: person.email, password: person.password })).statusCode).toBe(200)
  expect((await send('/api/auth/password-reset-requests', { email: person.email })).statusCode).toBe(204)
  expect((await send('/api/pheno-hunts', { huntName: 'Cellar' })).json()).toMatchObject({ code: 'signed_out' })
})
