import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommunityPost } from '#contracts/community-posts.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { blockPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let member: TestPerson
let visitor: TestPerson
let community: { id: string; slug: string }
const posts: Record<string, string> = {}

async function call(as: TestPerson, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  test.clock.advance({ seconds: 1 })
  const answer = await test.request(method, url, as, payload)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer.body ? answer.json() : undefined
}

async function write(as: TestPerson, title: string, daysAgo: number, details: object = {}) {
  const post = { communityId: community.id, postType: 'discussion', title, content: `Words about ${title}`, ...details }
  const { id } = (await call(as, 'POST', '/api/community-posts', post)) as CommunityPost
  const created_at = new Date(test.clock.now().getTime() - daysAgo * 86_400_000)
  await test.db.updateTable('posts').set({ created_at }).where('id', '=', id).execute()
  await test.db.updateTable('community_post_ranks').set({ created_at, active_at: created_at }).where('post_id', '=', id).execute()
  posts[title] = id
}

const list = async (as: TestPerson, query: string): Promise<string[]> =>
  (await call(as, 'GET', `/api/community-posts?communityId=${community.id}&${query}`)).map((post: CommunityPost) => post.title)
const like = (as: TestPerson, title: string) => call(as, 'PUT', `/api/posts/${posts[title]}/like`)

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  member = await test.signUp()
  visitor = await test.signUp()
  const created_at = new Date(test.clock.now().getTime() - 90 * 86_400_000)
  await test.db.updateTable('users').set({ created_at, email_verified: true }).execute()
  community = await addCommunity(test.db, { owner: owner.user.id, members: [member.user.id] })
  await write(owner, 'Old', 60)
  await write(owner, 'Monthly', 20, { tags: ['soil'] })
  await write(member, 'Weekly', 5, { postType: 'question' })
  await write(owner, 'Fresh', 0, { tags: ['soil'] })
})
afterAll(() => test?.close())

it('sorts by likes within a week, a month or all time, newest first among equals', async () => {
  for (const person of [owner, member]) await like(person, 'Old')
  await like(owner, 'Monthly')
  await like(owner, 'Weekly')
  await call(owner, 'PUT', `/api/posts/${posts.Fresh}/like`)
  await call(owner, 'DELETE', `/api/posts/${posts.Fresh}/like`)
  for (const person of [owner, member, visitor]) {
    expect(await list(person, 'sort=top')).toEqual(['Old', 'Weekly', 'Monthly', 'Fresh'])
    expect(await list(person, 'sort=top&period=month')).toEqual(['Weekly', 'Monthly', 'Fresh'])
    expect(await list(person, 'sort=top&period=week')).toEqual(['Weekly', 'Fresh'])
  }
  expect(await list(member, 'sort=top&type=question')).toEqual(['Weekly'])
  expect(await list(member, 'sort=top&tag=soil')).toEqual(['Monthly', 'Fresh'])
})

it('sorts by the newest visible post or comment', async () => {
  expect(await list(member, 'sort=active')).toEqual(['Fresh', 'Weekly', 'Monthly', 'Old'])
  const comment = await call(member, 'POST', `/api/posts/${posts.Old}/comments`, { content: 'Still true' })
  expect(await list(member, 'sort=active')).toEqual(['Old', 'Fresh', 'Weekly', 'Monthly'])
  await call(owner, 'POST', `/api/posts/${posts.Monthly}/comments`, { content: 'And this' })
  const reply = { content: 'An answer to it', parentId: comment.id }
  const { id } = await call(owner, 'POST', `/api/posts/${posts.Old}/comments`, reply)
  expect(await list(member, 'sort=active')).toEqual(['Old', 'Monthly', 'Fresh', 'Weekly'])
  await call(owner, 'DELETE', `/api/comments/${id}`)
  expect(await list(member, 'sort=active')).toEqual(['Monthly', 'Old', 'Fresh', 'Weekly'])
  await call(member, 'POST', `/api/posts/${posts.Weekly}/comments`, { content: 'It cures cancer' })
  expect(await list(owner, 'sort=active')).toEqual(['Monthly', 'Old', 'Fresh', 'Weekly'])
})

it('pages through each order without gaps or repetitions, and refuses a cursor from another order', async () => {
  for (const query of ['sort=top', 'sort=active', 'sort=top&period=month']) {
    const all = await list(member, query)
    const found: string[] = []
    let url: string | undefined = `/api/community-posts?communityId=${community.id}&${query}&limit=1`
    while (url) {
      const page = await test.request('GET', url, member)
      found.push(...page.json().map((post: CommunityPost) => post.title))
      url = /<([^>]+)>/.exec(String(page.headers.link ?? ''))?.[1]
    }
    expect(found).toEqual(all)
  }
  const { headers } = await test.request('GET', `/api/community-posts?communityId=${community.id}&sort=top&limit=1`, member)
  const cursor = new URL(/<([^>]+)>/.exec(String(headers.link))?.[1] as string, 'http://x').searchParams.get('cursor')
  for (const sort of ['new', 'active']) {
    const url = `/api/community-posts?communityId=${community.id}&sort=${sort}&cursor=${cursor}`
    expect((await test.request('GET', url, member)).statusCode).toBe(400)
  }
  expect((await test.request('GET', '/api/community-posts?sort=top', member)).statusCode).toBe(400)
})

it('leaves out blocked and hidden posts, and ranks a held post only for its author', async () => {
  const api = moderationCalls(test)
  const moderator = await api.moderator()
  await write(member, 'Claim', 1, { content: 'It cures cancer' })
  for (const sort of ['sort=top', 'sort=top&period=week', 'sort=active', 'sort=new']) {
    expect(await list(member, sort)).toContain('Claim')
    expect(await list(owner, sort)).not.toContain('Claim')
  }
  expect(await list(member, 'sort=top&period=week')).toEqual(['Weekly', 'Fresh', 'Claim'])
  await api.decided(moderator, await api.caseOf('post', posts.Claim as string), { actions: [{ action: 'approve' }] })
  expect(await list(owner, 'sort=top&period=week')).toEqual(['Weekly', 'Fresh', 'Claim'])
  const [hidden] = await api.decided(moderator, await api.reported('post', posts.Weekly as string), decisionWith({ action: 'hide' }))
  for (const sort of ['sort=top', 'sort=active']) expect(await list(owner, sort)).not.toContain('Weekly')
  await api.undo(moderator, hidden?.id as string)
  expect((await list(owner, 'sort=top'))[1]).toBe('Weekly')
  await blockPerson(test.db, visitor.user.id, member.user.id)
  for (const sort of ['sort=top', 'sort=active']) {
    expect(await list(visitor, sort)).not.toContain('Weekly')
    expect(await list(visitor, sort)).toContain('Old')
  }
})
