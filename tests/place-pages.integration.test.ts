import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CityContent, LandingContent, MenuContent, PlacesContent, StateContent } from '#contracts/visitor-pages.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, ratedBy, type TestBusiness } from './support/businesses.ts'
import { startTestApp, type TestApp, visitorPageOf } from './support/test-app.ts'

const origin = 'https://sungrove.example'
/** Noon in Denver, on a Tuesday. */
const noon = new Date('2026-11-24T19:00:00Z')

let t: TestApp
let open: TestBusiness

beforeAll(async () => {
  // The start page counts places when the server starts. By noon, these counts are too old to use.
  t = await startTestApp({ env: { PUBLIC_URL: origin }, hasVisitorPages: true, startsAt: new Date('2026-11-24T12:00:00Z') })
  t.clock.set(noon)
  const center = { pin_latitude: 39.7392, pin_longitude: -104.9903, pin_precision: 'premise' as const }
  await addBusiness(t.db, { name: 'Central', slug: 'central', ...center, phone: '+1 303 555 0100', ...ratedBy(0, 0, 0, 0, 3) })
  await addBusiness(t.db, { name: 'Anywhere', slug: 'anywhere' })
  open = await addBusiness(t.db, { name: 'Open house', slug: 'open-house', ...center, pin_latitude: 39.76, claimed_at: new Date() })
  await t.db
    .insertInto('locations')
    .values({ id: open.id, business_id: open.id, name: 'Open house', time_zone: 'America/Denver', has_hours: true })
    .execute()
  const everyDay = Array.from({ length: 7 }, (_, weekday) => ({ location_id: open.id, weekday, opens: 540, closes: 1260 }))
  await t.db.insertInto('location_hours').values(everyDay).execute()
  const farm = {
    type: 'farm' as const,
    name: 'Far Field',
    slug: 'far-field',
    address: '1 Hidden Lane',
    location: '1 Hidden Lane, Denver, CO',
  }
  await addBusiness(t.db, farm)
  await addBusiness(t.db, { name: 'Invented', slug: 'invented', is_demo: true })
  await addBusiness(t.db, { name: 'Invented too', slug: 'invented-too', is_demo: true, city: 'Reno', state: 'NV' })
  await addBusiness(t.db, { name: 'Invented here', slug: 'invented-here', is_demo: true, city: 'Pueblo', location: 'Pueblo, CO' })
  await addBusiness(t.db, { type: 'farm', name: 'Real Farm', slug: 'real-farm', city: 'Pueblo', location: 'Pueblo, CO' })
  await addBusiness(t.db, { name: 'Lapsed', slug: 'lapsed', license_standing: 'inactive' })
  await addBusiness(t.db, { name: 'Hidden', slug: 'hidden', moderation: 'hidden' })
  await addBusiness(t.db, { city: 'Lakewood', location: 'Lakewood, CO' })
  await addBusiness(t.db, { city: 'New York', state: 'NY', location: 'New York, NY' })
  await addBusiness(t.db, { city: 'Toronto', state: 'ON', country: 'CA' })
  // Two spellings of one city.
  await addBusiness(t.db, { city: 'Fort Collins' })
  await addBusiness(t.db, { city: 'Ft. Collins' })
})
afterAll(() => t?.close())

const get = (url: string, cookie = '') => t.app.inject({ url, headers: cookie ? { cookie } : {} })
async function contentAt<Content>(url: string, cookie = ''): Promise<Content> {
  const { statusCode, body } = await get(url, cookie)
  expect(statusCode, body).toBe(200)
  return visitorPageOf(body).content as Content
}
const cityAt = (query = '', cookie = '') => contentAt<CityContent>(`/places/colorado/denver${query}`, cookie)
const namesAt = async (query: string) => (await cityAt(query)).businesses.map(({ name }) => name)
const dataOf = (html: string) => JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

describe('the page of a city', () => {
  it('lists its licensed businesses by type, the most central first', async () => {
    const page = await cityAt()
    expect(page).toMatchObject({ name: 'Denver', type: 'dispensary', isFirstPage: true, nextCursor: null })
    expect(page.types).toEqual([
      { type: 'dispensary', count: 4 },
      { type: 'farm', count: 1 },
    ])
    expect(page.businesses.map(({ name }) => name)).toEqual(['Central', 'Open house', 'Anywhere', 'Invented'])
    expect(await namesAt('?type=farm')).toEqual(['Far Field'])
  })

  it('puts open businesses first, or sorts by name', async () => {
    expect(await namesAt('?sort=open')).toEqual(['Open house', 'Anywhere', 'Central', 'Invented'])
    t.clock.set('2026-11-25T06:00:00Z')
    expect((await namesAt('?sort=open'))[0]).toBe('Open house')
    t.clock.set(noon)
    expect(await namesAt('?sort=name')).toEqual(['Anywhere', 'Central', 'Invented', 'Open house'])
  })

  it('pages through a long list without skipping or repeating', async () => {
    const names = Array.from({ length: 95 }, (_, i) => `Shop ${i}`)
    for (const name of names) await addBusiness(t.db, { name, city: 'Boulder', location: 'Boulder, CO' })
    // By then, the cached counts have expired.
    t.clock.set('2026-11-26T19:00:00Z')
    const seen: string[] = []
    let query = '?sort=name'
    for (let pages = 1; ; pages++) {
      const { businesses, nextCursor } = await contentAt<CityContent>(`/places/colorado/boulder${query}`)
      seen.push(...businesses.map(({ name }) => name))
      if (!nextCursor) {
        expect(pages).toBe(3)
        break
      }
      query = `?sort=name&cursor=${nextCursor}`
    }
    expect(seen).toEqual([...names].sort())
  })

  it('never shows a farm more precisely than its city', async () => {
    const { body } = await get('/places/colorado/denver?type=farm')
    expect(body).toContain('Far Field')
    expect(body).not.toContain('Hidden Lane')
  })

  it('shows menus only to people who are old enough for the place', async () => {
    await t.db.insertInto('products').values({ id: open.id, business_id: open.id, name: 'Haze', confirmed_at: noon }).execute()
    for (const cookie of ['', 'age-confirmed=true']) {
      const page = await cityAt('', cookie)
      expect(page.ageGate).toMatchObject({ minimumAge: 21, isAgeKnown: false })
      expect(page.businesses.filter(({ menuConfirmedAt }) => menuConfirmedAt)).toEqual([])
    }
    const page = await cityAt('', 'age-confirmed=21')
    expect(page.ageGate).toBeNull()
    expect(page.businesses.flatMap(({ name, menuConfirmedAt }) => (menuConfirmedAt ? [name] : []))).toEqual(['Open house'])
    await t.db.updateTable('products').set({ moderation: 'hidden' }).where('id', '=', open.id).execute()
    expect((await cityAt('', 'age-confirmed=21')).businesses.filter(({ menuConfirmedAt }) => menuConfirmedAt)).toEqual([])
    await t.db.updateTable('products').set({ moderation: null }).where('id', '=', open.id).execute()
    const young = await t.signUp({ birthday: '2007-01-01' })
    expect((await cityAt('', `${young.cookie}; age-confirmed=21`)).ageGate).toMatchObject({ isAgeKnown: true })
  })

  it('counts different spellings of a city together, and names nearby cities', async () => {
    const { types } = await contentAt<CityContent>('/places/colorado/fort-collins')
    expect(types).toEqual([{ type: 'dispensary', count: 2 }])
    expect((await cityAt()).nearby.map(({ name }) => name)).toEqual(['Lakewood, CO', 'Boulder, CO'])
  })

  it('redirects other names and addresses of a place to its page', async () => {
    for (const [from, to] of [
      ['/places/co', '/places/colorado'],
      ['/places/CO/denver', '/places/colorado/denver'],
      ['/places/co/denver?type=dispensary', '/places/colorado/denver?type=dispensary'],
      ['/places/new-york/new-york-city', '/places/new-york/new-york'],
      ['/places/colorado/ft-collins', '/places/colorado/fort-collins'],
      ['/places?near=80202', '/places/colorado/denver'],
      ['/places?near=NYC', '/places/new-york/new-york'],
      ['/places?near=Colorado', '/places/colorado'],
      ['/places/colorado/denver?cursor=bm9uc2Vuc2U', '/places/colorado/denver'],
    ] as const) {
      const { statusCode, headers } = await get(from)
      expect([statusCode, headers.location], from).toEqual([302, to])
    }
  })

  it('offers a choice of cities if several states have one with that name, unless one is by far the largest', async () => {
    const choices = [
      { label: 'Springfield, MO', path: '/places/missouri/springfield' },
      { label: 'Springfield, MA', path: '/places/massachusetts/springfield' },
      { label: 'Springfield, IL', path: '/places/illinois/springfield' },
    ]
    const page = await contentAt<PlacesContent>('/places?near=springfield')
    expect(page).toMatchObject({ kind: 'places', unknownPlace: null, choices: expect.arrayContaining(choices) })
    for (const [near, path] of [
      ['Springfield%2C%20IL', '/places/illinois/springfield'],
      ['denver', '/places/colorado/denver'],
    ])
      expect((await get(`/places?near=${near}`)).headers.location).toBe(path)
  })

  it('is linked from each business’s page, or else its state’s page is', async () => {
    await addBusiness(t.db, { slug: 'last-one', city: 'Qwertyville', location: 'Qwertyville, CO', license_standing: 'inactive' })
    for (const [slug, label] of [
      ['central', 'Denver, CO'],
      ['last-one', 'Colorado'],
    ]) {
      const { place } = await contentAt<MenuContent>(`/menu/${slug}`)
      expect(place?.label).toBe(label)
      expect((await get(place?.path ?? '')).statusCode, label).toBe(200)
    }
  })

  it('reports a city without businesses and a place that doesn’t exist', async () => {
    const empty = await get('/places/kansas/topeka')
    expect(visitorPageOf(empty.body).content).toMatchObject({ name: 'Topeka', type: null, businesses: [] })
    expect(empty.body).toContain('noindex')
    for (const path of ['/places/atlantis', '/places/ontario/toronto', '/places/colorado/nowhere-at-all', '/places/colorado/-']) {
      const { statusCode, headers, body } = await get(path)
      expect([statusCode, headers['content-type']], path).toEqual([404, 'text/html; charset=utf-8'])
      expect(body).toContain('noindex')
    }
    expect(await contentAt('/places?near=Qwertyville')).toMatchObject({ kind: 'places', unknownPlace: 'Qwertyville' })
  })

  it('describes its businesses for search engines, without demo content', async () => {
    const { body } = await get('/places/colorado/denver')
    expect(body).toContain('<title>Licensed dispensaries in Denver, CO · Sungrove</title>')
    expect(body).toContain(`<link rel="canonical" href="${origin}/places/colorado/denver">`)
    const [trail, list] = dataOf(body)['@graph']
    expect(trail.itemListElement.map((each: { item: string }) => each.item)).toEqual([
      `${origin}/places`,
      `${origin}/places/colorado`,
      `${origin}/places/colorado/denver`,
    ])
    expect(list.itemListElement.map((each: { item: { name: string } }) => each.item.name)).toEqual(['Central', 'Open house', 'Anywhere'])
    expect(list.itemListElement[0].item).toMatchObject({
      '@type': 'Store',
      url: `${origin}/menu/central`,
      telephone: '+1 303 555 0100',
      address: { addressLocality: 'Denver', addressRegion: 'CO' },
      aggregateRating: { ratingValue: 5, reviewCount: 3 },
    })
    expect((await get('/places/colorado/denver?type=farm')).body).toContain(`href="${origin}/places/colorado/denver?type=farm"`)
  })
})

describe('the index of places', () => {
  it('counts the licensed businesses of states and cities', async () => {
    const { states, cities } = await contentAt<PlacesContent>('/places')
    expect(states.map(({ name, count }) => [name, count])).toEqual([
      ['Colorado', 105],
      ['Nevada', 1],
      ['New York', 1],
    ])
    expect(cities[0]).toEqual({ name: 'Boulder, CO', path: '/places/colorado/boulder', count: 95, dispensaryCount: 95 })
    const colorado = await contentAt<StateContent>('/places/colorado')
    expect(colorado.cities.map(({ name, count }) => [name, count])).toEqual([
      ['Boulder', 95],
      ['Denver', 5],
      ['Fort Collins', 2],
      ['Lakewood', 1],
      ['Pueblo', 2],
    ])
    expect(await contentAt('/places/kansas')).toMatchObject({ state: { count: 0 }, cities: [] })
  })

  it('puts the pages of states and cities in the sitemap', async () => {
    expect((await get('/sitemap.xml')).body).toContain(`<loc>${origin}/sitemaps/places.xml</loc>`)
    const { body } = await get('/sitemaps/places.xml')
    for (const path of ['/places', '/places/colorado', '/places/colorado/denver', '/places/new-york/new-york'])
      expect(body).toContain(`<loc>${origin}${path}</loc>`)
    expect(body).not.toContain('toronto')
    expect(body).not.toContain('nevada')
  })

  it('keeps places with nothing but demo content out of search engines', async () => {
    for (const path of ['/places/nevada', '/places/nevada/reno']) {
      const { statusCode, body } = await get(path)
      expect([statusCode, body.includes('noindex')], path).toEqual([200, true])
    }
    expect((await contentAt<CityContent>('/places/nevada/reno')).businesses.map(({ name }) => name)).toEqual(['Invented too'])
    // Its first type has only demo content.
    const pueblo = (await get('/places/colorado/pueblo')).body
    expect(pueblo).toContain('content="1 licensed farms in Pueblo, CO')
    expect(pueblo).not.toContain('noindex')
    const { types, type } = await contentAt<CityContent>('/places/colorado/pueblo')
    expect([type, types.map((each) => each.type)]).toEqual(['farm', ['farm', 'dispensary']])
    expect((await get('/places/colorado/pueblo?type=dispensary')).body).toContain('noindex')
    expect((await get('/sitemaps/places.xml')).body).toContain('/places/colorado/pueblo<')
    expect((await get('/places/colorado/denver')).body).toContain('content="3 licensed dispensaries in Denver, CO')
  })
})

describe('the landing page', () => {
  const landing = async () => visitorPageOf((await get('/landing')).body).content as LandingContent

  it('shows real cities, menus, and reviews, and refreshes them', async () => {
    const author = await t.signUp()
    const review = 'The staff knew every jar on the shelf and took their time with us.'
    const written = { user_id: author.user.id, rating: 5, review }
    await t.db
      .insertInto('reviews')
      .values([
        { id: newId(), business_id: open.id, ...written },
        { id: newId(), business_id: (await addBusiness(t.db, { is_demo: true })).id, ...written, review: `Invented: ${review}` },
        { id: newId(), business_id: (await addBusiness(t.db)).id, ...written, review: `Held: ${review}`, moderation: 'held' },
        { id: newId(), business_id: (await addBusiness(t.db)).id, ...written, review: 'Nice' },
      ])
      .execute()
    t.clock.set('2026-11-28T19:00:00Z')
    const { cities, menus, reviews } = await landing()
    expect(cities[0]).toMatchObject({ name: 'Boulder, CO', dispensaryCount: 95 })
    expect(cities.find(({ name }) => name === 'Denver, CO')?.dispensaryCount).toBe(5)
    expect(cities.map(({ name }) => name)).not.toContain('Reno, NV')
    expect(menus.map(({ name }) => name)).toEqual(['Open house'])
    expect(reviews).toMatchObject([{ rating: 5, text: review, business: { name: 'Open house', place: 'Denver, CO' } }])
    expect(JSON.stringify(reviews)).not.toContain(author.user.id)

    await t.db.updateTable('products').set({ confirmed_at: '2026-11-01T00:00:00Z' }).execute()
    t.clock.advance({ minutes: 9 })
    expect((await landing()).menus).toHaveLength(1)
    t.clock.advance({ minutes: 2 })
    await landing()
    await expect.poll(async () => (await landing()).menus).toEqual([])
    await t.db.deleteFrom('reviews').execute()
    t.clock.advance({ hours: 2 })
    expect((await landing()).reviews).toEqual([])
  })

  it('shares its cities with the start page once the age gate is passed', async () => {
    expect(visitorPageOf((await get('/')).body).content).toMatchObject({ kind: 'start', hasPassedAgeGate: false })
    const passed = visitorPageOf((await get('/', 'age-confirmed=true')).body).content as { cities: object[] }
    expect(passed).toMatchObject({ kind: 'start', hasPassedAgeGate: true })
    expect(passed.cities[0]).toMatchObject({ name: 'Boulder, CO', path: '/places/colorado/boulder' })
  })
})

describe('the sign-in screen', () => {
  const bootOf = (html: string) => JSON.parse(/<script id="boot" type="application\/json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')

  it('names the business that a visitor requested', async () => {
    t.clock.set(noon)
    const { askedFor } = bootOf((await get('/business/open-house')).body)
    expect(askedFor).toEqual({
      slug: 'open-house',
      name: 'Open house',
      type: 'dispensary',
      location: 'Denver, CO',
      averageRating: expect.any(Number),
      totalRatings: expect.any(Number),
      openNow: expect.objectContaining({ isOpen: true }),
      timeZone: 'America/Denver',
      isClaimed: true,
      isDemo: false,
    })
    const farm = bootOf((await get('/business/far-field')).body)
    expect(farm.askedFor.location).toBe('Denver, CO')
    expect(bootOf((await get('/business/hidden')).body).askedFor).toBeNull()
    expect(bootOf((await get('/favorites')).body).askedFor).toBeNull()
    const person = await t.signUp()
    expect(bootOf((await get('/business/open-house', person.cookie)).body).askedFor).toBeNull()
  })
})
