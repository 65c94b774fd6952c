import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from '#tests/support/business-events.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { wrongFollowCounts } from '#tests/support/follow-counts.ts'
import { addHunt } from '#tests/support/hunts.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { addPeople } from '#tests/support/people.ts'
import { joinBusiness, subscribeTo } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { countRealContent, removeDemo } from './remove-demo.ts'

let test: TestApp
let real: TestPerson
let demo: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  real = await test.signUp()
  demo = await test.signUp()
})
afterAll(() => test?.close())

const tables = [
  'users',
  'businesses',
  'person_follows',
  'business_follows',
  'subscriptions',
  'person_blocks',
  'reviews',
  'review_votes',
  'posts',
  'post_likes',
  'comments',
  'events',
  'event_rsvps',
] as const

const contents = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(async (table) => [table, (await sql`select * from ${sql.table(table)} order by 1, 2`.execute(test.db)).rows]),
    ),
  )

/** Rows whose counts don't match what is stored, except the counts that `wrongFollowCounts` checks. */
const wrongCounts = async () =>
  (
    await sql`
      select id from businesses b where (total_ratings, rating_sum) is distinct from
        (select row(count(*)::integer, coalesce(sum(rating), 0)::integer) from reviews where business_id = b.id)
      union all select id from reviews r where helpful_count <> (select count(*) from review_votes where review_id = r.id)
      union all select id from users u where posts_count <>
        (select count(*) from posts where author_id = u.id and business_id is null)
      union all select id from comments c where replies_count <> (select count(*) from comments r where r.parent_id = c.id and not r.is_deleted)
      union all select id from events e where going_count <> (select count(*) from event_rsvps where event_id = e.id)
      union all select id from posts p where likes_count <> (select count(*) from post_likes where post_id = p.id)
        or comments_count <> (select count(*) from comments where post_id = p.id and not is_deleted)`.execute(test.db)
  ).rows

async function addPost(author: string, businessId: string | null): Promise<string> {
  const id = newId()
  await test.db.insertInto('posts').values({ id, author_id: author, business_id: businessId, title: 'A title', content: 'Words' }).execute()
  // Posts for a business don't count: see create-post.ts.
  await sql`update users set posts_count = posts_count + 1 where id = ${author} and ${businessId === null}`.execute(test.db)
  return id
}

async function addComment(postId: string, author: string, parentId: string | null = null, isDeleted = false): Promise<string> {
  const id = newId()
  const content = isDeleted ? '' : 'Said'
  await test.db
    .insertInto('comments')
    .values({ id, post_id: postId, author_id: author, parent_id: parentId, content, is_deleted: isDeleted })
    .execute()
  await sql`update comments set replies_count = replies_count + 1 where id = ${parentId}`.execute(test.db)
  await sql`update posts set comments_count = comments_count + 1 where id = ${postId} and ${!isDeleted}`.execute(test.db)
  return id
}

async function like(postId: string, userId: string): Promise<void> {
  await test.db.insertInto('post_likes').values({ post_id: postId, user_id: userId }).execute()
  await sql`update posts set likes_count = likes_count + 1 where id = ${postId}`.execute(test.db)
}

const call = async (method: 'PUT' | 'POST', url: string, as: TestPerson, payload?: object) => {
  const answer = await test.request(method, url, as, payload)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

it('leaves all remaining counts as if the demo had never existed', async () => {
  const shop = await addBusiness(test.db)
  const [other] = (await addPeople(test.db, 1)) as [string]
  const post = await addPost(real.user.id, null)
  const said = await addComment(post, other)
  await like(post, other)
  await call('PUT', `/api/people/${other}/follow`, real)
  await call('POST', '/api/subscriptions', real, { businessId: shop.id })
  const { own } = await call('PUT', `/api/businesses/${shop.id}/rating`, real, { rating: 4 })
  await addPost(real.user.id, shop.id)
  const event = await addEvent(test.db, shop.id)
  await call('PUT', `/api/events/${event}/rsvp`, real)
  const before = await contents()
  const realUsers = (before.users as { id: string }[]).filter(({ id }) => id !== demo.user.id)

  const demoShop = await addBusiness(test.db, { is_demo: true })
  // An older release let demo accounts act on real content.
  await call('PUT', `/api/people/${real.user.id}/follow`, demo)
  await call('POST', '/api/subscriptions', demo, { businessId: shop.id })
  await call('PUT', `/api/businesses/${shop.id}/rating`, demo, { rating: 1 })
  await call('PUT', `/api/ratings/${own.id}/helpful`, demo)
  await call('PUT', `/api/events/${event}/rsvp`, demo)
  await test.db.updateTable('users').set({ is_demo: true }).where('id', '=', demo.user.id).execute()
  await like(post, demo.user.id)
  await addComment(post, demo.user.id, said)
  // Deleting a demo comment also deletes its replies, including real people's.
  const thread = await addComment(post, demo.user.id)
  await addComment(post, real.user.id, thread)
  // This deleted comment remains only because of a demo reply.
  await addComment(post, demo.user.id, await addComment(post, real.user.id, null, true))
  // Real people act on demo content.
  await call('PUT', `/api/people/${demo.user.id}/follow`, real)
  await call('POST', '/api/subscriptions', real, { businessId: demoShop.id })
  await call('PUT', `/api/businesses/${demoShop.id}/rating`, real, { rating: 5 })
  await addPost(real.user.id, demoShop.id)
  await call('PUT', `/api/events/${await addEvent(test.db, demoShop.id)}/rsvp`, real)
  await addComment(await addPost(demo.user.id, null), real.user.id)
  expect(await wrongCounts()).toEqual([])

  expect(await countRealContent(test.ctx)).toEqual({ posts: 1, comments: 2, reviews: 1 })
  expect(await removeDemo(test.ctx)).toEqual({ businesses: 1, people: 1 })
  expect(await countRealContent(test.ctx)).toEqual({})
  expect(await wrongCounts()).toEqual([])
  expect(await wrongFollowCounts(test.db)).toEqual([])
  const after = await contents()
  expect(after).toEqual({ ...before, users: realUsers })
})

it('counts everything that real people would lose with the demo', async () => {
  const { db } = test
  const [owner] = (await addPeople(db, 1, { is_demo: true })) as [string]
  const shop = await addBusiness(db, { is_demo: true })
  await joinBusiness(db, owner, shop.id)
  const { id: hunt_id } = await addHunt(db, owner, { visibility: 'public', comments_count: 1 })
  const { id: community_id } = await addCommunity(db, { owner, members: [real.user.id] }, { post_count: 1 })
  expect(await countRealContent(test.ctx)).toEqual({})

  const post = await addPost(real.user.id, null)
  await db.updateTable('posts').set({ community_id, post_type: 'discussion' }).where('id', '=', post).execute()
  await addComment(post, real.user.id)
  await db.insertInto('hunt_comments').values({ id: newId(), hunt_id, author_id: real.user.id, content: 'Nice' }).execute()
  await db
    .insertInto('grow_logs')
    .values({ id: newId(), hunt_id, author_id: real.user.id, logged_on: '2026-11-02', notes: 'Tall' })
    .execute()
  const chat = messagesOf(test)
  await subscribeTo(db, real.user.id, shop.id)
  await chat.send(real, (await chat.open(real, { kind: 'business', id: shop.id })).id, 'Do you have clones?')
  await addEvent(db, shop.id, { created_by: real.user.id })
  const reply = { reply: 'Thank you', replied_by: real.user.id, replied_at: test.clock.now() }
  const review = { id: newId(), business_id: (await addBusiness(db)).id, user_id: owner, rating: 5, ...reply }
  await db.insertInto('reviews').values(review).execute()
  await grantPlan(db, { businessId: shop.id, userId: real.user.id, planId: 'business_tools' })
  expect(await countRealContent(test.ctx)).toEqual({
    posts: 1,
    comments: 2,
    'replies to reviews': 1,
    messages: 1,
    events: 1,
    'grow logs': 1,
    subscriptions: 1,
  })

  const reporter = await test.signUp()
  expect((await test.request('POST', '/api/reports', reporter, { subject: 'post', subjectId: post, reason: 'spam' })).statusCode).toBe(204)
  await removeDemo(test.ctx)
  expect(await countRealContent(test.ctx)).toEqual({})
  expect(await db.selectFrom('moderation_cases').select('id').execute()).toEqual([])
  expect((await test.request('GET', '/api/reports', reporter)).json()).toEqual([])
})
