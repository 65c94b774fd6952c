import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Business } from '../../../contracts/businesses.ts'
import type { Post, PostType } from '../../../contracts/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'
import { newId } from '../../kernel/ids.ts'

let test: TestApp
let business: Business
let owner: TestPerson
let subscriber: TestPerson
let stranger: TestPerson
let young: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  subscriber = await test.signUp()
  stranger = await test.signUp()
  young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
  business = (await test.request('POST', '/api/businesses', owner, { businessName: 'Poster', location: 'Denver, CO' })).json()
  await test.request('POST', '/api/subscriptions', subscriber, { businessId: business.id })
  await test.request('POST', '/api/subscriptions', young, { businessId: business.id })
  const post = (title: string, post_type: PostType, is_exclusive: boolean, day: number) => ({
    id: newId(),
    author_id: owner.user.id,
    business_id: business.id,
    title,
    content: `Words of ${title}`,
    image_url: `https://pictures.example/${title}.jpg`,
    post_type,
    is_exclusive,
    created_at: new Date(Date.UTC(2026, 0, day)),
  })
  await test.db
    .insertInto('posts')
    .values([
      post('Open', 'update', false, 1),
      post('Secret', 'update', true, 2),
      post('Sale', 'promotion', false, 3),
      post('Drop', 'product', true, 4),
    ])
    .execute()
})
afterAll(() => test?.close())

const posts = async (as: TestPerson | null, query = '') => {
  const answer = await test.request('GET', `/api/businesses/${business.slug}/posts${query}`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return { list: answer.json() as Post[], body: answer.body }
}

it('opens exclusive posts for subscribers and for those who run the business', async () => {
  for (const person of [subscriber, owner]) {
    const { list } = await posts(person)
    expect(list.map((post) => [post.title, post.isLocked, post.content])).toEqual([
      ['Drop', false, 'Words of Drop'],
      ['Sale', false, 'Words of Sale'],
      ['Secret', false, 'Words of Secret'],
      ['Open', false, 'Words of Open'],
    ])
  }
})

it('tells a stranger the title of an exclusive post and not a word more', async () => {
  const { list, body } = await posts(stranger)
  expect(list.find((post) => post.title === 'Secret')).toMatchObject({ isExclusive: true, isLocked: true, content: '', imageUrl: null })
  expect(list.find((post) => post.title === 'Open')).toMatchObject({ isLocked: false, content: 'Words of Open' })
  expect(body).not.toMatch(/Words of Secret|Words of Drop|Secret\.jpg|Drop\.jpg/)
})

it('leaves promotions and products out for visitors and for the young, subscribers or not', async () => {
  const visitor = await posts(null)
  expect(visitor.list.map((post) => [post.title, post.isLocked])).toEqual([
    ['Secret', true],
    ['Open', false],
  ])
  expect(visitor.body).not.toMatch(/Sale|Drop|Words of Secret/)
  expect((await posts(young)).list.map((post) => [post.title, post.isLocked])).toEqual([
    ['Secret', false],
    ['Open', false],
  ])
})

it('closes again when the subscription ends', async () => {
  await test.request('DELETE', `/api/subscriptions/${business.id}`, subscriber)
  expect((await posts(subscriber)).body).not.toContain('Words of Secret')
})

it('fills pages with what the viewer may see', async () => {
  const answer = await test.request('GET', `/api/businesses/${business.id}/posts?limit=1`)
  expect((answer.json() as Post[]).map((post) => post.title)).toEqual(['Secret'])
  expect(answer.headers.link).toContain('rel="next"')
})

it('answers 404 for a business that does not exist', async () => {
  expect((await test.request('GET', `/api/businesses/${newId()}/posts`)).statusCode).toBe(404)
})
