import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Post } from '#contracts/posts.ts'
import { newId } from '#server/kernel/ids.ts'
import { actorOf } from '#tests/support/actors.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { recordEvents } from '#tests/support/events.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { addPost } from '#tests/support/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { changeLike } from './like-post.ts'

let test: TestApp
let author: TestPerson
let fan: TestPerson
let published: string[]

beforeAll(async () => {
  test = await startTestApp()
  published = recordEvents(test)
  author = await test.signUp()
  fan = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(() => {
  published.length = 0
})

const like = (as: TestPerson | null, id: string, method: 'PUT' | 'POST' | 'DELETE' = 'PUT') =>
  test.request(method, `/api/posts/${id}/like`, as)
const counts = async (id: string) => {
  const { likes_count, rows } = await test.db
    .selectFrom('posts')
    .select((eb) => [
      'likes_count',
      eb
        .selectFrom('post_likes')
        .whereRef('post_id', '=', 'posts.id')
        .select((count) => count.fn.countAll<number>().as('rows'))
        .as('rows'),
    ])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { likes_count, rows }
}

/** Creates people without sessions, because the test calls the write functions directly. */
async function manyPeople(number: number) {
  const people = Array.from({ length: number }, () => ({ id: newId() }))
  await test.db
    .insertInto('users')
    .values(people.map(({ id }) => ({ id, email: `${id}@example.com`, birthday: '1990-01-01' })))
    .execute()
  return people.map(({ id }) => actorOf(id))
}

it('likes and unlikes idempotently', async () => {
  const { id } = await addPost(test.db, { author_id: author.user.id })
  const liked = { id, isLiked: true, likesCount: 1 }
  expect((await like(fan, id)).json()).toEqual(liked)
  expect((await like(fan, id)).json()).toEqual(liked)
  expect(published).toEqual(['post.liked'])
  expect((await test.request('GET', `/api/posts/${id}`, fan)).json()).toMatchObject({ isLiked: true, likesCount: 1 })
  expect((await test.request('GET', `/api/posts/${id}`, author)).json()).toMatchObject({ isLiked: false, likesCount: 1 })
  const gone = { id, isLiked: false, likesCount: 0 }
  expect((await like(fan, id, 'DELETE')).json()).toEqual(gone)
  expect((await like(fan, id, 'DELETE')).json()).toEqual(gone)
})

it('toggles with POST and keeps every count right', async () => {
  const { id } = await addPost(test.db, { author_id: author.user.id })
  expect((await like(fan, id, 'POST')).json()).toEqual({ id, isLiked: true, likesCount: 1 })
  expect((await like(fan, id, 'POST')).json()).toEqual({ id, isLiked: false, likesCount: 0 })
  expect((await like(fan, id, 'POST')).json()).toEqual({ id, isLiked: true, likesCount: 1 })
  expect(await counts(id)).toEqual({ likes_count: 1, rows: 1 })
})

it('counts a person’s hundred concurrent likes once', async () => {
  const { id } = await addPost(test.db, { author_id: author.user.id })
  const answers = await Promise.all(Array.from({ length: 100 }, () => like(fan, id)))
  expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.json().likesCount}`))).toEqual(new Set(['200 1']))
  expect(await counts(id)).toEqual({ likes_count: 1, rows: 1 })
  expect(published).toEqual(['post.liked'])
  await Promise.all(Array.from({ length: 100 }, () => like(fan, id, 'DELETE')))
  expect(await counts(id)).toEqual({ likes_count: 0, rows: 0 })
  await Promise.all(Array.from({ length: 99 }, () => like(fan, id, 'POST')))
  expect(await counts(id)).toEqual({ likes_count: 1, rows: 1 })
})

it('removes a like that was still being saved when the unlike arrived', async () => {
  const { id } = await addPost(test.db, { author_id: author.user.id })
  const unliked = await test.db.transaction().execute(async (tx) => {
    await sql`update posts set likes_count = 1 where id = ${id}`.execute(tx)
    await tx.insertInto('post_likes').values({ post_id: id, user_id: fan.user.id, created_at: new Date() }).execute()
    const answer = like(fan, id, 'DELETE')
    await untilWaiting(test.db)
    return { answer }
  })
  expect((await unliked.answer).json()).toEqual({ id, isLiked: false, likesCount: 0 })
  expect(await counts(id)).toEqual({ likes_count: 0, rows: 0 })
})

it('counts a hundred people’s concurrent likes', async () => {
  const { id } = await addPost(test.db, { author_id: author.user.id })
  const people = await manyPeople(100)
  const answers = await Promise.all(people.map((actor) => changeLike(test.ctx, actor, id, true)))
  expect(new Set(answers.map((answer) => answer.likesCount)).size).toBe(100)
  expect(await counts(id)).toEqual({ likes_count: 100, rows: 100 })
  await Promise.all(people.map((actor, i) => changeLike(test.ctx, actor, id, i % 2 === 0)))
  expect(await counts(id)).toEqual({ likes_count: 50, rows: 50 })
})

it('does not notify people of their own likes', async () => {
  const { id } = await addPost(test.db, { author_id: author.user.id })
  await like(author, id)
  const business = await addBusiness(test.db)
  await test.db.insertInto('business_members').values({ business_id: business.id, user_id: fan.user.id, role: 'staff' }).execute()
  const ours = await addPost(test.db, { author_id: author.user.id, business_id: business.id })
  await like(fan, ours.id)
  expect(published).toEqual([])
  await like(author, ours.id)
  expect(published).toEqual(['post.liked'])
})

it('refuses people who may not see the post, and visitors', async () => {
  const { id } = await addPost(test.db, { author_id: author.user.id })
  expect((await like(null, id)).statusCode).toBe(401)
  expect((await like(fan, newId())).statusCode).toBe(404)
  await test.db.insertInto('person_blocks').values({ blocker_id: author.user.id, blocked_id: fan.user.id }).execute()
  expect((await like(fan, id)).statusCode).toBe(404)
  await test.db.deleteFrom('person_blocks').execute()
  const business = await addBusiness(test.db)
  const locked = await addPost(test.db, { author_id: author.user.id, business_id: business.id, is_exclusive: true })
  expect((await like(fan, locked.id)).statusCode).toBe(403)
  expect(await counts(locked.id)).toEqual({ likes_count: 0, rows: 0 })
})

it('lets people remove their like from a post that they no longer see or can’t open', async () => {
  const business = await addBusiness(test.db)
  const posts = [
    await addPost(test.db, { author_id: author.user.id }),
    await addPost(test.db, { author_id: author.user.id }),
    await addPost(test.db, { author_id: author.user.id, business_id: business.id }),
  ] as const
  const [hidden, toggled, locked] = posts
  for (const { id } of posts) await like(fan, id)
  for (const { id } of [hidden, toggled]) await test.db.updateTable('posts').set({ moderation: 'hidden' }).where('id', '=', id).execute()
  await test.db.updateTable('posts').set({ is_exclusive: true }).where('id', '=', locked.id).execute()
  const answers = [await like(fan, hidden.id, 'DELETE'), await like(fan, toggled.id, 'POST'), await like(fan, locked.id, 'DELETE')]
  expect(answers.map((answer) => answer.json())).toEqual(posts.map(({ id }) => ({ id, isLiked: false, likesCount: 0 })))
  for (const { id } of posts) expect(await counts(id)).toEqual({ likes_count: 0, rows: 0 })
  // Without a like, it looks missing, as in any other call.
  expect([(await like(fan, hidden.id, 'DELETE')).statusCode, (await like(fan, toggled.id, 'POST')).statusCode]).toEqual([404, 404])
  expect((await like(fan, locked.id, 'DELETE')).statusCode).toBe(403)
})

it('completes concurrent likes, comments, and deletes without a deadlock or a wrong count', async () => {
  const people = await manyPeople(10)
  const authorCount = async () =>
    (await test.db.selectFrom('users').select('posts_count').where('id', '=', author.user.id).executeTakeFirstOrThrow()).posts_count
  const before = await authorCount()
  const posts = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const answer = await test.request('POST', '/api/posts', author, { title: 'Hot', content: 'Hot' })
      return (answer.json() as Post).id
    }),
  )
  const statuses = await Promise.all(
    posts.flatMap((id) => [
      ...people.map((actor) =>
        changeLike(test.ctx, actor, id, true).then(
          () => 200,
          (error: { status?: number }) => error.status,
        ),
      ),
      ...Array.from({ length: 8 }, (_, i) =>
        test
          .request('POST', `/api/posts/${id}/comments`, i % 2 ? fan : author, { content: `Word ${i}` })
          .then((answer) => answer.statusCode),
      ),
      ...(posts.indexOf(id) % 2
        ? [1, 2].map(() => test.request('DELETE', `/api/posts/${id}`, author).then((answer) => answer.statusCode))
        : []),
    ]),
  )
  expect(statuses.filter((status) => ![200, 201, 204, 404].includes(status ?? 0))).toEqual([])
  for (const [i, id] of posts.entries()) {
    if (i % 2) expect((await test.request('GET', `/api/posts/${id}`, author)).statusCode).toBe(404)
    else {
      expect(await counts(id)).toEqual({ likes_count: 10, rows: 10 })
      expect((await test.request('GET', `/api/posts/${id}`, author)).json().commentsCount).toBe(8)
    }
  }
  expect(await authorCount()).toBe(before + 2)
})
