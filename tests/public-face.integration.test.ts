import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addStoredPicture } from './support/media-uses.ts'
import { startTestApp, type TestApp } from './support/test-app.ts'

const origin = 'https://sungrove.example'
let t: TestApp
beforeAll(async () => {
  t = await startTestApp({ env: { PUBLIC_URL: origin, RATE_LIMIT_SCALE: '100' } })
  const business = { type: 'dispensary' as const, location: 'Denver, CO', city: 'Denver', state: 'CO' }
  await t.db
    .insertInto('businesses')
    .values([
      { ...business, id: newId(), slug: 'green-hills-denver', name: 'Green <Hills> & Co' },
      { ...business, id: newId(), slug: 'held-denver', name: 'Held', moderation: 'held' },
      { ...business, id: newId(), slug: 'made-up-denver', name: 'Made up', is_demo: true },
      {
        ...business,
        id: newId(),
        slug: 'far-field',
        name: 'Far Field',
        type: 'farm',
        location: '12 Hidden Lane, Hood River, OR',
        city: 'Hood River',
        state: 'OR',
      },
    ])
    .execute()
})
afterAll(() => t.close())

const headOf = (html: string) => /<title>.*?(?=<script id="boot")/s.exec(html)?.[0] ?? ''
const head = async (path: string) => headOf((await t.app.inject(path)).body)
const property = (html: string, name: string) => new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(html)?.[1]

const publicPages = [
  '/landing',
  '/discover',
  '/sungrove',
  '/help',
  '/guidelines',
  '/rules',
  '/resources',
  '/contact',
  '/privacy',
  '/terms',
  '/data',
  '/developers',
  '/accessibility',
  '/moderation-log',
]

test('gives each public page its own title, description, and address, and the site’s picture', async () => {
  const heads = await Promise.all(publicPages.map(head))
  for (const [i, html] of heads.entries()) {
    expect(html).toContain(`<link rel="canonical" href="${origin}${publicPages[i]}">`)
    expect(property(html, 'og:image')).toBe(`${origin}/preview.png`)
    expect(property(html, 'twitter:card')).toBe('summary_large_image')
    expect(html).not.toContain('noindex')
  }
  for (const name of ['og:title', 'og:description', 'og:url'])
    expect(new Set(heads.map((html) => property(html, name))).size).toBe(publicPages.length)
})

test('puts a public business’s picture and structured data in its head', async () => {
  const html = await head('/business/green-hills-denver')
  expect(property(html, 'og:image')).toBe(`${origin}/business/green-hills-denver/preview.png`)
  expect(property(html, 'og:title')).toBe('Green &lt;Hills&gt; &amp; Co in Denver, CO · Sungrove')
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as object
  expect(data).toMatchObject({ '@type': 'Store', name: 'Green <Hills> & Co', image: `${origin}/business/green-hills-denver/preview.png` })
  expect(data).not.toHaveProperty('aggregateRating')
})

test('gives search engines a picture that they may fetch, even if the business uploaded its own', async () => {
  const owner = await t.signUp()
  const picture = await addStoredPicture(t.ctx, owner.user.id)
  const own = { slug: 'own-pictures', name: 'Own Pictures', type: 'dispensary', image_id: picture, logo_id: picture } as const
  await t.db
    .insertInto('businesses')
    .values({ ...own, id: newId() })
    .execute()
  const html = await head('/business/own-pictures')
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '') as { image: string; logo?: string }
  const closed = [...(await t.app.inject('/robots.txt')).body.matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => origin + path)
  for (const address of [data.image, data.logo].filter((each) => each !== undefined))
    expect(closed.filter((path) => address.startsWith(path))).toEqual([])
  await t.db.deleteFrom('businesses').where('slug', '=', 'own-pictures').execute()
})

test('shows nothing about a farm more precisely than its city', async () => {
  const html = await head('/business/far-field')
  expect(html).toContain('<title>Far Field in Hood River, OR · Sungrove</title>')
  expect(html).not.toContain('Hidden Lane')
})

test('serves the same unindexed head for possibly private pages, whether or not they exist', async () => {
  const owner = await t.signUp()
  const made = await t.request('POST', '/api/communities', owner, {
    name: 'Quiet growers',
    description: 'Only for us',
    category: 'growing',
    visibility: 'private',
  })
  expect(made.statusCode).toBe(201)
  const community = (made.json() as { id: string }).id
  const hunt = await t.request('POST', '/api/pheno-hunts', owner, { huntName: 'Secret hunt', seedCount: 4 })
  expect(hunt.statusCode).toBe(201)
  const huntId = (hunt.json() as { id: string }).id
  const there = [`/communities/${community}`, `/pheno-hunt/${huntId}`, `/people/${owner.user.id}`, '/business/held-denver']
  const other = ['/communities/', '/pheno-hunt/', '/people/', '/post/', '/messages/'].map((path) => `${path}${newId()}`)
  const rest = ['/settings', '/profile', '/favorites', '/notifications', '/messages', '/create-post', '/business/nowhere', '/no-such-page']
  const heads = await Promise.all([...there, ...other, ...rest].map(head))
  expect(new Set(heads).size).toBe(1)
  expect(heads[0]).toContain('<meta name="robots" content="noindex">')
  expect(heads[0]).not.toMatch(/og:|canonical|twitter|ld\+json/)
  const held = await t.app.inject('/business/held-denver')
  const absent = await t.app.inject('/business/nowhere')
  expect([held.statusCode, held.body]).toEqual([absent.statusCode, absent.body])
})

test('draws and revalidates link pictures, but draws none for hidden pages', async () => {
  const answer = await t.app.inject('/business/green-hills-denver/preview.png')
  expect(answer.headers['content-type']).toBe('image/png')
  expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
  const { width, height, format } = await sharp(answer.rawPayload).metadata()
  expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' })
  const again = await t.app.inject({
    url: '/business/green-hills-denver/preview.png',
    headers: { 'if-none-match': String(answer.headers.etag) },
  })
  expect(again.statusCode).toBe(304)
  for (const slug of ['held-denver', 'nowhere']) expect((await t.app.inject(`/business/${slug}/preview.png`)).statusCode).toBe(404)
  expect((await t.app.inject('/preview.png')).statusCode).toBe(200)
})

test('redirects the link picture of a merged business, unless the business that remains is hidden', async () => {
  const ids = await t.db.selectFrom('businesses').select(['id', 'slug']).execute()
  const merged = (slug: string, into: string) => {
    const business_id = ids.find((business) => business.slug === into)?.id as string
    return { from_id: newId(), slug, business_id, created_at: t.clock.now() }
  }
  await t.db
    .insertInto('business_redirects')
    .values([merged('green-hill-denver', 'green-hills-denver'), merged('helt-denver', 'held-denver')])
    .execute()
  const answer = await t.app.inject('/business/green-hill-denver/preview.png')
  expect([answer.statusCode, answer.headers.location]).toEqual([301, '/business/green-hills-denver/preview.png'])
  expect(answer.headers['cross-origin-resource-policy']).toBe('cross-origin')
  expect((await t.app.inject('/business/helt-denver/preview.png')).statusCode).toBe(404)
})

test('names the sitemap in robots.txt, excludes paths not meant for search engines, and allows the public pages', async () => {
  const { body, headers } = await t.app.inject('/robots.txt')
  expect(headers['content-type']).toContain('text/plain')
  expect(body).toContain(`Sitemap: ${origin}/sitemap.xml`)
  expect(body).toContain('Disallow: /api/')
  const closed = [...body.matchAll(/^Disallow: (.*)$/gm)].map(([, path]) => path as string)
  for (const page of [...publicPages, '/business/green-hills-denver', '/assets/app.js'])
    expect(
      closed.some((path) => page.startsWith(path)),
      page,
    ).toBe(false)
})

test('states in security.txt how to report a vulnerability, and sets an expiry within a year', async () => {
  const { body, headers } = await t.app.inject('/.well-known/security.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(body).toContain(`Contact: mailto:${t.ctx.brand.supportEmail}?subject=Security\n`)
  expect(body).toContain(`Canonical: ${origin}/.well-known/security.txt\n`)
  const days = (Date.parse(/^Expires: (.*)$/m.exec(body)?.[1] ?? '') - t.clock.now().getTime()) / 86_400_000
  expect(days).toBeGreaterThan(90)
  expect(days).toBeLessThan(365)
})

test('lists public pages and exactly the public businesses in the sitemaps', async () => {
  const index = (await t.app.inject('/sitemap.xml')).body
  const maps = [...index.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => (address as string).slice(origin.length))
  expect(maps).toHaveLength(4)
  const bodies = await Promise.all(maps.map(async (path) => (await t.app.inject(path)).body))
  const found = bodies.flatMap((body) => [...body.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address as string))
  expect(found).toContain(`${origin}/landing`)
  expect(found.filter((address) => address.includes('/menu/')).sort()).toEqual([
    `${origin}/menu/far-field`,
    `${origin}/menu/green-hills-denver`,
  ])
  expect(bodies.join('')).toMatch(/<lastmod>\d{4}-\d\d-\d\d<\/lastmod>/)
  for (const path of ['/sitemaps/nothing.xml', `/sitemaps/${newId()}.xml`]) expect((await t.app.inject(path)).statusCode).toBe(404)
})
