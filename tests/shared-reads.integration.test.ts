import { afterAll, beforeAll, expect, it } from 'vitest'
import { addBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addComment, addPost, blockPerson, followBusiness, followPerson, joinBusiness, subscribeTo } from '#tests/support/social.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let readers: TestPerson[]
let paths: string[]

const person = async (details?: Parameters<TestApp['signUp']>[0]) => {
  const one = await test.signUp(details)
  readers.push(one)
  return one
}

beforeAll(async () => {
  test = await startTestApp()
  readers = []
  const { db } = test
  const business = await addBusiness(db, { claimed_at: new Date() })
  const empty = await addBusiness(db, { claimed_at: new Date() })
  const [author, follower, subscriber, youth, planHolder, blocked] = [
    await person(),
    await person(),
    await person(),
    await person({ birthday: `${new Date().getUTCFullYear() - 20}-01-01` }),
    await person(),
    await person(),
  ]
  await person()
  await joinBusiness(db, author.user.id, business.id)
  for (const { user } of [follower, youth, planHolder, blocked]) await followBusiness(db, user.id, business.id)
  await subscribeTo(db, subscriber.user.id, business.id)
  await followBusiness(db, subscriber.user.id, business.id)
  await followPerson(db, follower.user.id, author.user.id)
  await grantPlan(db, { userId: planHolder.user.id, planId: 'vip' })
  await blockPerson(db, author.user.id, blocked.user.id)
  const by = { author_id: author.user.id, business_id: business.id }
  const posts = [
    await addPost(db, by),
    await addPost(db, { ...by, is_exclusive: true, content: 'Only for subscribers' }),
    await addPost(db, { ...by, post_type: 'promotion' }),
    await addPost(db, { ...by, moderation: 'held' }),
    await addPost(db, { author_id: author.user.id }),
  ]
  for (const post_id of posts) {
    for (const { user } of [author, follower, subscriber]) await addComment(db, { post_id, author_id: user.id })
  }
  const [open, exclusive] = posts
  for (const [path, as] of [
    [`/api/posts/${open}/like`, subscriber],
    [`/api/posts/${exclusive}/save`, subscriber],
    [`/api/posts/${open}/save`, follower],
  ] as const) {
    expect((await test.request('PUT', path, as)).statusCode).toBe(200)
  }
  paths = [
    '/api/feed',
    '/api/feed?limit=2',
    '/api/feed?type=dispensary',
    ...posts.flatMap((id) => [`/api/posts/${id}`, `/api/posts/${id}/comments`, `/api/posts/${id}/comments?limit=1`]),
    ...readers.map(({ user }) => `/api/people/${user.id}`),
    ...[business.id, business.slug, empty.slug, 'no-such-business'].flatMap((id) => [
      `/api/businesses/${id}/status`,
      `/api/businesses/${id}/posts`,
      `/api/businesses/${id}/posts?limit=2`,
    ]),
  ]
})
afterAll(() => test?.close())

const read = async (path: string, as: TestPerson) => {
  const { statusCode, body } = await test.request('GET', path, as)
  return { path, as: readers.indexOf(as), statusCode, body }
}

it('returns the same responses to simultaneous readers as to consecutive ones', async () => {
  const separate = []
  for (const path of paths) for (const as of readers) separate.push(await read(path, as))
  const together = (await Promise.all(paths.map((path) => Promise.all(readers.map((as) => read(path, as)))))).flat()
  expect(together).toEqual(separate)
  // Responses differ between readers, so a mix-up would show.
  for (const path of paths.slice(0, 6)) {
    expect(new Set(separate.filter((answer) => answer.path === path).map(({ body }) => body)).size, path).toBeGreaterThan(1)
  }
})

it('shows the same post in a feed as on the post’s page', async () => {
  let compared = 0
  for (const as of readers) {
    const feed = await test.request('GET', '/api/feed', as)
    for (const { reason, ...post } of feed.json()) {
      expect(reason.text).not.toBe('')
      expect(post).toEqual((await test.request('GET', `/api/posts/${post.id}`, as)).json())
      compared++
    }
  }
  expect(compared).toBeGreaterThan(0)
})

it('reads a post for many readers with one statement for each kind of reader', async () => {
  const [path] = paths.filter((each) => each.startsWith('/api/posts/')) as [string]
  const statements = await statementsOf(() => Promise.all([...readers, ...readers].map((as) => read(path, as))))
  expect(statements).toHaveLength(2)
})
