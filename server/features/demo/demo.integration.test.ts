import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { projectRoot } from '../../config.ts'
import { demoBusinesses } from './demo-businesses.ts'
import { demoEmail, demoPassword, demoPeople } from './demo-people.ts'
import { loadDemo, removeDemo } from './index.ts'

let t: TestApp
beforeEach(async () => {
  t = await startTestApp()
})
afterEach(() => t.close())

const countOf = async (table: 'users' | 'businesses' | 'products' | 'posts' | 'reviews' | 'subscriptions' | 'favorites') =>
  (
    await t.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

test('loads once, with counts that are what the tables say', async () => {
  expect(await loadDemo(t.ctx)).toBe(true)
  expect(await loadDemo(t.ctx)).toBe(false)
  expect(await countOf('businesses')).toBe(demoBusinesses.length)
  expect(await countOf('users')).toBe(demoPeople.length)
  const businesses = await t.db.selectFrom('businesses').selectAll().execute()
  expect(businesses.every((business) => business.is_demo && business.pin_latitude !== null)).toBe(true)
  for (const business of businesses) {
    const reviews = await t.db.selectFrom('reviews').select('rating').where('business_id', '=', business.id).execute()
    const subscribers = await t.db.selectFrom('subscriptions').select('user_id').where('business_id', '=', business.id).execute()
    expect(business.total_ratings).toBe(reviews.length)
    expect(business.rating_sum).toBe(reviews.reduce((sum, review) => sum + review.rating, 0))
    expect(business.subscriber_count).toBe(subscribers.length)
  }
})

test('no demo business has the name of a licensed one', () => {
  const register = readFileSync(path.join(projectRoot, 'data/licenses-us.csv'), 'utf8').toLowerCase()
  expect(demoBusinesses.map(({ name }) => name).filter((name) => register.includes(name.toLowerCase()))).toEqual([])
})

test('every demo account signs in', async () => {
  await loadDemo(t.ctx)
  for (const person of demoPeople.slice(0, 2)) {
    const response = await t.request('POST', '/api/login', null, { email: demoEmail(person), password: demoPassword })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ accountType: person.userType, hasCompletedOnboarding: true })
  }
})

test('removal takes all of it and nothing else, whoever mixed the two', async () => {
  const person = await t.signUp()
  const owner = await t.signUp({ accountType: 'business' })
  const created = await t.request('POST', '/api/businesses', owner, { businessName: 'A Real Farm', location: 'Denver, CO' })
  const real = created.json() as { id: string }
  await loadDemo(t.ctx)
  const demo = await t.db.selectFrom('businesses').select('id').where('is_demo', '=', true).executeTakeFirstOrThrow()
  await t.request('POST', '/api/subscriptions', person, { businessId: demo.id })
  await t.request('POST', '/api/subscriptions', person, { businessId: real.id })
  const demoLogin = await t.request('POST', '/api/login', null, { email: demoEmail({ key: 'robin' }), password: demoPassword })
  const robin = { ...person, cookie: String(demoLogin.headers['set-cookie']).split(';')[0] as string }
  const subscribed = await t.request('POST', '/api/subscriptions', robin, { businessId: real.id })
  expect(subscribed.json()).toMatchObject({ subscriberCount: 2 })

  expect(await removeDemo(t.ctx)).toEqual({ people: demoPeople.length, businesses: demoBusinesses.length })
  expect(await removeDemo(t.ctx)).toEqual({ people: 0, businesses: 0 })
  expect(await countOf('businesses')).toBe(1)
  expect(await countOf('users')).toBe(2)
  for (const table of ['products', 'posts', 'reviews', 'favorites'] as const) expect(await countOf(table)).toBe(0)
  expect((await t.request('GET', `/api/businesses/${real.id}`, person)).json()).toMatchObject({ subscriberCount: 1 })
  expect((await t.request('GET', '/api/auth/user', person)).json()).toMatchObject({ followingCount: 1 })
})
