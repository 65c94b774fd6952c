import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { CommunityPost } from '#contracts/community-posts.ts'
import { actorOf } from '#tests/support/actors.ts'
import { addCommunity, joinCommunity, muteIn } from '#tests/support/communities.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { addPeople } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { changeAnswer, changePin, changeVote, createCommunityPost, withdrawVote } from './write-community-posts.ts'

let test: TestApp
let owner: TestPerson
let people: string[]
let community: { id: string }

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  people = await addPeople(test.db, 100)
  community = await addCommunity(test.db, { owner: owner.user.id, members: people })
})
afterEach(async () => expect(await findWrongCounters(test.db)).toEqual([]))
afterAll(() => test?.close())

const words = { title: 'A title', content: 'Some words', mediaIds: [], tags: [] as string[], mentions: [], poll: null, link: null }
const post = (userId: string, details: object = {}) =>
  createCommunityPost(test.ctx, actorOf(userId), { ...words, communityId: community.id, postType: 'discussion', ...details }, null)
const poll = (details: object = {}) =>
  post(owner.user.id, { postType: 'poll', poll: { options: ['A', 'B', 'C'], closesInDays: 7 }, ...details })
const read = async (as: TestPerson, id: string) => (await test.request('GET', `/api/posts/${id}`, as)).json() as CommunityPost
const vote = (userId: string, id: string, position: number | null) =>
  position === null ? withdrawVote(test.ctx, actorOf(userId), id) : changeVote(test.ctx, actorOf(userId), id, position)

it('shows the votes to people who voted, and to everyone once the poll is closed', async () => {
  const { id } = await poll()
  const [voter = '', muted = ''] = people
  const counts = async () => (await read(owner, id)).community.poll?.options.map(({ votesCount }) => votesCount)
  expect(await counts()).toEqual([null, null, null])
  expect((await vote(voter, id, 1)).poll).toMatchObject({
    myVote: 1,
    votesCount: 1,
    options: [{ votesCount: 0 }, { votesCount: 1 }, { votesCount: 0 }],
  })
  // The author sees no more than others.
  expect(await counts()).toEqual([null, null, null])
  expect((await vote(voter, id, 2)).poll).toMatchObject({
    myVote: 2,
    votesCount: 1,
    options: [{ votesCount: 0 }, { votesCount: 0 }, { votesCount: 1 }],
  })
  await muteIn(test.db, community.id, muted, new Date(test.clock.now().getTime() + 60_000))
  await expect(vote(muted, id, 0)).rejects.toMatchObject({ code: 'forbidden' })
  await expect(vote(voter, id, 3)).rejects.toMatchObject({ code: 'invalid_input' })
  expect((await vote(voter, id, null)).poll).toMatchObject({ myVote: null, votesCount: 0, options: [{ votesCount: null }, {}, {}] })
  await vote(voter, id, 0)
  await test.db.updateTable('polls').set({ closes_at: test.clock.now() }).where('post_id', '=', id).execute()
  expect(await counts()).toEqual([1, 0, 0])
  await expect(vote(voter, id, 1)).rejects.toMatchObject({ code: 'conflict' })
  await expect(vote(voter, id, null)).rejects.toMatchObject({ code: 'conflict' })
  await test.db.deleteFrom('community_mutes').execute()
})

it('lets people withdraw their vote after leaving or while muted, and even if they no longer see the post', async () => {
  const { id } = await poll()
  const [left = '', muted = '', other = ''] = people
  const outsider = await test.signUp()
  for (const person of [left, muted, other]) await vote(person, id, 1)
  await muteIn(test.db, community.id, muted, new Date(test.clock.now().getTime() + 60_000))
  await test.db.deleteFrom('community_members').where('user_id', '=', left).execute()
  expect(await vote(left, id, null)).toMatchObject({ poll: { myVote: null, votesCount: 2 } })
  expect(await vote(left, id, null)).toMatchObject({ poll: { myVote: null, votesCount: 2 } })
  expect(await vote(muted, id, null)).toMatchObject({ poll: { myVote: null, votesCount: 1 } })
  await test.db.updateTable('communities').set({ moderation: 'hidden' }).where('id', '=', community.id).execute()
  expect(await vote(other, id, null)).toEqual({ id, poll: null })
  await expect(vote(outsider.user.id, id, null)).rejects.toMatchObject({ code: 'not_found' })
  await test.db.updateTable('communities').set({ moderation: null }).where('id', '=', community.id).execute()
  expect((await read(owner, id)).community.poll).toMatchObject({ votesCount: 0 })
  await joinCommunity(test.db, community.id, left)
  await test.db.deleteFrom('community_mutes').execute()
})

it('counts a hundred concurrent votes and changes exactly', async () => {
  const { id } = await poll()
  await Promise.all(people.map((person, n) => vote(person, id, n % 3)))
  expect((await vote(people[0] as string, id, 0)).poll).toMatchObject({
    votesCount: 100,
    options: [{ votesCount: 34 }, { votesCount: 33 }, { votesCount: 33 }],
  })
  await Promise.all(people.flatMap((person, n) => [vote(person, id, (n + 1) % 3), vote(person, id, n % 2 ? null : 2)]))
  const { votesCount } = (await read(owner, id)).community.poll ?? {}
  const stored = await test.db.selectFrom('poll_votes').select('user_id').where('post_id', '=', id).execute()
  expect(votesCount).toBe(stored.length)
})

it('counts every person’s last vote after any concurrent actions', async () => {
  const actions = fc.array(fc.tuple(fc.nat(4), fc.option(fc.nat(2))), { minLength: 1, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(actions, async (list) => {
      const { id } = await poll()
      await Promise.all(list.map(([who, position]) => vote(people[who] as string, id, position)))
      const last = new Map<string, number | null>()
      // Replays the votes sequentially. Each person's last vote counts.
      for (const [who, position] of list) {
        const person = people[who] as string
        await vote(person, id, position)
        last.set(person, position)
      }
      const standing = [...last.values()].filter((position) => position !== null)
      const { rows } = await sql<{ counts: number[]; total: number }>`
        select array(select votes_count from poll_options where post_id = polls.post_id order by position) as counts, votes_count as total
        from polls where post_id = ${id}::uuid`.execute(test.db)
      expect(rows[0]).toEqual({
        counts: [0, 1, 2].map((option) => standing.filter((each) => each === option).length),
        total: standing.length,
      })
    }),
    { numRuns: 10 },
  )
})

it('counts a hundred concurrent posts and deletes exactly', async () => {
  const count = async () =>
    (await test.db.selectFrom('communities').select('post_count').where('id', '=', community.id).executeTakeFirstOrThrow()).post_count
  const before = await count()
  const posts = await Promise.all(people.map((person) => post(person, { tags: ['race'] })))
  expect(await count()).toBe(before + 100)
  const remove = (id: string) => test.request('DELETE', `/api/posts/${id}`, owner)
  await test.db.updateTable('posts').set({ author_id: owner.user.id }).where('community_id', '=', community.id).execute()
  const answers = await Promise.all(posts.slice(0, 60).flatMap(({ id }) => [remove(id), remove(id)]))
  expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(60)
  expect(await count()).toBe(before + 40)
  const { score } = await test.db.selectFrom('community_tags').select('score').where('tag', '=', 'race').executeTakeFirstOrThrow()
  expect(score).toBeCloseTo(40, 2)
})

it('accepts only an answer that still exists, despite concurrent accepts and deletes', async () => {
  const question = await post(owner.user.id, { postType: 'question' })
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      async () => (await test.request('POST', `/api/posts/${question.id}/comments`, owner, { content: 'So' })).json() as Comment,
    ),
  )
  const actions = Array.from({ length: 100 }, (_, n) => {
    const answer = answers[n % 20] as Comment
    return n % 5 === 4
      ? test.request('DELETE', `/api/comments/${answer.id}`, owner)
      : changeAnswer(test.ctx, actorOf(owner.user.id), question.id, answer.id).catch(() => null)
  })
  await Promise.all(actions)
  const { acceptedCommentId } = (await read(owner, question.id)).community
  const there = await test.db.selectFrom('comments').select('id').where('post_id', '=', question.id).execute()
  expect(acceptedCommentId === null || there.some(({ id }) => id === acceptedCommentId)).toBe(true)
  expect(there).toHaveLength(16)
})

it('pins at most three posts under concurrency', async () => {
  const posts = await Promise.all(people.slice(0, 10).map((person) => post(person)))
  const results = await Promise.allSettled(posts.map(({ id }) => changePin(test.ctx, actorOf(owner.user.id), id, true)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
})

it('creates a post once per idempotency key', async () => {
  const key = { 'idempotency-key': 'a-key' }
  const send = () =>
    test.app.inject({
      method: 'POST',
      url: '/api/community-posts',
      headers: { ...key, cookie: owner.cookie, origin: test.ctx.config.publicUrl },
      payload: { ...words, title: 'Once', postType: 'discussion', communityId: community.id },
    })
  const answers = await Promise.all([send(), send(), send()])
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
})
