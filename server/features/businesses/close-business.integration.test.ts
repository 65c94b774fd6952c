import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Business, BusinessSummary } from '#contracts/businesses.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addProduct } from '#tests/support/menus.ts'
import { joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let owner: TestPerson
let manager: TestPerson
let stranger: TestPerson
let business: { id: string; slug: string }

beforeAll(async () => {
  t = await startTestApp()
  owner = await t.signUp()
  manager = await t.signUp()
  stranger = await t.signUp()
})
afterAll(async () => {
  expect(await findAuditBreak(t.db)).toBeNull()
  await t.close()
})

beforeEach(async () => {
  business = await addBusiness(t.db, { claimed_at: t.clock.now() })
  await joinBusiness(t.db, owner.user.id, business.id)
  await joinBusiness(t.db, manager.user.id, business.id, 'manager')
})

const close = (as: TestPerson | null, body: object = { kind: 'permanent' }) =>
  t.request('PUT', `/api/businesses/${business.slug}/closure`, as, body)
const reopen = (as: TestPerson) => t.request('DELETE', `/api/businesses/${business.slug}/closure`, as)
const read = async (as: TestPerson | null = null) => (await t.request('GET', `/api/businesses/${business.id}`, as)).json() as Business
const listed = async (address: string) =>
  ((await t.request('GET', address)).json() as BusinessSummary[]).some(({ id }) => id === business.id)
const subscribe = (as: TestPerson) => t.request('POST', '/api/subscriptions', as, { businessId: business.id })

it('lets only the owner close and reopen a business, idempotently', async () => {
  expect((await close(null)).statusCode).toBe(401)
  for (const person of [stranger, manager]) {
    expect((await close(person)).statusCode).toBe(403)
    expect((await reopen(person)).statusCode).toBe(403)
  }
  expect((await close(owner)).json().closure).toMatchObject({ kind: 'permanent', by: 'owner', reopensOn: null })
  const { closure } = await read()
  expect((await close(owner)).json().closure).toEqual(closure)
  expect((await reopen(owner)).json().closure).toBeNull()
  expect((await reopen(owner)).statusCode).toBe(200)
  const log = await t.db.selectFrom('audit_log').select('action').where('business_id', '=', business.id).orderBy('sequence').execute()
  expect(log.map(({ action }) => action)).toEqual(['business.closed', 'business.reopened'])
})

it('keeps a closed business’s page, but removes it from lists and maps', async () => {
  const bbox = '-105.2,39.5,-104.6,40'
  const total = async () => (await t.request('GET', `/api/businesses/map?bbox=${bbox}`)).json().total as number
  const before = await total()
  expect(await listed('/api/businesses?limit=100')).toBe(true)
  await close(owner, { kind: 'temporary' })
  expect(await listed('/api/businesses?limit=100')).toBe(false)
  expect(await total()).toBe(before - 1)
  expect(await read(stranger)).toMatchObject({ id: business.id, openNow: null, closure: { kind: 'temporary' } })
  await reopen(owner)
  expect(await listed('/api/businesses?limit=100')).toBe(true)
})

it('shows no one a closed business’s menu until it reopens', async () => {
  const id = await addProduct(t.db, business.id, { name: 'Jar', category: 'Flower' })
  const menu = async (as: TestPerson) => {
    const path = `/api/businesses/${business.id}`
    const [items, summary, item] = await Promise.all(
      [`${path}/products`, `${path}/menu`, `/api/products/${id}`].map((url) => t.request('GET', url, as)),
    )
    return [items?.json().length, summary?.json().itemCount, item?.statusCode]
  }
  expect(await menu(stranger)).toEqual([1, 1, 200])
  for (const kind of ['temporary', 'permanent']) {
    await close(owner, { kind })
    for (const person of [stranger, owner]) expect(await menu(person)).toEqual([0, 0, 404])
  }
  await reopen(owner)
  expect(await menu(stranger)).toEqual([1, 1, 200])
})

it('removes a closed business from featured lists and the sitemap', async () => {
  await t.db
    .updateTable('businesses')
    .set({ license_standing: 'listed', total_ratings: 5, rating_sum: 25, rating_counts: [0, 0, 0, 0, 5] })
    .where('id', '=', business.id)
    .execute()
  const isShown = async () => {
    t.ctx.cache.invalidate('businesses')
    const index = (await t.request('GET', '/sitemap.xml')).body
    const maps = [...index.matchAll(/<loc>[^<]*?(\/sitemaps\/[^<]+)<\/loc>/g)].map(([, path]) => path as string)
    const pages = await Promise.all(maps.map(async (path) => (await t.request('GET', path)).body))
    return [await listed('/api/featured'), pages.some((page) => page.includes(business.slug))]
  }
  expect(await isShown()).toEqual([true, true])
  await close(owner)
  expect(await isShown()).toEqual([false, false])
})

it('accepts a reopening date only for a temporary closure, and only in the future', async () => {
  const day = (days: number) => new Date(t.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
  expect((await close(owner, { kind: 'permanent', reopensOn: day(9) })).json().fields).toHaveProperty('reopensOn')
  expect((await close(owner, { kind: 'temporary', reopensOn: day(-1) })).json().fields).toHaveProperty('reopensOn')
  const closed = (await close(owner, { kind: 'temporary', reopensOn: day(9) })).json() as Business
  expect(closed.closure).toMatchObject({ kind: 'temporary', reopensOn: day(9) })
  t.clock.advance({ hours: 1 })
  const changed = (await close(owner, { kind: 'temporary', reopensOn: day(12) })).json() as Business
  expect(changed.closure).toEqual({ ...closed.closure, reopensOn: day(12) })
})

it('compares a reopening date with the day at the business, not in UTC', async () => {
  const before = t.clock.now()
  // Eight in the evening in Denver, where the business is.
  t.clock.set(new Date('2026-12-02T03:00:00Z'))
  try {
    expect((await close(owner, { kind: 'temporary', reopensOn: '2026-12-01' })).json().fields).toHaveProperty('reopensOn')
    expect((await close(owner, { kind: 'temporary', reopensOn: '2026-12-02' })).json().closure.reopensOn).toBe('2026-12-02')
    t.clock.set(new Date('2026-12-04T03:00:00Z'))
    expect((await read()).closure).toMatchObject({ kind: 'temporary', reopensOn: null })
    t.clock.set(new Date('2026-12-02T03:00:00Z'))
    await t.db
      .insertInto('locations')
      .values({ id: business.id, business_id: business.id, name: 'Main', time_zone: 'Europe/Berlin' })
      .execute()
    expect((await close(owner, { kind: 'temporary', reopensOn: '2026-12-03' })).statusCode).toBe(200)
    expect((await close(owner, { kind: 'temporary', reopensOn: '2026-12-02' })).json().fields).toHaveProperty('reopensOn')
  } finally {
    t.clock.set(before)
  }
})

it('refuses new subscriptions to a closed business, and keeps existing free ones', async () => {
  const early = await t.signUp()
  expect((await subscribe(early)).statusCode).toBe(200)
  await close(owner)
  await t.runJobs()
  expect((await subscribe(early)).statusCode).toBe(200)
  const refused = await subscribe(stranger)
  expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining('closed')])
  expect((await read()).subscriberCount).toBe(1)
  await reopen(owner)
  expect((await subscribe(stranger)).statusCode).toBe(200)
  await t.request('DELETE', `/api/subscriptions/${business.id}`, stranger)
})
