import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { FeedPost, Post } from '#contracts/posts.ts'
import { lastWriteCookie } from '#server/kernel/replica-reads.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let subscriber: TestPerson
let follower: TestPerson
let businessId: string
let post: Post

const call = async (as: TestPerson, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, answer.body).toBeLessThan(300)
  return answer.body ? answer.json() : undefined
}

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  subscriber = await test.signUp()
  follower = await test.signUp()
  businessId = (await call(owner, 'POST', '/api/businesses', { businessName: 'Cedar Terrace', location: 'Denver, CO' })).id
  await call(subscriber, 'POST', '/api/subscriptions', { businessId })
  await call(follower, 'PUT', `/api/businesses/${businessId}/follow`)
  post = await call(owner, 'POST', '/api/posts', { title: 'First', content: 'Words', businessId })
})
afterAll(() => test?.close())

const inFeedOf = async (as: TestPerson, cookie = as.cookie): Promise<FeedPost | undefined> => {
  const answer = await test.app.inject({ url: '/api/feed', headers: { cookie } })
  return (answer.json() as FeedPost[]).find(({ id }) => id === post.id)
}

it('shows what others have just changed even to viewers with a cached post', async () => {
  expect(await inFeedOf(follower)).toMatchObject({ title: 'First', content: 'Words', likesCount: 0, isLiked: false })
  await call(owner, 'PATCH', `/api/posts/${post.id}`, { title: 'Second' })
  await call(subscriber, 'PUT', `/api/posts/${post.id}/like`)
  await call(subscriber, 'POST', `/api/posts/${post.id}/comments`, { content: 'Well said' })
  expect(await inFeedOf(follower)).toMatchObject({ title: 'Second', likesCount: 1, commentsCount: 1, isLiked: false })
  expect(await inFeedOf(subscriber)).toMatchObject({ title: 'Second', likesCount: 1, isLiked: true })
})

it('never leaks one viewer’s cached post to another', async () => {
  const exclusive: Post = await call(owner, 'POST', '/api/posts', { title: 'Third', content: 'Secret', businessId, isExclusive: true })
  post = exclusive
  for (let round = 0; round < 2; round++) {
    expect(await inFeedOf(subscriber)).toMatchObject({ title: 'Third', content: 'Secret', isLocked: false })
    expect(await inFeedOf(follower)).toMatchObject({ title: 'Third', content: '', isLocked: true })
  }
  await call(subscriber, 'DELETE', `/api/subscriptions/${businessId}`)
  await call(subscriber, 'PUT', `/api/businesses/${businessId}/follow`)
  expect(await inFeedOf(subscriber)).toMatchObject({ content: '', isLocked: true })
})

it('bypasses the cache for a browser that has just written', async () => {
  await inFeedOf(owner)
  await test.db.updateTable('businesses').set({ name: 'Cedar Hill' }).where('id', '=', businessId).execute()
  expect((await inFeedOf(owner, `${owner.cookie}; ${(await lastWriteCookie(test.ctx)).split(';')[0]}`))?.business?.name).toBe('Cedar Hill')
})

it('locks a post that became exclusive between the check and the read', async () => {
  post = await call(owner, 'POST', '/api/posts', { title: 'Fourth', content: 'Open words', businessId })
  const { query } = pg.Client.prototype as unknown as { query: (...given: [{ text?: string }]) => unknown }
  let isChanged = false
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given) {
    const [{ text = '' }] = given as unknown as [{ text?: string }]
    const send = () => query.apply(this, given as unknown as [{ text?: string }])
    if (isChanged || !text.includes('posts.content') || text.includes('business_sources')) return send()
    isChanged = true
    void call(owner, 'PATCH', `/api/posts/${post.id}`, { content: 'Secret words', isExclusive: true }).then(send)
  })
  const [seen, again] = [await inFeedOf(follower), await inFeedOf(follower)]
  spy.mockRestore()
  expect(isChanged).toBe(true)
  expect([seen, again]).toMatchObject([
    { content: '', isLocked: true },
    { content: '', isLocked: true },
  ])
})
