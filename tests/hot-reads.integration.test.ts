import { afterAll, beforeAll, expect, it } from 'vitest'
import { addBusiness } from '#tests/support/businesses.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { addComment, addPost, followBusiness } from '#tests/support/social.ts'
import { costOf, statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let reader: TestPerson
const sample = { business: '', post: '', person: '' }

beforeAll(async () => {
  test = await startTestApp({ database: await createTestDatabase({ databasePoolSize: 1 }) })
  reader = await test.signUp()
  const { user: author } = await test.signUp()
  const business = await addBusiness(test.db, { claimed_at: new Date() })
  await followBusiness(test.db, reader.user.id, business.id)
  for (let count = 0; count < 3; count++) {
    sample.post = await addPost(test.db, { author_id: author.id, business_id: business.id })
    await addComment(test.db, { post_id: sample.post, author_id: author.id })
  }
  const favored = await test.request('POST', '/api/favorites', reader, { businessId: business.id })
  expect(favored.statusCode).toBe(200)
  Object.assign(sample, { business: business.slug, person: author.id })
})
afterAll(() => test?.close())

/** The number of statements for each call's usual response, including the one that reads the session. */
it.each([
  ['/api/auth/user', 1],
  ['/api/feed', 2],
  ['/api/posts/{post}', 2],
  ['/api/posts/{post}/comments', 2],
  ['/api/people/{person}', 2],
  ['/api/businesses/{business}/status', 2],
  ['/api/businesses/{business}/posts', 2],
  ['/api/favorites', 2],
  ['/api/notifications', 2],
  ['/api/notifications/unread-count', 2],
])('serves %s with at most %i statements, none of which is planned again', async (path, max) => {
  const url = path.replace(/\{(\w+)\}/, (_, name: keyof typeof sample) => sample[name])
  const { statements, planned } = await costOf(test.db, () => test.request('GET', url, reader))
  expect(planned).toEqual([])
  expect(statements.length).toBeLessThanOrEqual(max)
})

it('likes a post with one statement, in a transaction with the job that notifies its author, and unlikes it with one', async () => {
  const url = `/api/posts/${sample.post}/like`
  const like = () => test.request('PUT', url, reader)
  const unlike = () => test.request('DELETE', url, reader)
  for (const change of [like, unlike]) expect((await change()).statusCode).toBe(200)
  expect(await statementsOf(like)).toEqual(['begin', expect.stringContaining('insert into post_likes'), 'commit'])
  expect(await statementsOf(unlike)).toEqual([expect.stringContaining('delete from post_likes')])
})

it('follows and unfollows a person with three statements in a transaction', async () => {
  const change = (method: 'PUT' | 'DELETE') => () => test.request(method, `/api/people/${sample.person}/follow`, reader)
  for (const method of ['PUT', 'DELETE'] as const) {
    expect(await statementsOf(change(method))).toEqual([
      'begin',
      expect.stringContaining('for no key update'),
      expect.stringContaining('person_blocks'),
      expect.stringContaining('followers_count'),
      'commit',
    ])
  }
})
