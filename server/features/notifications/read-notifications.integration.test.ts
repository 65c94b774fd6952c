import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { NotificationType } from '#contracts/notification-types.ts'
import type { Notification } from '#contracts/notifications.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import * as social from '#tests/support/social.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { eraseNotifications } from './notifications.own-data.ts'

let test: TestApp
let ann: TestPerson
let ben: TestPerson
let blocked: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  ann = await test.signUp()
  ben = await test.signUp()
  blocked = await test.signUp()
  await social.blockPerson(test.db, ann.user.id, blocked.user.id)
})
afterAll(() => test?.close())
beforeEach(() => test.db.deleteFrom('notifications').execute())

/** Adds follows by a person to Ann's notifications, a second apart, the latest just over `minutesAgo` minutes ago. */
const addFollows = (by: TestPerson, count: number, minutesAgo: number) =>
  sql`
  insert into notifications (id, user_id, type, group_key, actor_id, actors_count, created_at)
  select gen_random_uuid(), ${ann.user.id}::uuid, 'follow', gen_random_uuid(), ${by.user.id}::uuid, 1,
    ${new Date(test.clock.now().getTime() - minutesAgo * 60_000)}::timestamptz - n * interval '1 second'
  from generate_series(1, ${count}::int) as n`.execute(test.db)

const unread = async () => (await test.request('GET', '/api/notifications/unread-count', ann)).json()

async function pages(): Promise<number[]> {
  const lengths: number[] = []
  for (let url: string | null = '/api/notifications?limit=20'; url !== null; ) {
    const answer = await test.request('GET', url, ann)
    const items = answer.json() as Notification[]
    expect(items.every(({ person }) => person?.id === ben.user.id)).toBe(true)
    lengths.push(items.length)
    url = nextPage(answer.headers.link as string | undefined)
  }
  return lengths
}

it('fills pages and the count despite hidden notifications', async () => {
  await addFollows(blocked, 300, 0)
  await addFollows(ben, 50, 60)
  await addFollows(blocked, 300, 120)
  expect(await pages()).toEqual([20, 20, 10])
  expect(await unread()).toEqual({ count: 50 })
})

it('ends a page early, without losing the rest, after thousands of hidden notifications', async () => {
  await addFollows(blocked, 3000, 0)
  await addFollows(ben, 3, 300)
  expect(await pages()).toEqual([0, 3])
})

async function addVerification(businessId: string): Promise<string> {
  const id = newId()
  await test.db
    .insertInto('license_verifications')
    .values({
      ...{ id, business_id: businessId, license_number: '402R-1', license_number_key: '402R1', state: 'CO', license_name: 'Green Hills' },
      ...{ business_type: 'farm', match: 'full', status: 'rejected', created_at: test.clock.now(), updated_at: test.clock.now() },
    })
    .execute()
  return id
}

it('reads public subjects with one statement, and all others with a second', async () => {
  const { id: businessId } = await addBusiness(test.db, { type: 'farm', name: 'Green Hills' })
  await social.joinBusiness(test.db, ann.user.id, businessId)
  const postId = await social.addPost(test.db, { author_id: ann.user.id })
  const commentId = await social.addComment(test.db, { post_id: postId, author_id: ben.user.id })
  const reviewId = await social.addReview(test.db, { business_id: businessId, user_id: ben.user.id })
  const add = (type: NotificationType, details: object = {}) =>
    test.db
      .insertInto('notifications')
      .values({ id: newId(), user_id: ann.user.id, type, group_key: newId(), actor_id: ben.user.id, actors_count: 1, ...details })
      .execute()
  const statementsFor = async (path: string) => (await statementsOf(() => test.request('GET', path, ann))).length
  const counts = async () => [await statementsFor('/api/notifications'), await statementsFor('/api/notifications/unread-count')]
  await add('like', { post_id: postId })
  await add('comment', { post_id: postId, comment_id: commentId })
  await add('review', { business_id: businessId, review_id: reviewId })
  await add('follow')
  expect(await counts()).toEqual([1, 1])
  await add('subscriber', { business_id: businessId })
  await add('license_rejected', { business_id: businessId, verification_id: await addVerification(businessId), actors_count: 0 })
  expect(await counts()).toEqual([2, 2])
  expect(await unread()).toEqual({ count: 6 })
})

it('keeps notifications that also name others when an account with hundreds of actions is deleted', async () => {
  const [leaving = '', staying = ''] = await social.addPeople(test.db, 2)
  const named = 501
  await sql`
    with made as (
      insert into notifications (id, user_id, type, group_key, actor_id, actors_count)
      select gen_random_uuid(), ${ann.user.id}::uuid, 'follow', n::text, ${leaving}::uuid, 2 from generate_series(1, ${named}::int) as n
      returning id)
    insert into notification_actors (notification_id, user_id)
    select id, actor from made cross join unnest(array[${leaving}, ${staying}]::uuid[]) as actor`.execute(test.db)
  while (await eraseNotifications.eraseSome(test.ctx, { id: leaving, email: '' }));
  const left = await test.db.selectFrom('notifications').select(['actor_id', 'actors_count']).execute()
  expect(left).toEqual(Array(named).fill({ actor_id: staying, actors_count: 1 }))
})

it('shares a statement among simultaneous requests, each with its own response', async () => {
  await addFollows(ben, 3, 0)
  const both = async () => {
    const [own, other] = await Promise.all([ann, ben].map((as) => test.request('GET', '/api/notifications/unread-count', as)))
    expect([own?.json(), other?.json()]).toEqual([{ count: 3 }, { count: 0 }])
  }
  expect(await statementsOf(both)).toHaveLength(1)
})
