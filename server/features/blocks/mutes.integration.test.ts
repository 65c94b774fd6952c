import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { blockPerson, followBusiness, followPerson, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let reader: TestPerson
let loud: TestPerson
let quiet: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  reader = await test.signUp()
  loud = await test.signUp()
  quiet = await test.signUp()
  await test.db.updateTable('users').set({ is_profile_public: true }).execute()
  for (const { user } of [loud, quiet]) await followPerson(test.db, reader.user.id, user.id)
})
afterAll(() => test?.close())

async function call(as: TestPerson, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  test.clock.advance({ seconds: 1 })
  const answer = await test.request(method, url, as, payload)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json()
}
const titles = async (url: string): Promise<string[]> => (await call(reader, 'GET', url)).map((each: { title: string }) => each.title)
const names = async (url: string): Promise<string[]> => (await call(reader, 'GET', url)).map((each: { name: string }) => each.name)

it('keeps a muted person out of feeds and notifications, and shows everything again once unmuted', async () => {
  const community = await addCommunity(test.db, { owner: reader.user.id, members: [loud.user.id, quiet.user.id] })
  const own = await call(reader, 'POST', '/api/posts', { title: 'Mine', content: 'Green terraces in the morning', businessId: null })
  for (const [person, name] of [
    [loud, 'Loud'],
    [quiet, 'Quiet'],
  ] as const) {
    await call(person, 'POST', '/api/posts', { title: name, content: `The soil of ${name}`, businessId: null })
    const post = { communityId: community.id, postType: 'discussion', title: `${name} there`, content: `Seeds of ${name}` }
    await call(person, 'POST', '/api/community-posts', post)
    await call(person, 'PUT', `/api/posts/${own.id}/like`)
    await call(person, 'POST', `/api/posts/${own.id}/comments`, { content: `${name} has seen it` })
  }
  await test.runJobs()
  const unread = async () => (await call(reader, 'GET', '/api/notifications/unread-count')).count
  expect(await titles('/api/feed')).toEqual(['Quiet', 'Loud', 'Mine'])
  expect(await unread()).toBe(4)

  const url = `/api/people/${loud.user.id}/mute`
  for (let times = 0; times < 2; times++) expect(await call(reader, 'PUT', url)).toEqual({ id: loud.user.id, isMuted: true })
  expect(await titles('/api/feed')).toEqual(['Quiet', 'Mine'])
  expect(await titles('/api/community-posts')).toEqual(['Quiet there'])
  expect(await titles(`/api/community-posts?communityId=${community.id}`)).toEqual(['Quiet there', 'Loud there'])
  expect(await titles(`/api/people/${loud.user.id}/posts`)).toEqual(['Loud'])
  expect(await unread()).toBe(3)
  const shown = JSON.stringify(await call(reader, 'GET', '/api/notifications'))
  expect(shown).not.toContain(loud.user.id)
  expect(shown).not.toContain('others')
  expect(await names('/api/mutes/people')).toEqual([expect.stringContaining('Person')])

  // Muted people don't learn of it: their own view is unchanged, and they can still write to the person who muted them.
  expect(await call(loud, 'GET', `/api/people/${reader.user.id}`)).toMatchObject({ isBlocked: false })
  expect((await call(loud, 'GET', `/api/posts/${own.id}`)).isLiked).toBe(true)
  expect((await test.request('GET', '/api/mutes/people', loud)).json()).toEqual([])

  for (let times = 0; times < 2; times++) await call(reader, 'DELETE', url)
  expect(await titles('/api/feed')).toEqual(['Quiet', 'Loud', 'Mine'])
  expect(await unread()).toBe(4)
})

it('keeps a muted business out of the feed, the suggestions and notifications', async () => {
  const owner = await test.signUp()
  const followed = { ...(await addBusiness(test.db, { name: 'Followed' })), name: 'Followed' }
  const suggested = { ...(await addBusiness(test.db, { name: 'Suggested' })), name: 'Suggested' }
  for (const { id } of [followed, suggested]) await joinBusiness(test.db, owner.user.id, id)
  await followBusiness(test.db, reader.user.id, followed.id)
  for (const { id, name } of [followed, suggested]) {
    await call(owner, 'POST', '/api/posts', { title: `From ${name}`, content: `News of ${name}`, businessId: id })
  }
  await test.runJobs()
  const notified = async () => JSON.stringify(await call(reader, 'GET', '/api/notifications'))
  expect(await titles('/api/feed')).toContain('From Followed')
  expect(await titles('/api/feed/suggestions')).toContain('From Suggested')
  expect(await notified()).toContain('From Followed')
  for (const { id } of [followed, suggested]) {
    expect(await call(reader, 'PUT', `/api/businesses/${id}/mute`)).toEqual({ id, isMuted: true })
  }
  expect(await titles('/api/feed')).not.toContain('From Followed')
  expect(await titles('/api/feed/suggestions')).not.toContain('From Suggested')
  expect(await notified()).not.toContain('From Followed')
  expect(await titles(`/api/businesses/${followed.id}/posts`)).toEqual(['From Followed'])
  expect(await names('/api/mutes/businesses')).toEqual(['Suggested', 'Followed'])
  await call(reader, 'DELETE', `/api/businesses/${followed.id}/mute`)
  expect(await titles('/api/feed')).toContain('From Followed')
})

it('refuses visitors, self-mutes, and mutes of anyone the person can’t see', async () => {
  const blocker = await test.signUp()
  await blockPerson(test.db, blocker.user.id, reader.user.id)
  const status = async (as: TestPerson | null, url: string) => (await test.request('PUT', url, as)).statusCode
  expect(await status(reader, `/api/people/${reader.user.id}/mute`)).toBe(403)
  for (const id of [blocker.user.id, newId()]) expect(await status(reader, `/api/people/${id}/mute`)).toBe(404)
  expect(await status(reader, `/api/businesses/${newId()}/mute`)).toBe(404)
  expect(await status(null, `/api/people/${quiet.user.id}/mute`)).toBe(401)
})

it('pages through muted people, newest first', async () => {
  const others = [await test.signUp(), await test.signUp(), await test.signUp()]
  for (const { user } of others) await call(quiet, 'PUT', `/api/people/${user.id}/mute`)
  const first = await test.request('GET', '/api/mutes/people?limit=2', quiet)
  const rest = await test.request('GET', String(/<([^>]+)>/.exec(String(first.headers.link))?.[1]), quiet)
  const ids = [...first.json(), ...rest.json()].map((each: { id: string }) => each.id)
  expect(ids).toEqual(others.map(({ user }) => user.id).reverse())
})
