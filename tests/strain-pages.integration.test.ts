import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MenuContent, menuPath, type StrainContent } from '#contracts/visitor-pages.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from './support/businesses.ts'
import { addProduct } from './support/menus.ts'
import { startTestApp, type TestApp, visitorPageOf } from './support/test-app.ts'

const origin = 'https://sungrove.example'
const noon = new Date('2026-11-24T19:00:00Z')

let t: TestApp
let open: TestBusiness

beforeAll(async () => {
  t = await startTestApp({ env: { PUBLIC_URL: origin }, hasVisitorPages: true, startsAt: noon })
  const center = { pin_latitude: 39.76, pin_longitude: -104.9903, pin_precision: 'premise' as const }
  open = await addBusiness(t.db, { name: 'Open house', slug: 'open-house', ...center, claimed_at: noon })
})
afterAll(() => t?.close())

const get = (url: string, cookie = '') => t.app.inject({ url, headers: cookie ? { cookie } : {} })
async function contentAt<Content>(url: string, cookie = ''): Promise<Content> {
  const { statusCode, body } = await get(url, cookie)
  expect(statusCode, body).toBe(200)
  return visitorPageOf(body).content as Content
}

describe('the page of a strain', () => {
  const strainAt = (query = '', cookie = '') => contentAt<StrainContent>(`/strains/blue-dream${query}`, cookie)
  const near = '?near=Denver%2C%20CO'
  const old = 'age-confirmed=21'

  beforeAll(async () => {
    const far = await addBusiness(t.db, { name: 'Far shop', city: 'Pueblo', location: 'Pueblo, CO' })
    const lapsed = await addBusiness(t.db, { name: 'Lapsed shop', license_standing: 'inactive' })
    const items = [
      { business_id: open.id, name: 'Dream jar', strain: 'blue dream', is_available: true },
      { business_id: open.id, name: 'Sold out', strain: 'Blue Dream', is_available: false },
      { business_id: open.id, name: 'Something else', strain: 'Gelato', is_available: true },
      { business_id: far.id, name: 'Far jar', strain: 'Blue-Dream', is_available: true },
      { business_id: lapsed.id, name: 'Lapsed jar', strain: 'Blue Dream', is_available: true },
    ]
    await t.db
      .insertInto('products')
      .values(items.map((item) => ({ id: newId(), confirmed_at: noon, ...item })))
      .execute()
  })

  it('shows the facts in the strain list, but never the strain’s effects', async () => {
    expect(await strainAt()).toMatchObject({ name: 'Blue Dream', type: 'Hybrid', breeder: null, parents: [], shops: null })
    const { parents } = await contentAt<StrainContent>('/strains/agent-orange-x-blue-dream')
    expect(parents).toEqual([
      { name: 'Agent Orange', path: '/strains/agent-orange' },
      { name: 'Blue Dream', path: '/strains/blue-dream' },
    ])
    expect((await strainAt()).crosses.map(({ name }) => name)).toContain('Agent Orange x Blue Dream')
    // The strain list names effects for this strain.
    const { body } = await get('/strains/b-52')
    expect(body).not.toMatch(/Euphoric|Relaxed/)
  })

  it('lists licensed shops near a place that have it in stock', async () => {
    const { shops, isNearKnown } = await strainAt(near, old)
    expect(isNearKnown).toBe(true)
    expect(shops).toMatchObject([{ name: 'Open house', itemNames: ['Dream jar'], itemCount: 1 }])
    // As on Discover, a shop known only by its city is never 0 miles away.
    expect((await strainAt('?near=81003', old)).shops).toMatchObject([{ name: 'Far shop', distanceMiles: 3 }])
    expect(await strainAt('?near=Qwertyville', old)).toMatchObject({ near: 'Qwertyville', isNearKnown: false, shops: null })
  })

  it('dates a shop’s items of the strain by the oldest confirmation', async () => {
    const { id: business_id } = await addBusiness(t.db, { city: 'Durango', location: 'Durango, CO' })
    const jar = { business_id, name: 'Jar', strain: 'blue-dream', is_available: true }
    const earlier = new Date(noon.getTime() - 36e5)
    const jars = [earlier, noon].map((confirmed_at) => ({ ...jar, id: newId(), confirmed_at }))
    await t.db.insertInto('products').values(jars).execute()
    expect((await strainAt('?near=Durango%2C%20CO', old)).shops).toMatchObject([{ itemCount: 2, menuConfirmedAt: earlier.toISOString() }])
  })

  it('links each shop’s menu with a search that finds the items', async () => {
    const shopWith = async (...strains: string[]) => {
      const shop = await addBusiness(t.db, { city: 'Aspen', location: 'Aspen, CO', claimed_at: noon })
      for (const strain of strains) await addProduct(t.db, shop.id, { strain, search_text: `item\n${strain.toLowerCase()}` })
    }
    for (const [slug, strains] of [
      ['ak-47', ['AK 47']],
      ['ak-47', ['AK-47', 'AK 47']],
      ['chemdawg-4', ['Chemdawg 4']],
      ['bc-kush', ['B.C. Kush']],
      ['bc-kush', ['BC Kush', 'B.C. Kush']],
    ] as const) {
      await t.db.deleteFrom('businesses').where('city', '=', 'Aspen').execute()
      await shopWith(...strains, 'Gelato')
      const { shops } = await contentAt<StrainContent>(`/strains/${slug}?near=Aspen%2C%20CO`, old)
      const { slug: shop = '', menuQuery: q } = shops?.[0] ?? {}
      const { menu } = await contentAt<MenuContent>(menuPath(shop, { q }), old)
      expect(menu?.items.length, `${strains}: ${q}`).toBe(strains.length)
    }
    expect((await strainAt(near, old)).shops).toMatchObject([{ menuQuery: 'Blue Dream' }])
  })

  it('says so if it shows only the nearest shops', async () => {
    expect(await strainAt(near, old)).toMatchObject({ hasMoreShops: false })
    const shops = await Promise.all(Array.from({ length: 41 }, () => addBusiness(t.db, { city: 'Grand Junction' })))
    const jars = shops.map(({ id }) => ({
      id: newId(),
      business_id: id,
      name: 'Jar',
      strain: 'Blue Dream',
      is_available: true,
      confirmed_at: noon,
    }))
    await t.db.insertInto('products').values(jars).execute()
    const page = await strainAt('?near=81501', old)
    expect([page.shops?.length, page.hasMoreShops]).toEqual([40, true])
  })

  it('searches near a member’s city by default', async () => {
    const member = await t.signUp()
    const { cookie } = member
    const shopsOf = async (query?: string) => (await strainAt(query, cookie)).shops?.map(({ name }) => name)
    expect(await strainAt('', cookie)).toMatchObject({ near: 'Denver, CO', isNearKnown: true, ageGate: null })
    expect(await shopsOf()).toEqual(['Open house'])
    expect(await shopsOf('?near=81003')).toEqual(['Far shop'])
    for (const location of ['Colorado', 'Nowhere at all']) {
      await t.request('POST', '/api/user/profile', member, { firstName: 'Ann', lastName: 'Vale', location })
      expect(await strainAt('', cookie)).toMatchObject({ near: null, isNearKnown: false, shops: null })
    }
  })

  it('shows no shops to people who haven’t confirmed the minimum age of the place', async () => {
    for (const cookie of ['', 'age-confirmed=true']) {
      const page = await strainAt(near, cookie)
      expect(page).toMatchObject({ shops: null, ageGate: { minimumAge: 21, isAgeKnown: false } })
    }
  })

  it('has one address, and doesn’t exist for a strain that isn’t in the list', async () => {
    for (const [from, to] of [
      ['/strains/Blue%20Dream', '/strains/blue-dream'],
      ['/strains/BLUE-DREAM?near=Denver', '/strains/blue-dream?near=Denver'],
    ] as const) {
      const { statusCode, headers } = await get(from)
      expect([statusCode, headers.location]).toEqual([302, to])
    }
    for (const path of ['/strains/no-such-strain', '/strains/-']) expect((await get(path)).statusCode).toBe(404)
  })

  it('is in the sitemap only while a shop sells the strain', async () => {
    const { body } = await get('/sitemaps/strains.xml')
    expect(body).toContain(`<loc>${origin}/strains/blue-dream</loc>`)
    expect(body).not.toContain('agent-orange')
  })
})
