import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { BusinessEvent } from '#contracts/events.ts'
import type { Notification } from '#contracts/notifications.ts'
import type { FeedPost } from '#contracts/posts.ts'
import { projectRoot } from '#server/config.ts'
import { computeTrends } from '#server/features/home/index.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { demoConsumer, demoOwner, demoPassword, demoPeople } from './demo-people.ts'
import { loadDemo } from './load-demo.ts'
import { removeDemo } from './remove-demo.ts'

let test: TestApp

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  await removeDemo(test.ctx)
  await test.db.deleteFrom('businesses').execute()
})

const tables = [
  'users',
  'credentials',
  'businesses',
  'business_members',
  'products',
  'locations',
  'agreements',
  'posts',
  'post_likes',
  'comments',
  'reviews',
  'review_votes',
  'subscriptions',
  'favorites',
  'business_follows',
  'person_follows',
  'person_blocks',
  'business_blocks',
  'notifications',
  'notification_actors',
  'reports',
  'events',
  'event_rsvps',
] as const

const contents = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => [table, (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(test.db)).rows]),
    ),
  )

/** Like `contents`, without notification times, which removing the demo doesn't restore. */
const contentsWithoutTimes = async () => {
  const { notifications, notification_actors, ...others } = await contents()
  const untimed = (rows: object[]) => rows.map((row) => ({ ...row, created_at: null }))
  return { ...others, notifications: untimed(notifications), notification_actors: untimed(notification_actors) }
}

async function signIn(email: string): Promise<TestPerson> {
  const answer = await test.request('POST', '/api/login', null, { email, password: demoPassword })
  expect(answer.statusCode, answer.body).toBe(200)
  const cookie = answer.cookies
    .filter((each) => each.name !== 'written')
    .map((each) => `${each.name}=${encodeURIComponent(each.value)}`)
    .join('; ')
  return { cookie, email, password: demoPassword, user: (await test.app.inject({ url: '/api/auth/user', headers: { cookie } })).json() }
}

const wrenCounts = { followingCount: 17, followersCount: 9, postsCount: 3 }

it('loads once, with correct counts, and marks everything as demo content', async () => {
  expect(await loadDemo(test.ctx)).toBe(true)
  expect(await findWrongCounters(test.db)).toEqual([])
  const once = await contents()
  expect(await loadDemo(test.ctx)).toBe(false)
  expect(await contents()).toEqual(once)
  expect((once.businesses as { is_demo: boolean }[]).every((business) => business.is_demo)).toBe(true)
  expect(once.businesses).toHaveLength(demoBusinesses.length)
  expect((once.users as { is_demo: boolean }[]).filter((user) => user.is_demo)).toHaveLength(demoPeople.length)
})

it('lets both demo accounts sign in with onboarding completed', async () => {
  await loadDemo(test.ctx)
  const consumer = await signIn(demoConsumer)
  const owner = await signIn(demoOwner)
  expect(consumer.user).toMatchObject({ userType: 'consumer', hasCompletedOnboarding: true, ...wrenCounts })
  expect(owner.user).toMatchObject({ userType: 'business', hasCompletedOnboarding: true })
  const shop = (await test.request('GET', '/api/businesses?q=Lanternfold')).json()[0]
  expect(shop).toMatchObject({ isDemo: true, isClaimed: true, licenseStanding: 'listed', totalRatings: 6, averageRating: 4.7 })
  const posts = (await test.request('GET', `/api/businesses/${shop.id}/posts`, consumer)).json()
  expect(posts.some((post: { isExclusive: boolean; isLocked: boolean }) => post.isExclusive && !post.isLocked)).toBe(true)
  expect((await test.request('GET', `/api/businesses/${shop.id}/products`, consumer)).json()).toHaveLength(14)
})

it('fills the feed and notifications of both demo accounts', async () => {
  await loadDemo(test.ctx)
  for (const email of [demoConsumer, demoOwner]) {
    const person = await signIn(email)
    const read = async <Answer>(url: string) => (await test.request('GET', url, person)).json() as Answer
    const feed = await read<FeedPost[]>('/api/feed')
    expect(feed).toHaveLength(20)
    expect(new Set(feed.map(({ reason }) => reason.kind)).size, email).toBeGreaterThanOrEqual(3)
    expect((await read<{ count: number }>('/api/notifications/unread-count')).count, email).toBeGreaterThanOrEqual(5)
    const notifications = await read<Notification[]>('/api/notifications?limit=50')
    expect(new Set(notifications.filter(({ isRead }) => !isRead).map(({ type }) => type)).size, email).toBeGreaterThanOrEqual(5)
    for (const { title } of notifications) expect(title).not.toMatch(/null|undefined|Someone|^Member\b/)
  }
})

it('shows three upcoming events, one of them for VIP members', async () => {
  await loadDemo(test.ctx)
  const events = (await test.request('GET', '/api/events', await signIn(demoConsumer))).json() as BusinessEvent[]
  expect(events.map(({ audience, isLocked, isGoing }) => [audience, isLocked, isGoing])).toEqual([
    ['everyone', false, true],
    ['subscribers', false, false],
    ['vip', true, false],
  ])
  // A shop's address is shown; a farm's is private.
  expect(events[0]?.place).toMatchObject({ address: '12 Wick Lane', city: 'Denver, CO' })
  const farms = await test.db.selectFrom('events').select(['address', 'location_id']).where('is_farm', '=', true).execute()
  expect(farms).toEqual([{ address: null, location_id: null }])
})

it('fills the lists of featured and trending businesses', async () => {
  await loadDemo(test.ctx)
  await computeTrends(test.ctx)
  expect((await test.request('GET', '/api/featured')).json()).toHaveLength(4)
  expect((await test.request('GET', '/api/trending')).json()).toHaveLength(3)
})

it('removes the demo without a trace and without touching anything else', async () => {
  const { person, other, real, post, comment, review } = await realLife()
  const before = await contentsWithoutTimes()

  await loadDemo(test.ctx)
  const demo = await signIn(demoConsumer)
  const shop = (await test.request('GET', '/api/businesses?q=Lanternfold')).json()[0]
  // An older release let demo accounts act on real content.
  const setDemo = (isDemo: boolean) => test.db.updateTable('users').set({ is_demo: isDemo }).where('email', '=', demoConsumer).execute()
  await setDemo(false)
  await send('POST', '/api/subscriptions', demo, { businessId: real.id })
  await send('POST', '/api/favorites', demo, { businessId: real.id })
  await send('PUT', `/api/businesses/${real.id}/rating`, demo, { rating: 1, review: 'Not for me' })
  await send('PUT', `/api/people/${person.user.id}/follow`, demo)
  await send('PUT', `/api/posts/${post.id}/like`, demo)
  await send('POST', `/api/posts/${post.id}/comments`, demo, { content: 'From the demo', parentId: comment.id })
  const demoComment = await send('POST', `/api/posts/${post.id}/comments`, demo, { content: 'From the demo, too' })
  await send('PUT', `/api/ratings/${review.id}/helpful`, demo)
  const shopPost = await test.db.selectFrom('posts').select('id').where('title', '=', 'The new shelf is up').executeTakeFirstOrThrow()
  const wrensReview = await test.db.selectFrom('reviews').select('id').where('user_id', '=', demo.user.id).executeTakeFirstOrThrow()
  await send('POST', '/api/subscriptions', person, { businessId: shop.id })
  await send('POST', '/api/favorites', person, { businessId: shop.id })
  await send('PUT', `/api/businesses/${shop.id}/rating`, person, { rating: 5 })
  await send('PUT', `/api/people/${demo.user.id}/follow`, person)
  await send('PUT', `/api/posts/${shopPost.id}/like`, person)
  await send('POST', `/api/posts/${shopPost.id}/comments`, other, { content: 'On the demo' })
  await send('POST', `/api/posts/${post.id}/comments`, other, { content: 'To the demo', parentId: demoComment.id })
  await send('PUT', `/api/ratings/${wrensReview.id}/helpful`, other)
  await send('PUT', `/api/businesses/${shop.id}/block`, other)
  await send('POST', '/api/reports', person, { subject: 'post', subjectId: shopPost.id, reason: 'spam' })
  await test.runJobs()
  expect(await findWrongCounters(test.db)).toEqual([])
  await setDemo(true)
  const made = await send('POST', '/api/businesses', await signIn(demoOwner), {
    businessName: 'Made by a demo account',
    location: 'Denver, CO',
  })
  expect(made).toMatchObject({ isDemo: true })

  expect(await removeDemo(test.ctx)).toEqual({ businesses: demoBusinesses.length + 1, people: demoPeople.length })
  expect(await contentsWithoutTimes()).toEqual(before)
  expect(await findWrongCounters(test.db)).toEqual([])
  expect(await removeDemo(test.ctx)).toEqual({ businesses: 0, people: 0 })
})

async function send(method: 'POST' | 'PUT', url: string, as: TestPerson, body?: object) {
  const answer = await test.request(method, url, as, body)
  expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300)
  return answer.body ? answer.json() : null
}

async function realLife() {
  const real = await addBusiness(test.db, { name: 'Real' })
  const person = await test.signUp()
  const other = await test.signUp()
  await send('POST', '/api/subscriptions', other, { businessId: real.id })
  await send('PUT', `/api/people/${person.user.id}/follow`, other)
  const post = await send('POST', '/api/posts', person, { title: 'Real', content: 'Words', businessId: null })
  await send('PUT', `/api/posts/${post.id}/like`, other)
  const comment = await send('POST', `/api/posts/${post.id}/comments`, other, { content: 'Well said' })
  await send('PUT', `/api/businesses/${real.id}/rating`, other, { rating: 4, review: 'Good' })
  const review = await test.db.selectFrom('reviews').select('id').where('business_id', '=', real.id).executeTakeFirstOrThrow()
  await send('PUT', `/api/ratings/${review.id}/helpful`, person)
  await test.runJobs()
  return { real, person, other, post, comment, review }
}

it('doesn’t use the name of any licensed business', () => {
  const register = readFileSync(`${projectRoot}/data/licenses-us.csv`, 'utf8').toLowerCase()
  for (const { name } of demoBusinesses) expect(register.includes(name.toLowerCase()), name).toBe(false)
})

it('lists the activity of hunts in order, and counts days and weeks of logs from 1', async () => {
  await loadDemo(test.ctx)
  const { rows: late } = await sql`
    select from hunt_events as later join hunt_events as earlier using (hunt_id)
    where later.id > earlier.id and later.recorded_at < earlier.recorded_at`.execute(test.db)
  expect(late).toHaveLength(0)
  const { rows: weeks } = await sql<{ stated: number; counted: number }>`
    select week as stated, (logged_on - germination_date) / 7 + 1 as counted
    from grow_logs join hunts on hunts.id = hunt_id where week is not null`.execute(test.db)
  expect(weeks.length).toBeGreaterThan(0)
  for (const { stated, counted } of weeks) expect(stated).toBe(counted)
})
