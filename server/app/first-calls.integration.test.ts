import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Boot } from '#contracts/boot.ts'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from '#tests/support/business-events.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addHunt } from '#tests/support/hunts.ts'
import { addProduct } from '#tests/support/menus.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { addPost, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { maxAnswerBytes } from './first-calls.ts'

let t: TestApp
let shop: TestBusiness
beforeAll(async () => {
  t = await startTestApp()
  shop = await addBusiness(t.db, { slug: 'green-hills-denver', claimed_at: new Date() })
  await addProduct(t.db, shop.id)
})
afterAll(() => t.close())

const near = 'near=Denver%2C+CO'
const nearby = `${near}&radius=50&widen=true`

async function answersIn(url: string, as: TestPerson | null): Promise<Boot['answers']> {
  const { body } = await t.request('GET', url, as)
  return (JSON.parse(/<script id="boot" type="application\/json">(.*?)<\/script>/s.exec(body)?.[1] ?? '') as Boot).answers
}

const callsIn = async (url: string, as: TestPerson | null): Promise<string[]> => (await answersIn(url, as)).map((answer) => answer.url)

const home = ['/api/activity', '/api/events?following=true&limit=3', `/api/trending?${near}`, `/api/featured?${near}`, '/api/favorites']
const hunts = ['?limit=50', '/summary', '/activity?limit=10'].map((rest) => `/api/pheno-hunts${rest}`)

test('embeds the first responses of each member screen in its page', async () => {
  const [person, friend] = [await t.signUp(), await t.signUp()]
  const { id } = person.user
  const postId = await addPost(t.db, { author_id: id })
  const eventId = await addEvent(t.db, shop.id)
  const productId = await addProduct(t.db, shop.id)
  const hunt = await addHunt(t.db, id)
  const conversationId = await messagesOf(t).between(person, friend)
  const ofShop = `/api/businesses/${shop.id}`
  const shopPage = ['', '/page-extras', '/events?limit=3'].map((rest) => `/api/businesses/${shop.slug}${rest}`)
  const screens: Record<string, string[]> = {
    '/': ['/api/feed', ...home, `/api/businesses?${nearby}`, `/api/feed/suggestions?${near}`],
    '/?type=farm': [],
    '/discover': [`/api/businesses?${nearby}`, `/api/businesses/map?${nearby}&bbox=0%2C0%2C0%2C0`],
    '/discover?everywhere=true': [],
    [`/business/${shop.slug}`]: [...shopPage, ...['status', 'locations', 'products', 'menu'].map((part) => `${ofShop}/${part}`)],
    [`/business/${shop.slug}?tab=reviews`]: [...shopPage, `${ofShop}/status`, `${ofShop}/locations`],
    [`/product/${productId}`]: [`/api/products/${productId}?${near}`],
    [`/events/${eventId}`]: [`/api/events/${eventId}`],
    [`/post/${postId}`]: [`/api/posts/${postId}`, `/api/posts/${postId}/comments`],
    '/post/latest': [],
    [`/people/${id}`]: [`/api/people/${id}`, `/api/people/${id}/posts`],
    '/profile': [`/api/people/${id}/posts`],
    '/favorites': ['/api/favorites'],
    '/favorites?tab=posts': ['/api/saved-posts'],
    '/notifications': ['/api/notifications/unread-count', '/api/notifications'],
    '/communities': ['/api/communities?limit=24&sort=featured', '/api/communities/categories'],
    '/messages': ['/api/conversations', '/api/messages/unread-count'],
    '/messages?tab=requests': [],
    [`/messages/${conversationId}`]: [
      `/api/conversations/${conversationId}`,
      `/api/conversations/${conversationId}/messages?limit=40`,
      '/api/conversations',
      '/api/messages/unread-count',
    ],
    '/pheno-hunt': [...hunts, '/api/kept-phenos?limit=100'],
    [`/pheno-hunt/${hunt.id}`]: [`/api/pheno-hunts/${hunt.id}`, `/api/pheno-hunts/${hunt.id}/genotypes`],
    '/business-dashboard/menu': ['/api/businesses/mine'],
    '/settings': ['/api/notification-preferences', '/api/message-settings'],
  }
  for (const [url, calls] of Object.entries(screens)) expect(await callsIn(url, person), url).toEqual(calls)
})

test('includes the dashboard of the business that an owner sees first', async () => {
  const owner = await t.signUp()
  const [one, other] = [await addBusiness(t.db), await addBusiness(t.db)]
  await joinBusiness(t.db, owner.user.id, one.id)
  const menuOf = ({ id }: TestBusiness) => ['plan', 'menu-settings', 'menu-items?limit=100'].map((part) => `/api/businesses/${id}/${part}`)
  expect(await callsIn('/business-dashboard/menu', owner)).toEqual(['/api/businesses/mine', ...menuOf(one)])
  expect(await callsIn('/business-dashboard', owner)).toEqual(['/api/businesses/mine', `/api/businesses/${one.id}/plan`])
  expect((await callsIn('/', owner)).slice(0, 3)).toEqual(['/api/feed', '/api/businesses/mine', '/api/messages/unread-count'])

  await joinBusiness(t.db, owner.user.id, other.id)
  expect(await callsIn('/business-dashboard/menu', owner)).toEqual(['/api/businesses/mine'])
  for (const name of [other.id, other.slug]) {
    expect(await callsIn(`/business-dashboard/menu?business=${name}`, owner)).toEqual(['/api/businesses/mine', ...menuOf(other)])
  }
  expect(await callsIn(`/business-dashboard/menu?business=${shop.slug}`, owner)).toEqual(['/api/businesses/mine'])
})

test('includes nothing that the viewer may not see, and nothing for visitors', async () => {
  const young = await t.signUp({ birthday: '2007-01-01' })
  const calls = await callsIn(`/business/${shop.slug}`, young)
  expect(calls).toContain(`/api/businesses/${shop.id}/locations`)
  expect(calls).not.toContain(`/api/businesses/${shop.id}/products`)
  expect(await callsIn(`/business/${shop.slug}`, null)).toEqual([])
  const hunt = await addHunt(t.db, (await t.signUp()).user.id)
  expect(await callsIn(`/pheno-hunt/${hunt.id}`, young)).toEqual([])
  expect(await callsIn(`/messages/${newId()}`, young)).toEqual([])
})

test('omits a response that is too large, but not later ones that fit', async () => {
  const owner = await t.signUp()
  const business = await addBusiness(t.db)
  await joinBusiness(t.db, owner.user.id, business.id)
  for (let number = 0; number < 100; number++) {
    await addProduct(t.db, business.id, { name: `Item ${number}`, description: 'x'.repeat(maxAnswerBytes / 100) })
  }
  const answers = await answersIn('/business-dashboard/menu', owner)
  expect(answers.map(({ url }) => url)).toEqual([
    '/api/businesses/mine',
    `/api/businesses/${business.id}/plan`,
    `/api/businesses/${business.id}/menu-settings`,
  ])
  await t.db.updateTable('products').set({ description: 'x' }).where('business_id', '=', business.id).execute()
  expect(await callsIn('/business-dashboard/menu', owner)).toContain(`/api/businesses/${business.id}/menu-items?limit=100`)
  expect(JSON.stringify(answers).length).toBeLessThan(maxAnswerBytes)
})
