import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CommunityPost } from '#contracts/community-posts.ts'
import type { Notification } from '#contracts/notifications.ts'
import type { FeedPost, Post } from '#contracts/posts.ts'
import type { Rating, RatingSummary } from '#contracts/reviews.ts'
import { eventWorld } from '#tests/support/business-events.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { decisionWith, moderationCalls } from '#tests/support/moderation.ts'
import { addMedia } from '#tests/support/posts.ts'
import { followBusiness, followPerson, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let api: ReturnType<typeof moderationCalls>
let author: TestPerson
let follower: TestPerson
let moderator: TestPerson
let community: { id: string; slug: string }

const claim = 'It cures cancer'

beforeAll(async () => {
  test = await startTestApp()
  api = moderationCalls(test)
  author = await test.signUp()
  follower = await test.signUp()
  moderator = await api.moderator()
  // Filters hold more of what new accounts write.
  const created_at = new Date(test.clock.now().getTime() - 40 * 86_400_000)
  await test.db.updateTable('users').set({ created_at, email_verified: true, has_completed_onboarding: true }).execute()
  await followPerson(test.db, follower.user.id, author.user.id)
  community = await addCommunity(test.db, { owner: follower.user.id, members: [author.user.id] })
})
afterAll(() => test?.close())

async function call(as: TestPerson | null, method: 'GET' | 'POST' | 'PUT' | 'PATCH', url: string, payload?: object) {
  const answer = await test.request(method, url, as, payload)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer.json()
}

async function write(title: string, content: string, businessId: string | null = null): Promise<Post> {
  test.clock.advance({ seconds: 1 })
  return call(author, 'POST', '/api/posts', { title, content, businessId })
}
const approve = async (post: string) => api.decided(moderator, await api.caseOf('post', post), { actions: [{ action: 'approve' }] })
const titles = async (as: TestPerson | null, url: string): Promise<string[]> => (await call(as, 'GET', url)).map((post: Post) => post.title)

it('shows a held post in its author’s feed and profile with the reason, and to no one else', async () => {
  await write('Before', 'It smells of pine')
  const held = await write('Held', claim)
  await write('After', 'It smells of lemon')
  expect(held.moderation).toBe('held')
  const profile = `/api/people/${author.user.id}/posts`
  for (const url of ['/api/feed', profile]) {
    const [, post] = (await call(author, 'GET', url)) as FeedPost[]
    expect(post).toMatchObject({ title: 'Held', moderation: 'held', heldFor: [expect.stringContaining('health claim')] })
    expect(await titles(author, url)).toEqual(['After', 'Held', 'Before'])
    for (const other of [follower, moderator]) expect(await titles(other, url)).not.toContain('Held')
  }
  expect(await titles(follower, '/api/feed')).toEqual(['After', 'Before'])
  expect((await call(author, 'GET', '/api/auth/user')).postsCount).toBe(2)

  const pages = [await test.request('GET', `${profile}?limit=2`, author)]
  pages.push(await test.request('GET', String(/<([^>]+)>/.exec(String(pages[0]?.headers.link))?.[1]), author))
  expect(pages.map((page) => page.json().map((post: Post) => post.title))).toEqual([['After', 'Held'], ['Before']])
})

it('shows a held post of a business only to its team', async () => {
  const { id } = await addBusiness(test.db, { name: 'Terrace', type: 'farm' })
  const colleague = await test.signUp()
  await joinBusiness(test.db, author.user.id, id)
  await joinBusiness(test.db, colleague.user.id, id, 'staff')
  await write('Of the business', claim, id)
  for (const member of [author, colleague]) {
    expect(await titles(member, `/api/businesses/${id}/posts`)).toEqual(['Of the business'])
    expect(await titles(member, '/api/feed')).toContain('Of the business')
    expect(await titles(member, '/api/feed?type=farm')).toEqual(['Of the business'])
    expect(await titles(member, '/api/feed?type=dispensary')).toEqual([])
  }
  for (const other of [follower, moderator, null]) expect(await titles(other, `/api/businesses/${id}/posts`)).toEqual([])
})

it('shows a held community post in its author’s lists, by its type and tag, and counts it nowhere', async () => {
  const post = { communityId: community.id, postType: 'question', title: 'May I say?', content: claim, tags: ['claims'] }
  const held = (await call(author, 'POST', '/api/community-posts', post)) as CommunityPost
  expect(held.moderation).toBe('held')
  const list = `/api/community-posts?communityId=${community.id}`
  for (const url of [list, `${list}&type=question`, `${list}&tag=claims`, '/api/community-posts']) {
    expect(await titles(author, url)).toEqual(['May I say?'])
    expect(await titles(follower, url)).toEqual([])
    expect(await titles(moderator, url)).toEqual([])
  }
  expect(await titles(author, `${list}&type=poll`)).toEqual([])
  expect(await titles(author, `${list}&tag=other`)).toEqual([])
  expect(await titles(author, '/api/feed')).not.toContain('May I say?')
  expect((await call(follower, 'GET', `/api/communities/${community.slug}`)).postCount).toBe(0)
})

it('shows held comments and replies in place to their author, and doesn’t count them', async () => {
  const { id } = await write('Talk', 'What do you say?')
  const comment = await call(follower, 'POST', `/api/posts/${id}/comments`, { content: 'Something' })
  const held = await call(author, 'POST', `/api/posts/${id}/comments`, { content: claim })
  const reply = await call(author, 'POST', `/api/posts/${id}/comments`, { content: `${claim}, too`, parentId: comment.id })
  const ids = async (as: TestPerson, url: string) => (await call(as, 'GET', url)).map((each: { id: string }) => each.id)
  const comments = `/api/posts/${id}/comments`
  expect(await ids(author, comments)).toEqual([comment.id, held.id])
  expect(await ids(follower, comments)).toEqual([comment.id])
  expect(await ids(author, `/api/comments/${comment.id}/replies`)).toEqual([reply.id])
  expect(await ids(follower, `/api/comments/${comment.id}/replies`)).toEqual([])
  expect((await call(author, 'GET', comments))[0]).toMatchObject({ repliesCount: 0, heldRepliesCount: 1 })
  expect((await call(follower, 'GET', comments))[0]).toMatchObject({ repliesCount: 0, heldRepliesCount: 0 })
  expect(await call(author, 'GET', `/api/posts/${id}`)).toMatchObject({ commentsCount: 1 })
})

it('shows a held review on its author’s profile only to its author', async () => {
  const { id } = await addBusiness(test.db, { name: 'Reviewed' })
  await call(author, 'PUT', `/api/businesses/${id}/rating`, { rating: 5, review: claim })
  const url = `/api/people/${author.user.id}/reviews`
  expect(await call(author, 'GET', url)).toMatchObject([{ review: claim, moderation: 'held', heldFor: [expect.any(String)] }])
  for (const other of [follower, moderator]) expect(await call(other, 'GET', url)).toEqual([])
  expect(await call(null, 'GET', `/api/businesses/${id}/ratings/summary`)).toMatchObject({ total: 0, own: null })
})

it('states how long a review usually takes once enough have been decided', async () => {
  const reviewTime = async () => (await call(author, 'GET', '/api/standing/review-time')).medianHours
  const hours = [1, 2, 3, 5, 30]
  expect(await reviewTime()).toBeNull()
  const posts: string[] = []
  for (const hour of hours) posts.push((await write(`Claim ${hour}`, `${claim} within ${'many '.repeat(hour)}days`)).id)
  for (const [i, post] of posts.entries()) {
    const caseId = await api.caseOf('post', post)
    await test.db
      .updateTable('moderation_cases')
      .set({ opened_at: new Date(test.clock.now().getTime() - (hours[i] as number) * 3_600_000) })
      .where('id', '=', caseId)
      .execute()
    expect(await reviewTime()).toBeNull()
    await api.decided(moderator, caseId, { actions: [{ action: 'approve' }] })
  }
  expect(await reviewTime()).toBe(3)
})

it('dates a held post from its first approval, and notifies followers with that time', async () => {
  const held = await write('Waiting', claim)
  await write('Meanwhile', 'It smells of mint')
  test.clock.advance({ minutes: 30 })
  const before = test.clock.now()
  const [decision] = await approve(held.id)
  const time = async () => (await call(follower, 'GET', `/api/posts/${held.id}`)).createdAt
  const approvedAt = await time()
  expect(Date.parse(approvedAt)).toBeGreaterThanOrEqual(before.getTime())
  expect((await titles(follower, '/api/feed')).slice(0, 2)).toEqual(['Waiting', 'Meanwhile'])
  await test.runJobs()
  expect((await call(follower, 'GET', '/api/notifications'))[0]).toMatchObject({ actionUrl: `/post/${held.id}`, createdAt: approvedAt })

  test.clock.advance({ minutes: 30 })
  expect((await api.undo(moderator, decision?.id as string)).statusCode).toBe(200)
  await approve(held.id)
  expect(await time()).toBe(approvedAt)
})

it('dates the news of a held event or review from its first approval, and of a low rating from its edit’s approval', async () => {
  const world = await eventWorld(test)
  await followBusiness(test.db, follower.user.id, world.shop.id)
  const approved = async (subject: 'event' | 'review', id: string) => {
    test.clock.advance({ minutes: 30 })
    const from = test.clock.now()
    await api.decided(moderator, await api.caseOf(subject, id), { actions: [{ action: 'approve' }] })
    await test.runJobs()
    const [news] = (await call(subject === 'event' ? follower : world.owner, 'GET', '/api/notifications')) as Notification[]
    return { type: news?.type, isSinceApproval: Date.parse(news?.createdAt as string) >= from.getTime() }
  }
  const event = await world.create({ description: `${claim}.` })
  expect(event.moderation).toBe('held')
  expect(await approved('event', event.id)).toEqual({ type: 'new_event', isSinceApproval: true })

  const rate = async (rating: number, review: string) =>
    ((await call(author, 'PUT', `/api/businesses/${world.shop.id}/rating`, { rating, review })) as RatingSummary).own as Rating
  const { id } = await rate(5, claim)
  expect(await approved('review', id)).toEqual({ type: 'review', isSinceApproval: true })
  test.clock.advance({ minutes: 30 })
  expect((await rate(1, 'It treats diabetes')).moderation).toBe('held')
  expect(await approved('review', id)).toEqual({ type: 'low_review', isSinceApproval: true })
})

it('counts the days that a held poll stays open from its first approval', async () => {
  test.clock.advance({ seconds: 1 })
  const poll = { options: ['Yes', 'No'], closesInDays: 1 }
  const post = { communityId: community.id, postType: 'poll', title: 'A claim', content: claim, poll }
  const { id, moderation } = (await call(author, 'POST', '/api/community-posts', post)) as CommunityPost
  expect(moderation).toBe('held')
  test.clock.advance({ hours: 50 })
  const [decision] = await approve(id)
  const shown = async () => {
    const { createdAt, community } = (await call(follower, 'GET', `/api/posts/${id}`)) as CommunityPost
    const { isClosed, closesAt } = community.poll ?? {}
    return { createdAt, isClosed, hours: Math.round((Date.parse(closesAt as string) - Date.parse(createdAt)) / 3_600_000) }
  }
  const first = await shown()
  expect(first).toMatchObject({ isClosed: false, hours: 24 })
  test.clock.advance({ hours: 1 })
  expect((await api.undo(moderator, decision?.id as string)).statusCode).toBe(200)
  await approve(id)
  expect(await shown()).toEqual(first)
})

it('keeps the original time of a post that an earlier release approved', async () => {
  const { id, createdAt } = await write('Approved long ago', claim)
  await approve(id)
  await test.db.updateTable('posts').set({ created_at: createdAt }).where('id', '=', id).execute()
  const caseId = await api.reported('post', id)
  const [hidden] = await api.decided(moderator, caseId, decisionWith({ action: 'hide' }))
  expect((await api.undo(moderator, hidden?.id as string)).statusCode).toBe(200)
  expect(await call(follower, 'GET', `/api/posts/${id}`)).toMatchObject({ moderation: null, createdAt })
})

it('keeps the time of a post that was held after an edit', async () => {
  const { id, createdAt } = await write('Edited', 'It smells of rain')
  test.clock.advance({ minutes: 30 })
  expect((await test.request('PATCH', `/api/posts/${id}`, author, { content: claim })).json()).toMatchObject({ moderation: 'held' })
  test.clock.advance({ minutes: 30 })
  await approve(id)
  expect(await call(follower, 'GET', `/api/posts/${id}`)).toMatchObject({ moderation: null, createdAt })
})

it('announces a post that was held soon after it was published, but not an old one that was held after an edit', async () => {
  const announced = async (post: string) => {
    const jobs = test.db.selectFrom('notifications').select('user_id').where('post_id', '=', post).where('type', '=', 'person_post')
    await test.runJobs()
    return (await jobs.execute()).map(({ user_id }) => user_id)
  }
  // Holds the post before the job that announces it runs.
  const { id: fresh } = await write('Fresh', 'It smells of hay')
  expect((await test.request('PATCH', `/api/posts/${fresh}`, author, { content: `${claim} fast` })).json()).toMatchObject({
    moderation: 'held',
  })
  expect(await announced(fresh)).toEqual([])
  await approve(fresh)
  expect(await announced(fresh)).toEqual([follower.user.id])

  const { id: old } = await write('Old', 'It smells of grass')
  expect(await announced(old)).toEqual([follower.user.id])
  const late = await test.signUp()
  await followPerson(test.db, late.user.id, author.user.id)
  test.clock.advance({ days: 3 })
  await test.request('PATCH', `/api/posts/${old}`, author, { content: `${claim} slowly` })
  await approve(old)
  expect(await announced(old)).toEqual([follower.user.id])
})

it('screens the descriptions of pictures with the post or review that shows them', async () => {
  const picture = async (alt: string) => (await addMedia(test.db, author.user.id, { alt })).id
  const post = (mediaIds: string[]) => call(author, 'POST', '/api/posts', { title: 'Harvest', content: 'A picture', mediaIds })
  const edit = (id: string, changes: object) => call(author, 'PATCH', `/api/posts/${id}`, changes)
  expect((await post([await picture(claim)])).moderation).toBe('held')
  const { slug } = await addBusiness(test.db)
  const review = { rating: 5, review: '', photoIds: [await picture(claim)] }
  expect((await call(author, 'PUT', `/api/businesses/${slug}/rating`, review)).own.moderation).toBe('held')
  const inCommunity = { communityId: community.id, postType: 'discussion', title: 'Harvest', content: 'A picture' }
  expect((await call(author, 'POST', '/api/community-posts', { ...inCommunity, mediaIds: [await picture(claim)] })).moderation).toBe('held')

  const shown = await picture('Rows of hemp at dusk')
  const published = await post([shown])
  expect(published.moderation).toBeNull()
  const describe = (alt: string) => test.request('PATCH', `/api/media/${shown}`, author, { alt })
  const refused = await describe(`${claim}. Text 303-555-0100`)
  expect([refused.statusCode, refused.json().fields]).toEqual([400, { alt: expect.any(String) }])
  expect((await describe('Rows of hemp at dawn')).statusCode).toBe(200)
  expect((await edit(published.id, { title: 'Late harvest' })).moderation).toBeNull()
  expect((await edit(published.id, { mediaIds: [shown, await picture(claim)] })).moderation).toBe('held')
})
