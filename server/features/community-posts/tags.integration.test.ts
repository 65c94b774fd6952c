import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommunityPost, TrendingTag } from '#contracts/community-posts.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let member: TestPerson
let stranger: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  member = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())

const post = async (communityId: string, tags: string[]) => {
  const words = { title: 'A title', content: 'Some words', postType: 'discussion', communityId, tags }
  return (await test.request('POST', '/api/community-posts', owner, words)).json() as CommunityPost
}
const tagsOf = async (as: TestPerson, communityId: string) =>
  (await test.request('GET', `/api/communities/${communityId}/tags`, as)).json() as TrendingTag[]
const trending = async (as: TestPerson) =>
  ((await test.request('GET', '/api/community-tags', as)).json() as TrendingTag[]).map(({ tag }) => tag)

it('lists the tags of readable communities, and of private ones only to members', async () => {
  const people = { owner: owner.user.id, members: [member.user.id] }
  const open = await addCommunity(test.db, people)
  const closed = await addCommunity(test.db, people, { visibility: 'invite_only' })
  const secret = await addCommunity(test.db, people, { visibility: 'private' })
  await post(open.id, ['open'])
  await post(closed.id, ['closed', 'open'])
  await post(secret.id, ['secret'])
  expect((await trending(member)).sort()).toEqual(['closed', 'open', 'secret'])
  expect(await trending(stranger)).toEqual(['open'])
  expect((await test.request('GET', '/api/community-tags', stranger)).json()).toEqual([{ tag: 'open', score: expect.closeTo(1, 3) }])
  expect((await test.request('GET', `/api/communities/${closed.id}/tags`, stranger)).statusCode).toBe(403)
  expect((await test.request('GET', `/api/communities/${secret.id}/tags`, stranger)).statusCode).toBe(404)
  expect((await test.request('GET', '/api/community-tags', null)).statusCode).toBe(401)
  // No one but its owner sees a community that site moderators hid.
  await test.db.updateTable('communities').set({ moderation: 'hidden' }).where('id', '=', open.id).execute()
  expect(await trending(stranger)).toEqual([])
})

type Step = { wait: number; action: 'add' | 'remove' | 'edit'; pick: number; tags: number[] }
const step = fc.record<Step>({
  wait: fc.integer({ min: 0, max: 14 * 24 }),
  action: fc.constantFrom('add', 'add', 'remove', 'edit'),
  pick: fc.nat(20),
  tags: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
})

it('halves the weight of each use every week, however posts are added, changed, and removed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const community = await addCommunity(test.db, { owner: owner.user.id })
      const posts: { id: string; tags: string[]; at: Date }[] = []
      for (const { wait, action, pick, tags } of steps) {
        test.clock.advance({ hours: wait })
        const names = tags.map((n) => `tag-${n}`)
        const at = pick % Math.max(1, posts.length)
        if (action === 'add' || posts.length === 0) {
          const { id, createdAt } = await post(community.id, names)
          posts.push({ id, tags: names, at: new Date(createdAt) })
        } else if (action === 'remove') {
          const [gone] = posts.splice(at, 1)
          await test.request('DELETE', `/api/posts/${gone?.id}`, owner)
        } else {
          const [changed] = posts.slice(at, at + 1)
          await test.request('PATCH', `/api/posts/${changed?.id}`, owner, { tags: names })
          if (changed) changed.tags = names
        }
      }
      const now = test.clock.now().getTime()
      const expected = new Map<string, number>()
      for (const { tags, at } of posts) {
        for (const tag of tags) expected.set(tag, (expected.get(tag) ?? 0) + 0.5 ** ((now - at.getTime()) / (7 * 86_400_000)))
      }
      const rows = await test.db.selectFrom('community_tags').selectAll().where('community_id', '=', community.id).execute()
      const found = new Map(rows.map((row) => [row.tag, row.score * 0.5 ** ((now - row.scored_at.getTime()) / (7 * 86_400_000))]))
      for (const tag of ['tag-0', 'tag-1', 'tag-2', 'tag-3']) expect(found.get(tag) ?? 0).toBeCloseTo(expected.get(tag) ?? 0, 4)
    }),
    { numRuns: 8 },
  )
  expect(await tagsOf(owner, (await addCommunity(test.db, { owner: owner.user.id })).id)).toEqual([])
})
