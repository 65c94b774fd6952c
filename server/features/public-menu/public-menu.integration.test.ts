import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { MenuFeed, type MenuSharing, type SharedItem } from '#contracts/public-menu.endpoints.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, ratedBy, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let shop: TestBusiness

/** Part of every product name in these tests. */
const canary = 'Xylophage'

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp({ accountType: 'business' })
  shop = await addBusiness(test.db, { name: 'Łódź & <Söhne>', address: '12 Larimer Street', phone: '+1 303 555 0100' })
  await join(owner, 'owner')
  for (const [i, category] of ['Flower', 'Edibles', 'Vapes'].entries()) {
    const item = { name: `${canary} ${i}`, category, variants: [{ price: '12.50', memberPrice: '9.99', salePrice: '11' }] }
    const added = await test.request('POST', `/api/businesses/${shop.id}/menu-items`, owner, item)
    expect(added.statusCode, added.body).toBe(201)
  }
})
afterAll(() => test?.close())

const join = (person: TestPerson, role: 'owner' | 'manager' | 'staff', businessId = shop.id) =>
  test.db.insertInto('business_members').values({ user_id: person.user.id, business_id: businessId, role }).execute()

const sharing = async (method: 'GET' | 'PUT' | 'POST' | 'DELETE', part: string, body?: object): Promise<MenuSharing> => {
  const answer = await test.request(method, `/api/businesses/${shop.slug}/${part}`, owner, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const pathOf = (url: string | null) => {
  const { pathname, search } = new URL(url as string)
  return pathname + search
}
const get = (url: string, headers: Record<string, string> = {}) => test.app.inject({ url, headers })
const embedOn = () => sharing('PUT', 'menu-sharing', { isEmbedOn: true })
const itemsOf = (over: string, as: TestPerson | null = null) =>
  test.request('GET', `/embed/menu/${shop.slug}/items${over && `?over=${over}`}`, as)

describe('the feed', () => {
  it('exists only at its current address', async () => {
    expect((await sharing('GET', 'menu-sharing')).feedUrl).toBeNull()
    const { feedUrl } = await sharing('PUT', 'menu-feed')
    expect((await sharing('PUT', 'menu-feed')).feedUrl).toBe(feedUrl)
    expect((await get(pathOf(feedUrl))).statusCode).toBe(200)
    const rotated = await sharing('POST', 'menu-feed/rotations')
    expect(rotated.feedUrl).not.toBe(feedUrl)
    expect((await get(pathOf(feedUrl))).statusCode).toBe(404)
    expect((await get(pathOf(rotated.feedUrl))).statusCode).toBe(200)
    expect((await sharing('DELETE', 'menu-feed')).feedUrl).toBeNull()
    expect((await sharing('DELETE', 'menu-feed')).feedUrl).toBeNull()
    expect((await get(pathOf(rotated.feedUrl))).statusCode).toBe(404)
    expect((await get(`/feeds/menus/${'a'.repeat(32)}.json`)).statusCode).toBe(404)
  })

  it('changes the address once when a rotation is retried with the same key', async () => {
    await sharing('PUT', 'menu-feed')
    const rotate = async (key: string) => {
      const headers = { cookie: owner.cookie, 'idempotency-key': key }
      const answer = await test.app.inject({ method: 'POST', url: `/api/businesses/${shop.slug}/menu-feed/rotations`, headers })
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json().feedUrl
    }
    const first = await rotate('first')
    expect(await rotate('first')).toBe(first)
    expect(await rotate('second')).not.toBe(first)
  })

  it('is created once, even when opened concurrently', async () => {
    const other = await addBusiness(test.db)
    await join(owner, 'owner', other.id)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => test.request('PUT', `/api/businesses/${other.slug}/menu-feed`, owner)),
    )
    expect(new Set(answers.map((answer) => answer.json().feedUrl)).size).toBe(1)
  })

  it('states the required age and paginates the menu', async () => {
    const { feedUrl } = await sharing('PUT', 'menu-feed')
    const answer = await get(`${pathOf(feedUrl)}?limit=2`)
    const first = MenuFeed.parse(answer.json())
    expect(first).toMatchObject({ version: 2, business: { id: shop.id, location: 'Denver, CO' }, minimumAge: 21 })
    expect(first.ageRule).toContain('Colorado')
    expect(first.items[0]).toMatchObject({
      price: '11.00',
      isAvailable: true,
      isOnSale: true,
      variants: [{ price: '12.50', salePrice: '11.00', isAvailable: true }],
      confirmedAt: expect.any(String),
    })
    expect(answer.headers.link).toBe(`<${first.next}>; rel="next"`)
    const second = MenuFeed.parse((await get(pathOf(first.next))).json())
    expect(second.next).toBeNull()
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3)
    expect(answer.body).not.toContain('9.99')
    expect((await get(`${pathOf(feedUrl)}?limit=2&cursor=nonsense`)).statusCode).toBe(400)
  })

  it('can be read by other sites’ pages and cached', async () => {
    const { feedUrl } = await sharing('PUT', 'menu-feed')
    const { headers } = await get(pathOf(feedUrl))
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
    expect(headers['cache-control']).toBe('public, max-age=300')
    expect((await get(pathOf(feedUrl), { 'if-none-match': headers.etag as string })).statusCode).toBe(304)
    await test.db.updateTable('product_variants').set({ is_available: false }).where('business_id', '=', shop.id).execute()
    const changed = await get(pathOf(feedUrl), { 'if-none-match': headers.etag as string })
    expect(changed.statusCode).toBe(200)
  })
})

describe('the menu on other sites', () => {
  it('is shown only after its editors enable it', async () => {
    await sharing('PUT', 'menu-sharing', { isEmbedOn: false })
    expect((await get(`/embed/menu/${shop.slug}`)).statusCode).toBe(404)
    expect((await itemsOf('21')).statusCode).toBe(404)
    const { snippet } = await embedOn()
    expect(snippet).toContain(`<div data-embedded-menu="${shop.slug}"></div>`)
    expect((await get(`/embed/menu/${shop.slug}`)).statusCode).toBe(200)
    expect((await get('/embed/menu/no-such-business')).statusCode).toBe(404)
  })

  it('may be framed by any site, unlike its script, its items and other pages', async () => {
    await embedOn()
    const page = await get(`/embed/menu/${shop.slug}`)
    expect(page.headers['x-frame-options']).toBeUndefined()
    const policy = page.headers['content-security-policy'] as string
    expect(policy).toContain('frame-ancestors *')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    for (const url of [`/business/${shop.slug}`, '/', '/embed/page.js', `/embed/menu/${shop.slug}/items?over=21`]) {
      const { headers } = await get(url)
      expect(headers['content-security-policy'], url).toContain("frame-ancestors 'none'")
      expect(headers['x-frame-options'], url).toBe('DENY')
    }
    expect((await get('/embed/menu.js')).headers['cross-origin-resource-policy']).toBe('cross-origin')
  })

  it('is at most 15 KB and runs no inline script', async () => {
    await embedOn()
    const parts = await Promise.all(
      [`/embed/menu/${shop.slug}`, '/embed/menu.css', '/embed/page.js', '/embed/menu.js'].map((url) => get(url)),
    )
    const bytes = parts.reduce((sum, { rawPayload }) => sum + rawPayload.length, 0)
    expect(bytes).toBeLessThanOrEqual(15 * 1024)
    const [page, , script, loader] = parts.map(({ body }) => body) as [string, string, string, string]
    expect(page).toContain('Łódź &amp; &lt;Söhne&gt;')
    expect([...page.matchAll(/<script(.*?)>(.*?)<\/script>/g)].map(([, , inside]) => inside)).toEqual([''])
    expect(page).not.toMatch(/ style=| on\w+=/)
    expect(script + loader).not.toMatch(/innerHTML|__BRAND__/)
    expect(loader).toContain("['data-embedded-menu', 'data-sungrove-menu']")
  })

  it('contains no products before the age is confirmed', async () => {
    await embedOn()
    const page = await get(`/embed/menu/${shop.slug}`)
    expect(page.body).toContain('Are you 21 or older?')
    expect(page.body).not.toContain(canary)
    for (const over of ['', '20', '0', '-21']) {
      const answer = await itemsOf(over)
      expect(answer.statusCode, over).toBe(403)
      expect(answer.json().code).toBe('age_restricted')
      expect(answer.body).not.toContain(canary)
    }
    expect((await itemsOf('old')).statusCode).toBe(400)
    const answer = await itemsOf('21')
    const { items, cursor } = answer.json() as { items: SharedItem[]; cursor: string | null }
    expect(items.map(({ name }) => name).sort()).toEqual([0, 1, 2].map((i) => `${canary} ${i}`))
    expect(cursor).toBeNull()
    expect(answer.body).not.toContain('9.99')
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('can be searched and narrowed to items in stock', async () => {
    await embedOn()
    const namesOf = async (query: string) => {
      const { items } = (await get(`/embed/menu/${shop.slug}/items?over=21&${query}`)).json() as { items: SharedItem[] }
      return items.map(({ name }) => name)
    }
    expect(await namesOf(`q=${canary}%202`)).toEqual([`${canary} 2`])
    const [first] = (await test.request('GET', `/api/businesses/${shop.id}/menu-items`, owner)).json() as { id: string; name: string }[]
    const all = await namesOf('')
    await test.db
      .updateTable('product_variants')
      .set({ is_available: false })
      .where('product_id', '=', first?.id ?? '')
      .execute()
    await test.db
      .updateTable('products')
      .set({ is_available: false })
      .where('id', '=', first?.id ?? '')
      .execute()
    expect(await namesOf('inStock=true')).toEqual(all.filter((name) => name !== first?.name))
    expect((await get(`/embed/menu/${shop.slug}/items?over=21&inStock=perhaps`)).statusCode).toBe(400)
    await test.db
      .updateTable('product_variants')
      .set({ is_available: true })
      .where('product_id', '=', first?.id ?? '')
      .execute()
    await test.db
      .updateTable('products')
      .set({ is_available: true })
      .where('id', '=', first?.id ?? '')
      .execute()
  })

  it('trusts a signed-in person’s birthday over a claimed age', async () => {
    await embedOn()
    const young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
    expect((await itemsOf('21', young)).statusCode).toBe(403)
    expect((await itemsOf('', owner)).statusCode).toBe(200)
  })
})

describe('a closed business', () => {
  it('shares no items until it reopens', async () => {
    await embedOn()
    const { feedUrl } = await sharing('PUT', 'menu-feed')
    const shown = async () => {
      const [items, feed, frame] = [await itemsOf('21'), await get(pathOf(feedUrl)), await get(`/embed/menu/${shop.slug}`)]
      return [items.json().items.length, feed.json().items.length, frame.body.includes('Are you 21 or older?')]
    }
    const open = await shown()
    expect(open).toEqual([3, 3, true])
    const closure = `/api/businesses/${shop.slug}/closure`
    expect((await test.request('PUT', closure, owner, { kind: 'temporary', reopensOn: null })).statusCode).toBe(200)
    expect(await shown()).toEqual([0, 0, false])
    expect((await test.request('DELETE', closure, owner)).statusCode).toBe(200)
    expect(await shown()).toEqual(open)
  })
})

describe('sharing a menu', () => {
  it('is denied to people who may not see the menu, because the feed’s address reveals it', async () => {
    const young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
    await join(young, 'manager')
    await sharing('PUT', 'menu-feed')
    for (const [method, part] of [
      ['GET', 'menu-sharing'],
      ['PUT', 'menu-feed'],
      ['POST', 'menu-feed/rotations'],
    ] as const) {
      const answer = await test.request(method, `/api/businesses/${shop.slug}/${part}`, young)
      expect(answer.json(), part).toMatchObject({ code: 'age_restricted' })
      expect(answer.body).not.toContain('/feeds/')
    }
  })

  it('is allowed only for its editors', async () => {
    const [manager, staff, stranger, rival] = await Promise.all([1, 2, 3, 4].map(() => test.signUp()))
    await join(manager as TestPerson, 'manager')
    await join(staff as TestPerson, 'staff')
    await join(rival as TestPerson, 'owner', (await addBusiness(test.db)).id)
    const people: [string, TestPerson | null | undefined, number][] = [
      ['owner', owner, 200],
      ['manager', manager, 200],
      ['staff', staff, 200],
      ['stranger', stranger, 403],
      ["another business's owner", rival, 403],
      ['signed out', null, 401],
    ]
    for (const [who, person, expected] of people) {
      const calls: [Parameters<TestApp['request']>[0], string, object?][] = [
        ['GET', 'menu-sharing'],
        ['PUT', 'menu-sharing', { isEmbedOn: true }],
        ['PUT', 'menu-feed'],
        ['POST', 'menu-feed/rotations'],
        ['DELETE', 'menu-feed'],
      ]
      for (const [method, part, body] of calls) {
        const { statusCode } = await test.request(method, `/api/businesses/${shop.slug}/${part}`, person ?? null, body)
        expect(statusCode, `${who}: ${method} ${part}`).toBe(expected)
      }
    }
  })
})

describe('the data for search engines', () => {
  const dataOf = async (slug: string) => {
    const { body } = await get(`/business/${slug}`)
    const [, json] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body) ?? []
    return json === undefined ? null : { json, data: JSON.parse(json) }
  }

  it('has the address, hours and ratings, and no products', async () => {
    await test.db
      .updateTable('businesses')
      .set(ratedBy(0, 0, 1, 0, 1))
      .where('id', '=', shop.id)
      .execute()
    test.ctx.cache.invalidate('businesses')
    await test.db.insertInto('locations').values({ id: shop.id, business_id: shop.id, name: 'Main', time_zone: 'America/Denver' }).execute()
    await test.db
      .insertInto('location_hours')
      .values([
        { location_id: shop.id, weekday: 0, opens: 540, closes: 1440 },
        { location_id: shop.id, weekday: 4, opens: 1080, closes: 120 },
      ])
      .execute()
    await test.db.insertInto('location_special_days').values({ location_id: shop.id, day: '2099-12-25', note: 'Christmas' }).execute()
    const { data, json } = (await dataOf(shop.slug)) as { data: Record<string, unknown>; json: string }
    expect(json).not.toContain('<')
    expect(json).not.toContain(canary)
    expect(data).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Store',
      name: 'Łódź & <Söhne>',
      telephone: '+1 303 555 0100',
      address: { streetAddress: '12 Larimer Street', addressLocality: 'Denver', addressRegion: 'CO' },
      aggregateRating: { ratingValue: 4, reviewCount: 2 },
      openingHoursSpecification: [
        { dayOfWeek: 'https://schema.org/Monday', opens: '09:00', closes: '23:59' },
        { dayOfWeek: 'https://schema.org/Friday', opens: '18:00', closes: '02:00' },
      ],
      specialOpeningHoursSpecification: [{ validFrom: '2099-12-25', opens: '00:00', closes: '00:00' }],
    })
  })

  it('names amenities, and social pages while a plan includes them', async () => {
    const social = 'https://www.instagram.com/cedar.corner'
    const amenities = ['atm', 'wheelchair']
    const { id, slug } = await addBusiness(test.db, { website: 'https://cedar.example', amenities })
    await test.db.insertInto('business_social_links').values({ business_id: id, network: 'instagram', url: social }).execute()
    const dataNow = async () => (await dataOf(slug))?.data
    expect(await dataNow()).toMatchObject({
      sameAs: ['https://cedar.example'],
      amenityFeature: [
        { '@type': 'LocationFeatureSpecification', name: 'ATM', value: true },
        { '@type': 'LocationFeatureSpecification', name: 'Wheelchair accessible', value: true },
      ],
    })
    await grantPlan(test.db, { businessId: id, planId: 'verified' })
    expect(await dataNow()).toMatchObject({ sameAs: ['https://cedar.example', social] })
  })

  it('leaves out a farm’s street and all demo content', async () => {
    const street = '1 Hidden Lane'
    const farm = await addBusiness(test.db, { type: 'farm', address: street })
    const { data, json } = (await dataOf(farm.slug)) as { data: Record<string, unknown>; json: string }
    expect(data).toMatchObject({ '@type': 'LocalBusiness', address: { addressLocality: 'Denver' } })
    expect(json).not.toContain('Hidden')
    expect(await dataOf((await addBusiness(test.db, { is_demo: true })).slug)).toBeNull()
    expect(await dataOf('no-such-business')).toBeNull()
  })
})

describe('the QR code', () => {
  it('is public, with a stricter limit on cards that have to be drawn', async () => {
    const consume = vi.spyOn(test.ctx.rateLimiter, 'consume')
    await get(`/business/${shop.slug}/qr.pdf`)
    await get(`/business/${shop.slug}/qr.pdf`)
    // The second request is served from the cache.
    expect(consume.mock.calls.map(([allowance]) => allowance)).toEqual(['read', 'drawing', 'read'])
    consume.mockRejectedValueOnce(new AppError('too_many_requests'))
    expect((await get(`/business/${shop.slug}/qr.pdf`)).statusCode).toBe(429)
    consume.mockRestore()
  })

  it('is available as a drawing and a printable card', async () => {
    const svg = await get(`/business/${shop.slug}/qr.svg`)
    expect(svg.headers['content-type']).toContain('image/svg+xml')
    expect(svg.body).toMatch(/^<svg/)
    const pdf = await get(`/business/${shop.slug}/qr.pdf`)
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    expect((await get('/business/no-such-business/qr.pdf')).statusCode).toBe(404)
    expect(fs.existsSync(new URL('../../../data/fonts/inter.ttf', import.meta.url))).toBe(true)
  })

  it('is not available for a business that moderators hid or removed', async () => {
    for (const moderation of ['held', 'hidden', 'removed'] as const) {
      const { slug } = await addBusiness(test.db, { address: '12 Larimer Street', moderation })
      for (const kind of ['svg', 'pdf']) expect((await get(`/business/${slug}/qr.${kind}`)).statusCode, `${moderation} ${kind}`).toBe(404)
    }
  })

  it('is the same at the address of a merged business as at the remaining one’s', async () => {
    const merged = { from_id: newId(), slug: 'merged', business_id: shop.id, created_at: test.clock.now() }
    await test.db.insertInto('business_redirects').values(merged).execute()
    for (const kind of ['svg', 'pdf'])
      expect((await get(`/business/merged/qr.${kind}`)).body).toBe((await get(`/business/${shop.slug}/qr.${kind}`)).body)
  })

  it('is drawn for names of any length and script', async () => {
    const names = ['A', 'Extraordinarily '.repeat(20), 'W'.repeat(120), '大麻 🌿 Кооператив', 'Żółć']
    for (const name of names) {
      const { slug } = await addBusiness(test.db, { name, address: 'Street '.repeat(30) })
      expect((await get(`/business/${slug}/qr.pdf`)).statusCode, name).toBe(200)
    }
  })
})
