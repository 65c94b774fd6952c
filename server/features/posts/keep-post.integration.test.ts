import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Post } from '#contracts/posts.ts'
import { newId } from '#server/kernel/ids.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { untilWaiting } from '#tests/support/locks.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { blockPerson, followPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let author: TestPerson
let reader: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  author = await test.signUp()
  reader = await test.signUp()
  await test.db.updateTable('users').set({ is_profile_public: true }).execute()
  await followPerson(test.db, reader.user.id, author.user.id)
})
afterAll(() => test?.close())

async function call(as: TestPerson, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  test.clock.advance({ seconds: 1 })
  const answer = await test.request(method, url, as, payload)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json()
}
const write = (title: string): Promise<Post> =>
  call(author, 'POST', '/api/posts', { title, content: `Words about ${title}`, businessId: null })
const saved = async (as: TestPerson): Promise<string[]> => (await call(as, 'GET', '/api/saved-posts')).map((post: Post) => post.title)
const feed = async (): Promise<string[]> => (await call(reader, 'GET', '/api/feed')).map((post: Post) => post.title)

it('saves and removes posts idempotently in a private list, last saved first and in pages', async () => {
  const posts = [await write('Alder'), await write('Birch'), await write('Cedar')]
  for (const { id } of posts.toReversed()) {
    for (let times = 0; times < 2; times++) expect(await call(reader, 'PUT', `/api/posts/${id}/save`)).toEqual({ id, isSaved: true })
  }
  expect(await saved(reader)).toEqual(['Alder', 'Birch', 'Cedar'])
  expect(await saved(author)).toEqual([])
  expect((await call(reader, 'GET', '/api/feed')).every((post: Post) => post.isSaved)).toBe(true)
  expect(await call(author, 'GET', `/api/posts/${posts[0]?.id}`)).toMatchObject({ isSaved: false })

  const first = await test.request('GET', '/api/saved-posts?limit=2', reader)
  const late = await write('Dogwood')
  await call(reader, 'PUT', `/api/posts/${late.id}/save`)
  const rest = await test.request('GET', String(/<([^>]+)>/.exec(String(first.headers.link))?.[1]), reader)
  expect([...first.json(), ...rest.json()].map((post: Post) => post.title)).toEqual(['Alder', 'Birch', 'Cedar'])

  for (let times = 0; times < 2; times++) {
    expect(await call(reader, 'DELETE', `/api/posts/${late.id}/save`)).toEqual({ id: late.id, isSaved: false })
  }
  expect(await saved(reader)).toEqual(['Alder', 'Birch', 'Cedar'])
})

it.each(['save', 'hidden'])('refuses a post that is being deleted (%s)', async (list) => {
  const { id } = await write('Passing')
  const { answer } = await test.db.transaction().execute(async (tx) => {
    await tx.deleteFrom('posts').where('id', '=', id).execute()
    const answer = test.request('PUT', `/api/posts/${id}/${list}`, reader)
    await untilWaiting(test.db, { statement: 'post' })
    return { answer }
  })
  expect((await answer).statusCode).toBe(404)
})

it('leaves out saved posts that are removed, deleted, in a community the person left, or by someone who blocked them', async () => {
  const api = moderationCalls(test)
  const person = await test.signUp()
  const moderator = await api.moderator()
  const blocked = await test.signUp()
  const community = await addCommunity(test.db, { owner: author.user.id, members: [person.user.id] }, { visibility: 'private' })
  const [removed, deleted] = [await write('Removed'), await write('Deleted')]
  const there = await call(author, 'POST', '/api/community-posts', {
    ...{ communityId: community.id, postType: 'discussion', title: 'There', content: 'Only for members of it' },
  })
  const theirs = await call(blocked, 'POST', '/api/posts', { title: 'Theirs', content: 'Words of another person', businessId: null })
  for (const { id } of [removed, deleted, there, theirs]) await call(person, 'PUT', `/api/posts/${id}/save`)
  expect(await saved(person)).toEqual(['Theirs', 'There', 'Deleted', 'Removed'])
  await api.decided(moderator, await api.reported('post', removed.id), decisionWith({ action: 'remove' }))
  expect((await test.request('DELETE', `/api/posts/${deleted.id}`, author)).statusCode).toBe(204)
  expect(await saved(person)).toEqual(['Theirs', 'There'])
  expect((await test.request('DELETE', `/api/communities/${community.id}/membership`, person)).statusCode).toBeLessThan(300)
  expect(await saved(person)).toEqual(['Theirs'])
  await blockPerson(test.db, blocked.user.id, person.user.id)
  expect(await saved(person)).toEqual([])
})

it('hides a post only from the feed, and shows it again', async () => {
  const hidden = await write('Elm')
  for (let times = 0; times < 2; times++) {
    expect(await call(reader, 'PUT', `/api/posts/${hidden.id}/hidden`)).toEqual({ id: hidden.id, isHidden: true })
  }
  expect(await feed()).not.toContain('Elm')
  expect((await call(author, 'GET', '/api/feed')).map((post: Post) => post.title)).toContain('Elm')
  expect((await call(reader, 'GET', `/api/people/${author.user.id}/posts`)).map((post: Post) => post.title)).toContain('Elm')
  expect(await call(reader, 'GET', `/api/posts/${hidden.id}`)).toMatchObject({ title: 'Elm' })
  for (let times = 0; times < 2; times++) await call(reader, 'DELETE', `/api/posts/${hidden.id}/hidden`)
  expect(await feed()).toContain('Elm')
})

it('lets no one save or hide a post they can’t see', async () => {
  const stranger = await test.signUp()
  const { id } = await write('Fir')
  await blockPerson(test.db, author.user.id, stranger.user.id)
  for (const list of ['save', 'hidden']) {
    const status = async (as: TestPerson | null, post: string) => (await test.request('PUT', `/api/posts/${post}/${list}`, as)).statusCode
    expect(await status(stranger, id)).toBe(404)
    expect(await status(reader, newId())).toBe(404)
    expect(await status(null, id)).toBe(401)
  }
})
