import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Notification } from '../../../contracts/notifications.ts'
import { startTestApp, type TestApp, type TestPerson } from '../../../tests/support/test-app.ts'

/** From the calls that people make to what others are told of it: every event is published, and somebody listens. */

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

it('everything that is done to somebody is told', async () => {
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
