import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Insights, metrics } from '#contracts/insights.endpoints.ts'
import { addDays, licenseDay } from '#contracts/time.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addProduct } from '#tests/support/menus.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { createVisitBuffer } from './record-visits.ts'

let t: TestApp
let owner: TestPerson
let people: Record<'owner' | 'manager' | 'staff' | 'stranger' | 'other', TestPerson>
let id: string
let slug: string
let productId: string
let postId: string

const today = '2026-11-21'
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'

beforeAll(async () => {
  t = await startTestApp()
  t.clock.set(`${today}T18:00:00Z`)
  owner = await t.signUp()
  people = { owner, manager: await t.signUp(), staff: await t.signUp(), stranger: await t.signUp(), other: await t.signUp() }
  for (const person of [people.other, owner]) {
    const made = await t.request('POST', '/api/businesses', person, { businessName: 'Cedar Terrace', location: 'Denver, CO' })
    ;({ id, slug } = made.json())
  }
  for (const role of ['manager', 'staff'] as const) {
    await t.db.insertInto('business_members').values({ business_id: id, user_id: people[role].user.id, role }).execute()
  }
  productId = await addProduct(t.db, id, { name: 'Morning Fog' })
  const post = await t.request('POST', '/api/posts', owner, { title: 'News', content: 'The terraces are open.', businessId: id })
  postId = post.json().id
  await grantPlan(t.db, { businessId: id, planId: 'business_tools', until: new Date('2030-01-01') })
})
afterAll(() => t.close())
beforeEach(async () => {
  await rollUp()
  await sql`truncate visit_events, visit_days, audience_days`.execute(t.db)
  await t.db.updateTable('visit_rollup').set({ open_from: null }).execute()
  t.clock.set(`${today}T18:00:00Z`)
})

type Sent = {
  as?: TestPerson | null
  from?: string
  headers?: Record<string, string>
  source?: string
  visits?: object[]
  business?: string
}

const visit = ({
  as = null,
  from = '203.0.113.1',
  headers = {},
  source = 'search',
  visits = [{ kind: 'page' }],
  business = id,
}: Sent = {}) =>
  t.app.inject({
    method: 'POST',
    url: `/api/businesses/${business}/visits`,
    remoteAddress: from,
    headers: { 'user-agent': browser, ...(as ? { cookie: as.cookie } : {}), ...headers },
    payload: { source, visits },
  })

const rollUp = () => job('insights.roll-up')
async function job(name: 'insights.roll-up' | 'insights.maintain-partitions') {
  await t.ctx.jobs.enqueue(name, {})
  await t.runJobs()
}
const events = () => t.db.selectFrom('visit_events').select(['kind', 'source', 'subject_id', 'business_id']).execute()

test('counts visits, and responds without content or a cookie', async () => {
  const answers = await Promise.all([
    visit(),
    visit({ business: slug, from: '203.0.113.2', visits: [{ kind: 'call' }, { kind: 'product', subject: productId }] }),
    visit({ as: people.stranger, source: 'feed', visits: [{ kind: 'post', subject: postId }] }),
  ])
  for (const answer of answers) {
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    // Visits don't set the cookie `written`, so visitors keep getting cached responses.
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  await rollUp()
  const of = (kind: string, source: string, subject_id: string | null = null) => ({ kind, source, subject_id, business_id: id })
  expect(await events()).toEqual(
    expect.arrayContaining([of('page', 'search'), of('call', 'search'), of('product', 'search', productId), of('post', 'feed', postId)]),
  )
  expect(await events()).toHaveLength(4)
})

test('doesn’t count the team, bots, prefetches, people who blocked the business, or other businesses’ visits', async () => {
  const blocking = await t.signUp()
  await t.request('PUT', `/api/businesses/${id}/block`, blocking)
  const elsewhere = await addBusiness(t.db)
  const ignored: Sent[] = [
    { as: people.owner },
    { as: people.manager },
    { as: people.staff },
    { as: blocking },
    { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' } },
    { headers: { 'user-agent': 'curl/8.5.0' } },
    { headers: { 'user-agent': '' } },
    { headers: { 'sec-purpose': 'prefetch;prerender' } },
    { visits: [{ kind: 'product', subject: newId() }] },
    { visits: [{ kind: 'post', subject: productId }] },
    { business: elsewhere.id, visits: [{ kind: 'product', subject: productId }] },
  ]
  for (const each of ignored) expect((await visit(each)).statusCode, JSON.stringify(each.headers)).toBe(204)
  await rollUp()
  expect(await events()).toEqual([])
  await visit({ as: people.other })
  await rollUp()
  expect(await events()).toHaveLength(1)
})

test('refuses invalid visits and visits sent by other sites', async () => {
  expect((await visit({ business: newId() })).statusCode).toBe(404)
  for (const visits of [
    [],
    [{ kind: 'sale' }],
    [{ kind: 'product' }],
    [{ kind: 'page', subject: productId }],
    Array(51).fill({ kind: 'page' }),
  ]) {
    expect((await visit({ visits })).statusCode, JSON.stringify(visits[0])).toBe(400)
  }
  expect((await visit({ headers: { 'sec-fetch-site': 'cross-site' } })).statusCode).toBe(403)
})

test('counts a repeated visit only after half an hour, across processes', async () => {
  const other = createVisitBuffer(t.ctx)
  await visit()
  await rollUp()
  const first = await t.db
    .selectFrom('visit_events')
    .select(['at', sql<string>`visitor::text`.as('visitor')])
    .executeTakeFirstOrThrow()
  const again = (minutes: number) => ({
    at: new Date(first.at.getTime() + minutes * 60_000),
    businessId: id,
    kind: 'page' as const,
    source: 'map' as const,
    subjectId: null,
    visitor: BigInt(first.visitor),
  })
  other.add([again(0), again(10), again(29)])
  await other.flush()
  expect(await events()).toHaveLength(1)
  other.add([again(31)])
  await other.flush()
  expect(await events()).toHaveLength(2)
  await visit({ visits: [{ kind: 'call' }] })
  await rollUp()
  expect(await events()).toHaveLength(3)
})

test('changes a visitor’s identity daily and deletes the previous day’s salt', async () => {
  await visit()
  await rollUp()
  t.clock.advance({ days: 1 })
  await visit()
  await rollUp()
  const { rows } = await sql<{ visitors: number }>`select count(distinct visitor)::integer as visitors from visit_events`.execute(t.db)
  expect(rows[0]?.visitors).toBe(2)
  const salts = async () => (await t.db.selectFrom('visit_salts').select('day').orderBy('day').execute()).map((row) => row.day)
  expect(await salts()).toEqual(expect.arrayContaining([today, addDays(today, 1)]))
  await job('insights.maintain-partitions')
  expect(await salts()).toEqual([addDays(today, 1)])
  // Nothing stored identifies the visitor.
  const { rows: stored } = await sql<{ text: string }>`
    select coalesce(string_agg(visit_events::text, ' '), '') as text from visit_events`.execute(t.db)
  for (const part of ['203.0.113', 'Firefox', people.stranger.user.id]) expect(stored[0]?.text).not.toContain(part)
})

test('writes all pending visits when the buffer is flushed', async () => {
  const buffer = createVisitBuffer(t.ctx)
  const visits = Array.from({ length: 1200 }, (_, n) => ({
    at: t.clock.now(),
    businessId: id,
    kind: 'page' as const,
    source: 'other' as const,
    subjectId: null,
    visitor: BigInt(n),
  }))
  buffer.add(visits)
  await buffer.flush()
  expect(await events()).toHaveLength(1200)
})

async function addDay(day: string, visitors: number, kind: 'page' | 'call' | 'product' = 'page', source: 'search' | 'map' = 'search') {
  await sql`
    insert into visit_events (at, business_id, kind, source, subject_id, visitor)
    select ${`${day}T19:00:00Z`}::timestamptz, ${id}::uuid, ${kind}, ${source}, ${kind === 'product' ? productId : null}::uuid, n + ${source === 'map' ? 1000 : 0}
    from generate_series(1, ${visitors}::integer) as n`.execute(t.db)
}
const read = async (query = '', as = owner): Promise<Insights> => {
  const answer = await t.request('GET', `/api/businesses/${slug}/insights${query}`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().insights
}
const of = (insights: Insights, metric: (typeof metrics)[number]) => insights.totals.find((each) => each.metric === metric)

test('compares a period with the one before, by day, week, and month', async () => {
  await addDay('2026-10-20', 8)
  await addDay('2026-11-02', 12)
  await addDay('2026-11-09', 3)
  await addDay('2026-11-10', 9)
  await addDay('2026-11-10', 6, 'call')
  await rollUp()
  const month = await read(`?from=2026-10-25&to=${today}&by=month`)
  expect(month).toMatchObject({ timeZone: 'America/Denver', from: '2026-10-25', to: today, steps: ['2026-10-01', '2026-11-01'] })
  expect(Date.parse(month.countedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(`${today}T18:00:00Z`))
  expect(of(month, 'page')).toMatchObject({ metric: 'page', value: 24 })
  expect(month.series.find(({ metric }) => metric === 'page')?.values).toEqual([0, 24])
  const week = await read('?from=2026-11-02&to=2026-11-15&by=week')
  expect(week.series.find(({ metric }) => metric === 'page')?.values).toEqual([12, 12])
  const days = await read('?from=2026-11-08&to=2026-11-10')
  // Fewer than five people are shown together with the next day's visitors.
  expect(days.series.find(({ metric }) => metric === 'page')?.values).toEqual([0, null, 12])
  expect(days.funnel).toEqual([
    { step: 'views', value: 12 },
    { step: 'actions', value: 6 },
    { step: 'follows', value: 0 },
    { step: 'subscribers', value: 0 },
  ])
  expect(of(await read('?from=2026-11-09&to=2026-11-09'), 'page')?.value).toBeNull()
})

test('breaks down sources and products with enough people, and reveals no group by subtraction', async () => {
  await addDay('2026-11-03', 80, 'page', 'search')
  await addDay('2026-11-03', 4, 'page', 'map')
  await addDay('2026-11-05', 60, 'page', 'search')
  await addDay('2026-11-05', 6, 'page', 'map')
  await addDay('2026-11-05', 66, 'product')
  await rollUp()
  const insights = await read('?from=2026-11-01&to=2026-11-20')
  // On November 3, the map's four visitors could be computed by subtracting search from the total, so the two sources are combined.
  expect(insights.sources).toEqual([
    { source: 'rest', views: 84 },
    { source: 'search', views: 60 },
    { source: 'map', views: 6 },
  ])
  expect(insights.products).toEqual([{ id: productId, name: 'Morning Fog', views: 66 }])
})

test('names no product to a viewer who is too young', async () => {
  await addDay('2026-11-05', 66, 'product')
  await rollUp()
  expect((await read('?from=2026-11-01&to=2026-11-20', people.manager)).products).toHaveLength(1)
  await t.db.updateTable('users').set({ birthday: '2006-11-22' }).where('id', '=', people.manager.user.id).execute()
  try {
    const insights = await read('?from=2026-11-01&to=2026-11-20', people.manager)
    expect(insights.products).toEqual([])
    expect(of(insights, 'product')?.value).toBe(66)
  } finally {
    await t.db.updateTable('users').set({ birthday: '1990-01-01' }).where('id', '=', people.manager.user.id).execute()
  }
})

test('rounds today’s figures to fives and shows current follows, favorites, and subscriptions', async () => {
  await addDay(today, 13)
  for (const person of [people.stranger, people.other]) {
    await t.request('PUT', `/api/businesses/${id}/follow`, person)
    await t.request('POST', '/api/favorites', person, { businessId: id })
  }
  await job('insights.maintain-partitions')
  await rollUp()
  const insights = await read(`?from=${today}&to=${today}`)
  expect(of(insights, 'page')?.value).toBe(10)
  expect(insights.audience).toEqual({
    followers: { now: 2, before: null },
    subscribers: { now: 0, before: null },
    saves: { now: null, before: null },
  })
  // What no one did and what a few people did look the same.
  expect([of(insights, 'save')?.value, of(insights, 'call')?.value]).toEqual([null, null])
  t.clock.advance({ days: 1 })
  const tomorrow = await read(`?from=${addDays(today, 1)}&to=${addDays(today, 1)}`)
  expect(tomorrow.audience.followers).toEqual({ now: 2, before: 2 })
})

test('shows insights only to the owner and managers, on every endpoint', async () => {
  await rollUp()
  const calls = [`/api/businesses/${id}/insights`, `/api/businesses/${slug}/insights.csv`, `/api/businesses/${slug}/next-steps`]
  const expected = { owner: 200, manager: 200, staff: 403, stranger: 403, other: 403 }
  for (const url of calls) {
    for (const [who, status] of Object.entries(expected)) {
      const answer = await t.request('GET', url, people[who as keyof typeof people])
      expect(answer.statusCode, `${who} ${url}: ${answer.body}`).toBe(status)
    }
    expect((await t.request('GET', url)).statusCode).toBe(401)
    expect((await t.request('GET', url.replace(/[^/]+(?=\/(insights|next))/, newId()), owner)).statusCode).toBe(404)
  }
})

test('shows only a sample without the plan', async () => {
  await t.db.updateTable('agreements').set({ entitled_until: t.clock.now() }).where('business_id', '=', id).execute()
  try {
    await addDay(addDays(today, -2), 17)
    await addDay(addDays(today, -20), 40)
    await rollUp()
    const answer = await t.request('GET', `/api/businesses/${id}/insights?from=2026-10-01`, owner)
    expect(answer.json()).toEqual({ insights: null, taste: { pageViews: 17 } })
    expect((await t.request('GET', `/api/businesses/${id}/insights.csv`, owner)).statusCode).toBe(402)
    expect((await t.request('GET', `/api/businesses/${id}/next-steps`, owner)).statusCode).toBe(200)
  } finally {
    await t.db
      .updateTable('agreements')
      .set({ entitled_until: new Date('2030-01-01') })
      .where('business_id', '=', id)
      .execute()
  }
})

test('exports the same figures as a CSV file', async () => {
  await addDay('2026-11-10', 9)
  await rollUp()
  const answer = await t.request('GET', `/api/businesses/${slug}/insights.csv?from=2026-11-09&to=2026-11-10`, owner)
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="${slug}-2026-11-09-to-2026-11-10.csv"`)
  const [head, ...lines] = answer.body.trim().split('\r\n')
  expect(head?.split(',')).toHaveLength(metrics.length + 1)
  expect(lines).toEqual(['2026-11-09,0,0,0,0,0,0,0,0,0', '2026-11-10,9,0,0,0,0,0,0,0,0'])
})

test('refuses invalid periods', async () => {
  const outside = ['?from=0001-01-01&to=0001-02-01', '?to=0000-01-01', '?from=9999-12-01&to=9999-12-31']
  for (const query of ['?from=2026-11-10&to=2026-11-09', '?from=2025-01-01&to=2026-11-01', '?from=yesterday', '?by=hour', ...outside]) {
    expect((await t.request('GET', `/api/businesses/${id}/insights${query}`, owner)).statusCode, query).toBe(400)
    expect((await t.request('GET', `/api/businesses/${id}/insights.csv${query}`, owner)).statusCode, query).toBe(400)
  }
})

test('suggests next steps based on what the business’s page lacks', async () => {
  const steps = async () => (await t.request('GET', `/api/businesses/${id}/next-steps`, owner)).json()
  await t.db.updateTable('products').set({ confirmed_at: t.clock.now() }).where('id', '=', productId).execute()
  expect(await steps()).toEqual([
    { kind: 'no_license', count: null },
    { kind: 'no_description', count: null },
    { kind: 'no_hours', count: null },
  ])
  await t.request('PATCH', `/api/businesses/${id}`, owner, { description: 'A shop by the river' })
  const verificationId = await verifiedUntil(licenseDay(new Date(t.clock.now().getTime() + 15 * 86_400_000)))
  expect(await steps()).toEqual([
    { kind: 'license_expires', count: 15 },
    { kind: 'no_hours', count: null },
  ])
  await t.db.updateTable('license_verifications').set({ expires_on: null, expiry_source: null }).where('id', '=', verificationId).execute()
  await t.request('PUT', `/api/businesses/${id}/rating`, people.stranger, { rating: 5, review: 'Kind people' })
  t.clock.advance({ days: 9 })
  expect(await steps()).toEqual([
    { kind: 'old_menu', count: 1 },
    { kind: 'reviews', count: 1 },
    { kind: 'no_hours', count: null },
  ])
  await t.db.updateTable('reviews').set({ moderation: 'hidden' }).where('business_id', '=', id).execute()
  expect(await steps()).not.toContainEqual({ kind: 'reviews', count: 1 })
  t.clock.advance({ days: 20 })
  expect(await steps()).toContainEqual({ kind: 'no_recent_posts', count: null })
  await t.db.updateTable('posts').set({ moderation: 'hidden' }).where('business_id', '=', id).execute()
  expect(await steps()).toContainEqual({ kind: 'no_posts', count: null })
  const publishAt = new Date(t.clock.now().getTime() + 86_400_000)
  const draft = { id: newId(), author_id: owner.user.id, business_id: id, title: 'Soon', content: 'New on Friday' }
  await t.db
    .insertInto('post_drafts')
    .values({ ...draft, status: 'scheduled', publish_at: publishAt })
    .execute()
  expect((await steps()).map(({ kind }: { kind: string }) => kind)).not.toContain('no_posts')
  await t.db.updateTable('license_verifications').set({ status: 'expired' }).where('id', '=', verificationId).execute()
  expect((await steps())[0]).toEqual({ kind: 'license_expired', count: null })
})

async function verifiedUntil(day: string): Promise<string> {
  const now = t.clock.now()
  const stated = {
    license_number: '402R-1',
    license_number_key: '402R1',
    state: 'CO',
    license_name: 'Shop',
    business_type: 'dispensary' as const,
  }
  const found = { basis: 'code' as const, match: 'full' as const, verified_at: now, checked_at: now }
  const verification = { id: newId(), business_id: id, status: 'verified' as const, ...stated, ...found }
  await t.db
    .insertInto('license_verifications')
    .values({ ...verification, expires_on: day, expiry_source: 'business', created_at: now, updated_at: now })
    .execute()
  return verification.id
}
