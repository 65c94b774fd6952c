import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { addBusiness } from '../../../tests/support/businesses.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'
import { projectRoot } from '../../config.ts'
import { newId } from '../../kernel/ids.ts'
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
  'posts',
  'reviews',
  'subscriptions',
  'favorites',
] as const

const contents = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => [table, (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(test.db)).rows]),
    ),
  )

/** Rows whose counters are not what is stored. */
const wrongCounts = async () =>
  (
    await sql`
      select slug as name from businesses b where
        subscriber_count <> (select count(*) from subscriptions where business_id = b.id)
        or total_ratings <> (select count(*) from reviews where business_id = b.id)
        or rating_sum <> (select coalesce(sum(rating), 0) from reviews where business_id = b.id)
      union all
      select email from users u where
        following_count <> (select count(*) from subscriptions where user_id = u.id)
        or posts_count <> (select count(*) from posts where author_id = u.id)`.execute(test.db)
  ).rows

async function signIn(email: string): Promise<TestPerson> {
  const answer = await test.request('POST', '/api/login', null, { email, password: demoPassword })
  expect(answer.statusCode, answer.body).toBe(200)
  const cookie = answer.cookies
    .filter((each) => each.name !== 'fresh')
    .map((each) => `${each.name}=${encodeURIComponent(each.value)}`)
    .join('; ')
  return { cookie, email, password: demoPassword, user: (await test.app.inject({ url: '/api/auth/user', headers: { cookie } })).json() }
}

it('loads once, with counts that are right, all of it marked', async () => {
  expect(await loadDemo(test.ctx)).toBe(true)
  expect(await wrongCounts()).toEqual([])
  const once = await contents()
  expect(await loadDemo(test.ctx)).toBe(false)
  expect(await contents()).toEqual(once)
  expect((once.businesses as { is_demo: boolean }[]).every((business) => business.is_demo)).toBe(true)
  expect(once.businesses).toHaveLength(demoBusinesses.length)
  expect((once.users as { is_demo: boolean }[]).filter((user) => user.is_demo)).toHaveLength(demoPeople.length)
})

it('lets both demo accounts in, onboarded', async () => {
  await loadDemo(test.ctx)
  const consumer = await signIn(demoConsumer)
  const owner = await signIn(demoOwner)
  expect(consumer.user).toMatchObject({ userType: 'consumer', hasCompletedOnboarding: true, followingCount: 3 })
  expect(owner.user).toMatchObject({ userType: 'business', hasCompletedOnboarding: true })
  const shop = (await test.request('GET', '/api/businesses?q=Lanternfold')).json()[0]
  expect(shop).toMatchObject({ isDemo: true, isClaimed: true, licenseStanding: 'none', totalRatings: 4, averageRating: 4.5 })
  const posts = (await test.request('GET', `/api/businesses/${shop.id}/posts`, consumer)).json()
  expect(posts.some((post: { isExclusive: boolean; isLocked: boolean }) => post.isExclusive && !post.isLocked)).toBe(true)
  expect((await test.request('GET', `/api/businesses/${shop.id}/products`, consumer)).json()).toHaveLength(5)
})

it('is removed without a trace, and nothing else with it', async () => {
  const real = await addBusiness(test.db, { name: 'Real' })
  const person = await test.signUp()
  const other = await test.signUp()
  await test.request('POST', '/api/subscriptions', other, { businessId: real.id })
  await test.db.insertInto('reviews').values({ id: newId(), business_id: real.id, user_id: other.user.id, rating: 4 }).execute()
  await test.db.updateTable('businesses').set({ rating_sum: 4, total_ratings: 1 }).where('id', '=', real.id).execute()
  const before = await contents()

  await loadDemo(test.ctx)
  const demo = await signIn(demoConsumer)
  const shop = (await test.request('GET', '/api/businesses?q=Lanternfold')).json()[0]
  // A person uses the demo, and somebody uses a demo account on what is real.
  await test.request('POST', '/api/subscriptions', person, { businessId: shop.id })
  await test.request('POST', '/api/favorites', person, { businessId: shop.id })
  await test.request('POST', '/api/subscriptions', demo, { businessId: real.id })
  await test.request('POST', '/api/favorites', demo, { businessId: real.id })
  await test.db.insertInto('reviews').values({ id: newId(), business_id: real.id, user_id: demo.user.id, rating: 1 }).execute()
  await test.db.updateTable('businesses').set({ rating_sum: 5, total_ratings: 2 }).where('id', '=', real.id).execute()
  const made = await test.request('POST', '/api/businesses', await signIn(demoOwner), {
    businessName: 'Made by a demo account',
    location: 'Denver, CO',
  })
  expect(made.json()).toMatchObject({ isDemo: true })

  expect(await removeDemo(test.ctx)).toEqual({ businesses: demoBusinesses.length + 1, people: demoPeople.length })
  expect(await contents()).toEqual(before)
  expect(await wrongCounts()).toEqual([])
  expect(await removeDemo(test.ctx)).toEqual({ businesses: 0, people: 0 })
})

it('has no name that a licensed business has', () => {
  const register = readFileSync(`${projectRoot}/data/licenses-us.csv`, 'utf8').toLowerCase()
  for (const { name } of demoBusinesses) expect(register.includes(name.toLowerCase()), name).toBe(false)
})
