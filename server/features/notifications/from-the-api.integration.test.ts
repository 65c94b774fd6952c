import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Notification } from '#contracts/notifications.ts'
import type { EventData, EventName } from '#server/kernel/events.ts'
import { addPost, followPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

/** Tests the path from API calls to notifications: each event is published and has a listener. */

let test: TestApp
let ann: TestPerson
let ben: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Ash', accountType: 'business' })
  ben = await test.signUp({ firstName: 'Ben', lastName: 'Birch' })
})
afterAll(() => test?.close())

async function does(method: 'POST' | 'PUT', url: string, as: TestPerson, payload?: object) {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, `${method} ${url} ${answer.body}`).toBeLessThan(300)
  await test.runJobs()
  return answer.json()
}
const newest = async (as: TestPerson) => ((await test.request('GET', '/api/notifications', as)).json() as Notification[])[0]

it('notifies people of posts, likes, comments, replies, follows, subscriptions, reviews, and helpful votes', async () => {
  const business = await does('POST', '/api/businesses', ann, { businessType: 'farm', businessName: 'Hill Farm', location: 'Denver, CO' })
  await does('PUT', `/api/businesses/${business.id}/follow`, ben)
  const post = await does('POST', '/api/posts', ann, { title: 'Ripe', content: 'Come by', businessId: business.id, tags: ['Harvest'] })
  expect(await newest(ben)).toMatchObject({
    type: 'harvest_ready',
    title: 'Hill Farm has a harvest ready: “Ripe”',
    actionUrl: `/post/${post.id}`,
  })

  await does('PUT', `/api/posts/${post.id}/like`, ben)
  expect(await newest(ann)).toMatchObject({ type: 'like', title: 'Ben Birch liked “Ripe”' })
  const comment = await does('POST', `/api/posts/${post.id}/comments`, ben, { content: 'On my way' })
  expect(await newest(ann)).toMatchObject({ type: 'comment', content: 'On my way' })
  await does('POST', `/api/posts/${post.id}/comments`, ann, { content: 'See you', parentId: comment.id, businessId: business.id })
  expect(await newest(ben)).toMatchObject({ type: 'reply', title: 'Hill Farm replied to your comment on “Ripe”' })

  await does('PUT', `/api/people/${ann.user.id}/follow`, ben)
  expect(await newest(ann)).toMatchObject({ type: 'follow', title: 'Ben Birch followed you' })
  await does('POST', '/api/posts', ann, { title: 'Privately', content: 'Hello', businessId: null })
  expect(await newest(ben)).toMatchObject({ type: 'person_post', title: 'Ann Ash posted “Privately”' })
  await does('POST', '/api/subscriptions', ben, { businessId: business.id })
  expect(await newest(ann)).toMatchObject({ type: 'subscriber', title: 'Ben Birch subscribed to Hill Farm' })

  const { own } = await does('PUT', `/api/businesses/${business.id}/rating`, ben, { rating: 5, review: 'Lovely' })
  expect(await newest(ann)).toMatchObject({ type: 'review', content: 'Lovely' })
  await does('PUT', `/api/ratings/${own.id}/reply`, ann, { content: 'Thank you' })
  expect(await newest(ben)).toMatchObject({ type: 'review_reply', content: 'Thank you' })
  await does('PUT', `/api/ratings/${own.id}/helpful`, await test.signUp({ firstName: 'Cleo', lastName: 'Cedar' }))
  expect(await newest(ben)).toMatchObject({ type: 'helpful', title: 'Cleo Cedar found your review of Hill Farm helpful' })
})

it('notifies a team once a day of a low review that its author deletes and writes again', async () => {
  const shop = { businessType: 'farm', businessName: 'Low Farm', location: 'Denver, CO' }
  const { id } = await does('POST', '/api/businesses', ann, shop)
  const rate = async () => {
    await test.request('DELETE', `/api/businesses/${id}/rating`, ben)
    await does('PUT', `/api/businesses/${id}/rating`, ben, { rating: 1 })
    const isShown = (await newest(ann))?.type === 'low_review'
    await test.db.updateTable('notifications').set({ is_read: true }).where('user_id', '=', ann.user.id).execute()
    const { length } = await test.db.selectFrom('notifications').select('id').where('type', '=', 'low_review').execute()
    return { isShown, length }
  }
  test.clock.set('2026-12-07T10:00:00Z')
  expect([await rate(), await rate(), await rate()]).toEqual(Array(3).fill({ isShown: true, length: 1 }))
  test.clock.advance({ days: 1 })
  expect(await rate()).toEqual({ isShown: true, length: 2 })
})

it('lists notifications in the order in which things happened, whichever job runs first', async () => {
  const [fan, liker] = [await test.signUp(), await test.signUp()]
  await followPerson(test.db, fan.user.id, ann.user.id)
  const start = test.clock.now().getTime()
  const at = (minutes: number) => new Date(start - minutes * 60_000)
  const publish = async <Name extends EventName>(name: Name, data: EventData[Name]) => {
    await test.db.transaction().execute((tx) => test.ctx.events.publish(tx, name, data))
    await test.runJobs()
  }
  const list = async (as: TestPerson) => (await test.request('GET', '/api/notifications', as)).json() as Notification[]

  const older = await addPost(test.db, { author_id: ann.user.id, title: 'Older', created_at: at(9) })
  const newer = await addPost(test.db, { author_id: ann.user.id, title: 'Newer', created_at: at(8) })
  for (const postId of [newer, older]) await publish('post.published', { postId })
  expect((await list(fan)).map(({ title, createdAt }) => [title, createdAt])).toEqual([
    ['Ann Ash posted “Newer”', at(8).toISOString()],
    ['Ann Ash posted “Older”', at(9).toISOString()],
  ])

  for (const [postId, minutes] of [
    [older, 5],
    [newer, 6],
  ] as const) {
    const like = { post_id: postId, user_id: liker.user.id, created_at: at(minutes) }
    await test.db.insertInto('post_likes').values(like).execute()
    await publish('post.liked', { postId, userId: liker.user.id })
  }
  const likes = (await list(ann)).filter(({ type, title }) => type === 'like' && /Older|Newer/.test(title))
  expect(likes.map(({ createdAt }) => createdAt)).toEqual([at(5).toISOString(), at(6).toISOString()])
})
