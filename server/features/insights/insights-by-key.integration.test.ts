import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Insights } from '#contracts/insights.endpoints.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { asKey, makeKey } from '#tests/support/keys.ts'
import { addProduct } from '#tests/support/menus.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let shop: TestBusiness
let manager: TestPerson
let secret: string

const query = '?from=2026-11-01&to=2026-11-20'

beforeAll(async () => {
  t = await startTestApp()
  t.clock.set('2026-11-21T18:00:00Z')
  shop = await addBusiness(t.db)
  manager = await addMember(t, shop, 'manager')
  await grantPlan(t.db, { businessId: shop.id, planId: 'business_tools', until: new Date('2030-01-01') })
  secret = (await makeKey(t, shop.id, manager, { scopes: ['insights:read'] })).secret
  const productId = await addProduct(t.db, shop.id, { name: 'Morning Fog' })
  await sql`
    insert into visit_events (at, business_id, kind, source, subject_id, visitor)
    select '2026-11-05T19:00:00Z', ${shop.id}::uuid, 'product', 'search', ${productId}::uuid, n from generate_series(1, 66) as n`.execute(
    t.db,
  )
  await sql`
    insert into visit_events (at, business_id, kind, source, visitor)
    select '2026-11-19T19:00:00Z', ${shop.id}::uuid, 'page', 'search', n from generate_series(1, 17) as n`.execute(t.db)
  await t.ctx.jobs.enqueue('insights.roll-up', {})
  await t.runJobs()
})
afterAll(() => t?.close())

const read = async (as = secret) => asKey(t, as, { url: `/api/integrations/insights${query}` })
const shown = async () => ((await read()).json() as { insights: Insights }).insights

it('returns the figures that the dashboard shows the key’s creator', async () => {
  const onDashboard = await t.request('GET', `/api/businesses/${shop.slug}/insights${query}`, manager)
  expect((await read()).json()).toEqual(onDashboard.json())
  expect((await shown()).products).toEqual([expect.objectContaining({ name: 'Morning Fog', views: 66 })])
})

it('compares whole days only, and shows today’s figure on its own', async () => {
  await sql`
    insert into visit_events (at, business_id, kind, source, visitor)
    select '2026-11-21T17:00:00Z', ${shop.id}::uuid, 'page', 'search', n from generate_series(1, 13) as n`.execute(t.db)
  await t.ctx.jobs.enqueue('insights.roll-up', {})
  await t.runJobs()
  const views = async (query: string) => {
    const { insights } = (await asKey(t, secret, { url: `/api/integrations/insights?${query}` })).json() as { insights: Insights }
    return { from: insights.from, to: insights.to, ...insights.totals.find(({ metric }) => metric === 'page') }
  }
  const week = { from: '2026-11-14', to: '2026-11-20', value: 17, before: 0, today: 10 }
  expect(await views('days=7')).toMatchObject(week)
  expect(await views('days=7&to=2026-11-21')).toMatchObject({ from: '2026-11-15', to: '2026-11-21', value: 27, before: null, today: 10 })
})

it('names no product if the creator is too young', async () => {
  await t.db.updateTable('users').set({ birthday: '2006-11-22' }).where('id', '=', manager.user.id).execute()
  expect((await shown()).products).toEqual([])
  await t.db.updateTable('users').set({ birthday: '1990-01-01' }).where('id', '=', manager.user.id).execute()
})

it('refuses keys without the scope', async () => {
  const other = await makeKey(t, shop.id, manager, { name: 'Menu', scopes: ['menu:read', 'menu:write', 'posts:write'] })
  expect([(await read(other.secret)).statusCode, (await read(`sgk_${'a'.repeat(43)}`)).statusCode]).toEqual([403, 401])
})

it('shows only a sample, which includes today, without the plan', async () => {
  await t.db.updateTable('agreements').set({ entitled_until: t.clock.now() }).where('business_id', '=', shop.id).execute()
  expect((await read()).json()).toEqual({ insights: null, taste: { pageViews: 27 } })
})
