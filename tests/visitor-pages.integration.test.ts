import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itemPath, type MenuContent } from '#contracts/visitor-pages.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from './support/businesses.ts'
import { addProduct } from './support/menus.ts'
import { startTestApp, type TestApp, type TestPerson, visitorPageOf } from './support/test-app.ts'

const origin = 'https://sungrove.example'
/** Part of every product name in these tests. */
const canary = 'Xylophage'

let t: TestApp
let shop: TestBusiness
let owner: TestPerson

beforeAll(async () => {
  t = await startTestApp({ env: { PUBLIC_URL: origin }, hasVisitorPages: true })
  owner = await t.signUp({ accountType: 'business' })
  shop = await addBusiness(t.db, { name: 'Green <Hills>', slug: 'green-hills', claimed_at: new Date(), phone: '+1 303 555 0100' })
  await t.db.insertInto('business_members').values({ user_id: owner.user.id, business_id: shop.id, role: 'owner' }).execute()
  for (const [name, category] of [
    [`${canary} Haze`, 'Flower'],
    [`${canary} Bar`, 'Edibles'],
  ]) {
    const added = await t.request('POST', `/api/businesses/${shop.id}/menu-items`, owner, {
      name,
      category,
      variants: [{ price: '12.50' }],
    })
    expect(added.statusCode, added.body).toBe(201)
  }
})
afterAll(() => t?.close())

const old = 'age-confirmed=21'
const get = (url: string, cookie = '', headers: Record<string, string> = {}) =>
  t.app.inject({ url, headers: { ...(cookie && { cookie }), ...headers } })
const menuAt = async (url: string, cookie = old): Promise<MenuContent> => {
  const { statusCode, body } = await get(url, cookie)
  expect(statusCode).toBe(200)
  return visitorPageOf(body).content as MenuContent
}
const namesAt = async (url: string) => (await menuAt(url)).menu?.items.map(({ name }) => name)
const dataOf = (html: string) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

describe('the public menu', () => {
  it('shows the business to everyone, and its menu only to people who are old enough', async () => {
    for (const cookie of ['', 'age-confirmed=true', 'age-confirmed=20', 'age-confirmed=yes', 'age-confirmed=099']) {
      const { body } = await get('/menu/green-hills', cookie)
      expect(body, cookie).not.toContain(canary)
      expect(visitorPageOf(body).content, cookie).toMatchObject({ business: { name: 'Green <Hills>' }, menu: null, isAgeKnown: false })
    }
    expect(await namesAt('/menu/green-hills')).toEqual([`${canary} Haze`, `${canary} Bar`])
  })

  it('trusts a known birthday over a confirmed age', async () => {
    const young = await t.signUp({ birthday: '2007-01-01' })
    const { body } = await get('/menu/green-hills', `${young.cookie}; ${old}`)
    expect(body).not.toContain(canary)
    expect(visitorPageOf(body)).toMatchObject({ isSignedIn: true, content: { menu: null, isAgeKnown: true } })
    expect((await menuAt('/menu/green-hills', owner.cookie)).menu?.itemCount).toBe(2)
  })

  it('gives each visitor their own page when several open it at the same time', async () => {
    const visitors = [
      { cookie: '', has: [], lacks: [canary, 'data-theme'] },
      { cookie: old, has: [canary], lacks: ['data-theme'] },
      { cookie: `${old}; theme=dark`, has: [canary, ' data-theme="dark"'], lacks: [] },
      { cookie: 'age-confirmed=20; theme=light', has: [' data-theme="light"'], lacks: [canary] },
      { cookie: owner.cookie, has: [canary, '"isSignedIn":true'], lacks: ['data-theme'] },
    ]
    const opened = await Promise.all(
      Array.from({ length: 4 }, () => visitors)
        .flat()
        .map(async (visitor, i) => ({ ...visitor, body: (await get('/menu/green-hills', visitor.cookie, { 'user-agent': `${i}` })).body })),
    )
    for (const { body, cookie, has, lacks } of opened) {
      for (const text of has) expect(body, cookie).toContain(text)
      for (const text of lacks) expect(body, cookie).not.toContain(text)
    }
    const [android, iphone] = await Promise.all(
      ['Android 16', 'iPhone'].map(async (agent) => visitorPageOf((await get('/menu/green-hills', old, { 'user-agent': agent })).body)),
    )
    expect([android, iphone]).toMatchObject([{ content: { device: 'android' } }, { content: { device: 'iphone' } }])
  })

  it('shows a change to everyone who opens it afterward, even during other reads', async () => {
    const rename = async (name: string) => {
      const path = `/api/businesses/${shop.id}/menu-items`
      const item = (await t.request('GET', path, owner)).json().find((each: { name: string }) => each.name.startsWith(`${canary} Haze`))
      const changed = await t.request('PATCH', path, owner, { changes: [{ id: item.id, version: item.version, name }] })
      expect(changed.statusCode, changed.body).toBe(200)
    }
    const during = Array.from({ length: 20 }, () => menuAt('/menu/green-hills'))
    await rename(`${canary} Haze again`)
    const after = await Promise.all(Array.from({ length: 5 }, () => namesAt('/menu/green-hills')))
    expect(new Set(after.map((names) => names?.[0]))).toEqual(new Set([`${canary} Haze again`]))
    await Promise.all(during)
    await rename(`${canary} Haze`)
  })

  it('filters by search text and category, and ignores invalid parameters', async () => {
    expect(await namesAt('/menu/green-hills?q=haze')).toEqual([`${canary} Haze`])
    expect(await namesAt('/menu/green-hills?category=Edibles')).toEqual([`${canary} Bar`])
    expect(await namesAt('/menu/green-hills?category=Nothing&location=x&q=a&q=b&page=9')).toHaveLength(2)
    expect((await menuAt('/menu/green-hills?q=&location=&inStock=true')).filter).toEqual({ inStock: true })
    const { statusCode, headers } = await get('/menu/green-hills?cursor=bm9uc2Vuc2U', old)
    expect([statusCode, headers.location]).toEqual([302, '/menu/green-hills'])
  })

  it('shows no items or prices for a closed business', async () => {
    const [item] = (await menuAt('/menu/green-hills')).menu?.items ?? []
    const close = (kind: 'PUT' | 'DELETE') =>
      t.request(kind, `/api/businesses/${shop.id}/closure`, owner, ...(kind === 'PUT' ? [{ kind: 'temporary', reopensOn: null }] : []))
    expect((await close('PUT')).statusCode).toBe(200)
    const { body } = await get('/menu/green-hills', old)
    expect(body).not.toContain(canary)
    expect(visitorPageOf(body).content).toMatchObject({ menu: null, business: { closure: { kind: 'temporary' } } })
    expect((await get(`/menu/green-hills/${item?.id}`, old)).statusCode).toBe(404)
    expect((await close('DELETE')).statusCode).toBe(200)
    expect(await namesAt('/menu/green-hills')).toHaveLength(2)
  })

  it('gives search engines no opening hours for a closed business', async () => {
    await t.db.insertInto('locations').values({ id: shop.id, business_id: shop.id, name: 'Main', time_zone: 'America/Denver' }).execute()
    await t.db.insertInto('location_hours').values({ location_id: shop.id, weekday: 0, opens: 0, closes: 0 }).execute()
    await t.db.insertInto('location_special_days').values({ location_id: shop.id, day: '2099-12-25', note: '' }).execute()
    const stated = async () => {
      t.ctx.cache.invalidate('businesses')
      const pages = await Promise.all(['/menu/green-hills', '/business/green-hills'].map((address) => get(address)))
      return pages.map(({ body }) => Object.keys(dataOf(body)).filter((name) => /openingHours/i.test(name)).length)
    }
    expect(await stated()).toEqual([2, 2])
    // This is schema.org's form of “open all day”.
    const { openingHoursSpecification: hours } = dataOf((await get('/menu/green-hills')).body)
    expect(hours).toMatchObject([{ opens: '00:00', closes: '23:59' }])
    const closed = { closure: 'permanent', closed_at: t.clock.now(), closed_by: 'owner' } as const
    await t.db.updateTable('businesses').set(closed).where('id', '=', shop.id).execute()
    expect(await stated()).toEqual([0, 0])
    await t.db.updateTable('businesses').set({ closure: null, closed_at: null, closed_by: null }).where('id', '=', shop.id).execute()
  })

  it('gives search engines a day’s special hours until it ends at the business', async () => {
    const { id, slug } = await addBusiness(t.db, { name: 'Holiday Hills' })
    await t.db.insertInto('locations').values({ id, business_id: id, name: 'Main', time_zone: 'America/Denver', has_hours: true }).execute()
    await t.db.insertInto('location_hours').values({ location_id: id, weekday: 3, opens: 540, closes: 1260 }).execute()
    await t.db.insertInto('location_special_days').values({ location_id: id, day: '2026-11-26', note: 'Thanksgiving' }).execute()
    const before = t.clock.now()
    const daysAt = async (time: string) => {
      t.clock.set(new Date(time))
      const pages = await Promise.all([`/menu/${slug}`, `/business/${slug}`].map((address) => get(address)))
      return pages.map(({ body }) => dataOf(body).specialOpeningHoursSpecification?.map((each: { validFrom: string }) => each.validFrom))
    }
    expect(await daysAt('2026-11-27T06:59:00Z')).toEqual([['2026-11-26'], ['2026-11-26']])
    expect(await daysAt('2026-11-27T07:00:00Z')).toEqual([undefined, undefined])
    t.clock.set(before)
  })

  it('permanently redirects a merged business’s address to the remaining business', async () => {
    const from = await addBusiness(t.db, { name: 'Old Hills', slug: 'old-hills' })
    await t.db.deleteFrom('businesses').where('id', '=', from.id).execute()
    await t.db
      .insertInto('business_redirects')
      .values({ from_id: from.id, slug: 'old-hills', business_id: shop.id, created_at: new Date() })
      .execute()
    for (const [address, target] of [
      ['/menu/old-hills', '/menu/green-hills'],
      ['/menu/old-hills?category=Edibles&from=embed', '/menu/green-hills?category=Edibles&from=embed'],
      ['/business/old-hills?tab=reviews', '/business/green-hills?tab=reviews'],
      [`/business/${from.id}`, '/business/green-hills'],
    ] as const) {
      const { statusCode, headers } = await get(address, old)
      expect([statusCode, headers.location]).toEqual([301, target])
    }
    expect((await get(`/business/${shop.id}`, old)).statusCode).toBe(200)
  })

  it('shows no pictures or certificates', async () => {
    for (const item of (await menuAt('/menu/green-hills')).menu?.items ?? [])
      expect(item).toMatchObject({ image: null, imageUrl: null, certificateUrl: null })
  })

  it('has a page for each item, for people who are old enough but not for search engines', async () => {
    const [item] = (await menuAt('/menu/green-hills')).menu?.items ?? []
    const url = `/menu/green-hills/${item?.id}`
    const gated = await get(url)
    expect([gated.statusCode, gated.body.includes(canary)]).toEqual([200, false])
    expect(visitorPageOf(gated.body).content).toMatchObject({ kind: 'item', product: null, business: { name: 'Green <Hills>' } })
    const { body } = await get(url, old)
    expect(visitorPageOf(body).content).toMatchObject({ kind: 'item', product: { id: item?.id, image: null, certificateUrl: null } })
    expect(body).toContain('<meta name="robots" content="noindex">')
    const other = await addBusiness(t.db, { name: 'Elsewhere', slug: 'elsewhere', claimed_at: new Date() })
    for (const gone of [`/menu/${other.slug}/${item?.id}`, '/menu/green-hills/nothing', '/menu/nowhere/nothing']) {
      const answer = await get(gone, old)
      expect([answer.statusCode, visitorPageOf(answer.body).content], gone).toEqual([404, { kind: 'missing', of: 'item' }])
    }
    // People who are too young can't find out which items exist.
    expect((await get('/menu/green-hills/nothing')).statusCode).toBe(200)
  })

  it('shows an item’s price and stock at the location that the visitor chose', async () => {
    const chain = await addBusiness(t.db, { name: 'Two Doors', slug: 'two-doors', claimed_at: new Date() })
    await t.db.insertInto('business_members').values({ user_id: owner.user.id, business_id: chain.id, role: 'owner' }).execute()
    const [main, north] = [chain.id, newId()]
    for (const [id, name] of [
      [main, 'Main'],
      [north, 'North'],
    ] as const)
      await t.db.insertInto('locations').values({ id, business_id: chain.id, name, time_zone: 'America/Denver' }).execute()
    const added = await t.request('POST', `/api/businesses/${chain.id}/menu-items`, owner, {
      name: `${canary} Kush`,
      category: 'Flower',
      variants: [{ price: '30', offers: [{ locationId: north, isOffered: true, price: '20', salePrice: null, isAvailable: false }] }],
    })
    expect(added.statusCode, added.body).toBe(201)
    const path = `/menu/two-doors/${added.json().id}`
    const itemAt = async (url: string, cookie = old) => visitorPageOf((await get(url, cookie)).body).content
    expect(await itemAt(path)).toMatchObject({ product: { price: '30.00', isAvailable: true } })
    const atNorth = itemPath('two-doors', added.json().id, north)
    expect(await itemAt(atNorth)).toMatchObject({ location: north, product: { price: '20.00', isAvailable: false } })
    // The age gate returns to the same location.
    expect(await itemAt(atNorth, '')).toMatchObject({ location: north, product: null })
    for (const unknown of ['x', newId()]) {
      const content = await itemAt(`${path}?location=${unknown}`)
      expect(content).toMatchObject({ product: { price: '30.00' } })
      expect(content).not.toHaveProperty('location')
    }
  })

  it('describes the shop to search engines, but not its products', async () => {
    const { body } = await get('/menu/green-hills')
    expect(body).toContain('<title>Menu for Green &lt;Hills&gt; in Denver, CO · Sungrove</title>')
    expect(body).toContain(`<link rel="canonical" href="${origin}/menu/green-hills">`)
    expect(dataOf(body)).toMatchObject({
      '@type': 'Store',
      url: `${origin}/menu/green-hills`,
      hasOfferCatalog: { '@type': 'OfferCatalog', url: `${origin}/menu/green-hills` },
    })
    const { hasOfferCatalog } = dataOf((await get('/menu/green-hills', old)).body) as { hasOfferCatalog: { itemListElement: object[] } }
    expect(hasOfferCatalog.itemListElement).toEqual([
      { '@type': 'OfferCatalog', name: 'Flower', numberOfItems: 1 },
      { '@type': 'OfferCatalog', name: 'Edibles', numberOfItems: 1 },
    ])
    const { body: sitemaps } = await get('/sitemap.xml')
    const [address = ''] = /\/sitemaps\/[0-9a-f-]+\.xml/.exec(sitemaps) ?? []
    expect((await get(address)).body).toContain(`<loc>${origin}/menu/green-hills</loc>`)
  })

  it('describes a menu for a business that its owner gave up, but none for a listing without items', async () => {
    const givenUp = await addBusiness(t.db, { name: 'Given Up', slug: 'given-up' })
    await addProduct(t.db, givenUp.id, { name: `${canary} Jar`, category: 'Flower' })
    await addBusiness(t.db, { name: 'Bare Listing', slug: 'bare-listing' })
    expect(await namesAt('/menu/given-up')).toEqual([`${canary} Jar`])
    const given = (await get('/menu/given-up', old)).body
    expect(given).toContain('<title>Menu for Given Up')
    expect(dataOf(given)).toMatchObject({ hasOfferCatalog: { numberOfItems: 1 } })
    const bare = (await get('/menu/bare-listing', old)).body
    expect(bare).toContain('<title>Bare Listing')
    expect(dataOf(bare)).not.toHaveProperty('hasOfferCatalog')
  })

  it('returns a 404 page if the business doesn’t exist or is hidden', async () => {
    await addBusiness(t.db, { slug: 'hidden-hills', moderation: 'hidden' })
    const farm = await addBusiness(t.db, { slug: 'far-field', type: 'farm', address: '1 Hidden Lane' })
    for (const slug of ['hidden-hills', 'no-such-business', 'NOT_A_SLUG']) {
      const { statusCode, headers, body } = await get(`/menu/${slug}`, old)
      expect([statusCode, headers['content-type']], slug).toEqual([404, 'text/html; charset=utf-8'])
      expect(body).toContain('noindex')
    }
    const { body } = await get(`/menu/${farm.slug}`, old)
    expect(body).not.toContain('Hidden Lane')
    const byId = await get(`/menu/${farm.id}`)
    expect([byId.statusCode, byId.headers.location]).toEqual([302, '/menu/far-field'])
  })

  it('is sent again only if it changed', async () => {
    const first = await get('/menu/green-hills', old)
    const etag = first.headers.etag as string
    const again = await get('/menu/green-hills', old, { 'if-none-match': etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    expect((await get('/menu/green-hills', '', { 'if-none-match': etag })).statusCode).toBe(200)
    expect(first.headers['cache-control']).toBe('private, no-cache')
    expect(first.headers['content-security-policy']).toContain("default-src 'self'")
    // This header makes the device delete data stored for other accounts, so a page for everyone doesn't have it.
    expect(first.headers['page-viewer']).toBeUndefined()
  })
})

describe('the age gate of a place', () => {
  const confirm = (form: Record<string, string>, cookie = '') =>
    t.app.inject({
      method: 'POST',
      url: '/age-gate',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...(cookie && { cookie }) },
      payload: new URLSearchParams(form).toString(),
    })

  it('remembers the highest confirmed age and returns to the previous page', async () => {
    const first = await confirm({ confirmed: 'on', age: '21', returnTo: '/menu/green-hills?q=haze#menu' })
    expect([first.statusCode, first.headers.location]).toEqual([303, '/menu/green-hills?q=haze#menu'])
    expect(first.headers['set-cookie']).toContain('age-confirmed=21;')
    expect((await confirm({ confirmed: 'on' }, old)).headers['set-cookie']).toContain('age-confirmed=21;')
    expect((await confirm({ confirmed: 'on' })).headers['set-cookie']).toContain('age-confirmed=true;')
  })

  it('never redirects to another site or to a call', async () => {
    for (const returnTo of ['https://evil.example', '//evil.example', '/\\evil.example', '/api/logout'])
      expect((await confirm({ confirmed: 'on', returnTo })).headers.location, returnTo).toBe('/')
    expect((await confirm({ age: '21', returnTo: '/menu/green-hills' })).headers['set-cookie']).toBeUndefined()
  })
})
