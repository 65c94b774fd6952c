import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { Comment } from '#contracts/comments.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { recordEvents } from '#tests/support/events.ts'
import { addPost } from '#tests/support/posts.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { audienceOfComment } from './index.ts'

let test: TestApp
let author: TestPerson
let person: TestPerson
let other: TestPerson
let moderator: TestPerson
let business: TestBusiness
let published: string[]

beforeAll(async () => {
  test = await startTestApp()
  published = recordEvents(test)
  author = await test.signUp()
  person = await test.signUp()
  other = await test.signUp()
  moderator = await test.signUp()
  await giveRole(test, moderator, 'moderator')
  business = await addBusiness(test.db, { name: 'Commenter' })
  await test.db.insertInto('business_members').values({ business_id: business.id, user_id: author.user.id, role: 'owner' }).execute()
})
afterAll(() => test?.close())
beforeEach(() => {
  published.length = 0
})

const write = (as: TestPerson | null, postId: string, content: string, more: object = {}) =>
  test.request('POST', `/api/posts/${postId}/comments`, as, { content, ...more })
const written = async (as: TestPerson, postId: string, content: string, more: object = {}) => {
  const answer = await write(as, postId, content, more)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as Comment
}
const edit = (as: TestPerson, id: string, content: string) => test.request('PATCH', `/api/comments/${id}`, as, { content })
const remove = async (as: TestPerson, id: string) => (await test.request('DELETE', `/api/comments/${id}`, as)).statusCode
const comments = async (as: TestPerson, postId: string) =>
  (await test.request('GET', `/api/posts/${postId}/comments`, as)).json() as Comment[]
const replies = async (as: TestPerson, id: string) => (await test.request('GET', `/api/comments/${id}/replies`, as)).json() as Comment[]
const countOf = async (postId: string) => (await test.request('GET', `/api/posts/${postId}`, author)).json().commentsCount as number

it('accepts comments and replies, and flattens a reply to a reply', async () => {
  const post = await addPost(test.db, { author_id: author.user.id })
  const first = await written(person, post.id, ' First ')
  expect(first).toMatchObject({ content: 'First', author: { id: person.user.id }, business: null, parentId: null, repliesCount: 0 })
  expect(first.abilities).toEqual({ reply: true, edit: true, delete: true, report: false, block: false })
  const reply = await written(author, post.id, 'Reply', { parentId: first.id, businessId: business.id })
  expect(reply).toMatchObject({ parentId: first.id, author: null, business: { id: business.id, name: 'Commenter' } })
  const deeper = await written(other, post.id, 'Deeper', { parentId: reply.id })
  expect(deeper.parentId).toBe(first.id)
  expect((await comments(person, post.id)).map((each) => [each.content, each.repliesCount])).toEqual([['First', 2]])
  expect((await replies(person, first.id)).map((each) => each.content)).toEqual(['Reply', 'Deeper'])
  expect(await countOf(post.id)).toBe(3)
  expect(published).toEqual(['comment.written', 'comment.written', 'comment.written'])
  expect((await write(person, post.id, 'For them', { businessId: business.id })).statusCode).toBe(403)
  expect((await write(person, post.id, 'For no one', { businessId: newId() })).statusCode).toBe(404)
  const elsewhere = await addPost(test.db, { author_id: author.user.id })
  expect((await write(person, elsewhere.id, 'Lost', { parentId: first.id })).statusCode).toBe(404)
  expect((await write(person, post.id, '  ')).statusCode).toBe(400)
  expect((await write(null, post.id, 'Visitor')).statusCode).toBe(401)
})

it('creates one comment per idempotency key, and refuses the key for another post', async () => {
  const [a, b] = [await addPost(test.db, { author_id: author.user.id }), await addPost(test.db, { author_id: author.user.id })]
  const send = (postId: string) =>
    test.app.inject({
      method: 'POST',
      url: `/api/posts/${postId}/comments`,
      headers: { cookie: person.cookie, 'idempotency-key': 'one-comment' },
      payload: { content: 'Once' },
    })
  const answers = await Promise.all([send(a.id), send(a.id)])
  answers.push(await send(a.id))
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
  expect(await countOf(a.id)).toBe(1)
  expect((await send(b.id)).statusCode).toBe(422)
})

it('lets only the author edit a comment', async () => {
  const post = await addPost(test.db, { author_id: author.user.id })
  const mine = await written(person, post.id, 'Mine')
  expect((await edit(person, mine.id, 'Mine, better')).json()).toMatchObject({ content: 'Mine, better', editedAt: expect.any(String) })
  for (const each of [other, author, moderator]) expect((await edit(each, mine.id, 'Not mine')).statusCode).toBe(403)
  const ours = await written(author, post.id, 'Ours', { businessId: business.id })
  await test.db.insertInto('business_members').values({ business_id: business.id, user_id: other.user.id, role: 'staff' }).execute()
  expect((await edit(other, ours.id, 'Ours, better')).statusCode).toBe(200)
  await test.db.deleteFrom('business_members').where('user_id', '=', other.user.id).execute()
  expect((await edit(other, ours.id, 'Theirs')).statusCode).toBe(403)
  expect((await edit(person, newId(), 'Nothing')).statusCode).toBe(404)
})

it('lets only a comment’s author and the post’s author delete it, and leaves a placeholder above replies', async () => {
  const post = await addPost(test.db, { author_id: author.user.id })
  const first = await written(person, post.id, 'First')
  const reply = await written(other, post.id, 'Reply', { parentId: first.id })
  const second = await written(other, post.id, 'Reply 2', { parentId: first.id })
  expect(await remove(other, first.id)).toBe(403)
  expect(await remove(person, first.id)).toBe(204)
  expect(await remove(person, first.id)).toBe(404)
  const [emptied] = await comments(other, post.id)
  expect(emptied).toMatchObject({ id: first.id, isDeleted: true, content: '', author: null, business: null, repliesCount: 2 })
  expect(emptied?.abilities).toEqual({ reply: false, edit: false, delete: false, report: false, block: false })
  expect((await write(person, post.id, 'Too late', { parentId: first.id })).statusCode).toBe(409)
  expect(await countOf(post.id)).toBe(2)
  expect(await remove(author, reply.id)).toBe(204)
  expect((await comments(other, post.id)).map((each) => each.repliesCount)).toEqual([1])
  expect(await remove(moderator, second.id)).toBe(403)
  expect(await remove(other, second.id)).toBe(204)
  expect(await comments(other, post.id)).toEqual([])
  expect(await countOf(post.id)).toBe(0)
  expect(await test.db.selectFrom('comments').select('id').where('post_id', '=', post.id).execute()).toEqual([])
})

it('deletes a comment once under concurrency, without losing or miscounting new replies', async () => {
  const post = await addPost(test.db, { author_id: author.user.id })
  for (let i = 0; i < 8; i++) {
    const thread = await written(person, post.id, 'Thread')
    const [gone, answer] = await Promise.all([
      Promise.all([person, author, author, person, author].map((each) => remove(each, thread.id))),
      write(other, post.id, 'Reply', { parentId: thread.id }),
    ])
    expect(gone.filter((status) => status === 204)).toHaveLength(1)
    expect([201, 404, 409]).toContain(answer.statusCode)
    if (answer.statusCode !== 201) continue
    const { id } = answer.json() as Comment
    expect((await replies(other, thread.id)).map((each) => each.id)).toEqual([id])
    expect(await countOf(post.id)).toBe(1)
    const again = await Promise.all([other, author, author].map((each) => remove(each, id)))
    expect(again.sort()).toEqual([204, 404, 404])
  }
  expect(await countOf(post.id)).toBe(0)
  expect(await comments(other, post.id)).toEqual([])
})

it('paginates, oldest first', async () => {
  const post = await addPost(test.db, { author_id: author.user.id })
  const thread = await written(person, post.id, 'Thread')
  for (let i = 0; i < 5; i++) await written(person, post.id, `Reply ${i}`, { parentId: thread.id })
  // All have the same time, so that only the ID breaks ties.
  await test.db
    .updateTable('comments')
    .set({ created_at: new Date('2026-05-01') })
    .where('parent_id', '=', thread.id)
    .execute()
  const paged: string[] = []
  let url: string | null = `/api/comments/${thread.id}/replies?limit=2`
  while (url !== null) {
    const answer = await test.request('GET', url, person)
    paged.push(...(answer.json() as Comment[]).map((each) => each.content))
    url = nextPage(answer.headers.link as string | undefined)
  }
  expect(paged).toEqual(['Reply 0', 'Reply 1', 'Reply 2', 'Reply 3', 'Reply 4'])
})

it('hides comments across a block in both directions, without changing the counts', async () => {
  const post = await addPost(test.db, { author_id: author.user.id, business_id: business.id })
  const blocked = await written(person, post.id, 'Blocked')
  await written(author, post.id, 'Of the business', { businessId: business.id })
  const open = await written(author, post.id, 'Open')
  const inside = await written(person, post.id, 'Inside', { parentId: open.id })
  const now = test.clock.now()
  const all = [author, person, other, moderator].map((each) => each.user.id)
  expect(await audienceOfComment(test.db, blocked.id, all, now)).toEqual(new Set(all))
  for (const [one, two] of [
    [other, person],
    [person, other],
  ] as const) {
    await test.db.insertInto('person_blocks').values({ blocker_id: one.user.id, blocked_id: two.user.id }).execute()
    expect((await comments(other, post.id)).map((each) => each.content)).toEqual(['Of the business', 'Open'])
    expect(await replies(other, open.id)).toEqual([])
    expect((await test.request('GET', `/api/comments/${blocked.id}/replies`, other)).statusCode).toBe(404)
    expect((await write(other, post.id, 'To the blocked', { parentId: inside.id })).statusCode).toBe(404)
    expect((await test.request('GET', `/api/posts/${post.id}`, other)).json().commentsCount).toBe(4)
    expect(await audienceOfComment(test.db, blocked.id, all, now)).not.toContain(other.user.id)
    await test.db.deleteFrom('person_blocks').execute()
  }
  expect(await comments(other, post.id)).toHaveLength(3)
  const elsewhere = await addPost(test.db, { author_id: person.user.id })
  await written(author, elsewhere.id, 'Of the business', { businessId: business.id })
  await test.db.insertInto('business_blocks').values({ business_id: business.id, user_id: other.user.id }).execute()
  expect(await comments(other, elsewhere.id)).toEqual([])
  expect((await test.request('GET', `/api/posts/${post.id}/comments`, other)).statusCode).toBe(404)
})

it('hides comments under a locked post but lets their authors delete them', async () => {
  const post = await addPost(test.db, { author_id: author.user.id, business_id: business.id })
  const mine = await written(person, post.id, 'Canary')
  await test.db.updateTable('posts').set({ is_exclusive: true }).where('id', '=', post.id).execute()
  expect((await test.request('GET', `/api/posts/${post.id}/comments`, person)).statusCode).toBe(404)
  expect((await test.request('GET', `/api/comments/${mine.id}/replies`, person)).statusCode).toBe(404)
  expect((await write(person, post.id, 'More', { parentId: mine.id })).statusCode).toBe(404)
  expect((await edit(person, mine.id, 'Better')).statusCode).toBe(404)
  expect((await comments(author, post.id)).map((each) => each.content)).toEqual(['Canary'])
  expect(await audienceOfComment(test.db, mine.id, [person.user.id, author.user.id], test.clock.now())).toEqual(new Set([author.user.id]))
  expect(await remove(moderator, mine.id)).toBe(404)
  expect(await remove(person, mine.id)).toBe(204)
  expect(await countOf(post.id)).toBe(0)
})

it('keeps counts accurate under any concurrent writes and deletes', async () => {
  const posts = [await addPost(test.db, { author_id: author.user.id }), await addPost(test.db, { author_id: author.user.id })]
  const step = fc.record({
    post: fc.nat(1),
    by: fc.constantFrom('author', 'person', 'other'),
    does: fc.constantFrom('write', 'write', 'reply', 'reply', 'delete', 'delete'),
    which: fc.nat(20),
  })
  const people = () => ({ author, person, other })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { maxLength: 8 }), async (rounds) => {
      for (const round of rounds) {
        const known = await test.db.selectFrom('comments').select(['id', 'post_id']).orderBy('id').execute()
        const statuses = await Promise.all(
          round.map(async ({ post, by, does, which }) => {
            const target = known[which % Math.max(1, known.length)]
            const as = people()[by]
            if (does === 'write' || !target) return (await write(as, posts[post]?.id as string, 'Word')).statusCode
            if (does === 'reply') return (await write(as, target.post_id, 'Word', { parentId: target.id })).statusCode
            return remove(as, target.id)
          }),
        )
        expect(statuses.filter((status) => ![201, 204, 403, 404, 409].includes(status))).toEqual([])
      }
      for (const { id } of posts) {
        const all = await test.db
          .selectFrom('comments')
          .select(['id', 'parent_id', 'is_deleted', 'replies_count'])
          .where('post_id', '=', id)
          .execute()
        expect(await countOf(id)).toBe(all.filter((each) => !each.is_deleted).length)
        for (const each of all) {
          expect(each.replies_count).toBe(all.filter((reply) => reply.parent_id === each.id).length)
          if (each.is_deleted) expect(each.replies_count).toBeGreaterThan(0)
        }
      }
    }),
    { numRuns: 12 },
  )
})
