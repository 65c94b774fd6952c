import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { Notification } from '#contracts/notifications.ts'
import type { NewMention, Post } from '#contracts/posts.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity } from '#tests/support/communities.ts'
import { moderationCalls } from '#tests/support/moderation.ts'
import { fillSearch } from '#tests/support/search.ts'
import { blockPerson, followPerson, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let writer: TestPerson
let ann: TestPerson
let blocked: TestPerson
let owner: TestPerson
let stranger: TestPerson
let shop: { id: string; slug: string }

beforeAll(async () => {
  test = await startTestApp()
  writer = await test.signUp({ firstName: 'Wren', lastName: 'Ashby' })
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Larkspur' })
  blocked = await test.signUp({ firstName: 'Bo', lastName: 'Larkspur' })
  owner = await test.signUp()
  stranger = await test.signUp()
  const created_at = new Date(test.clock.now().getTime() - 90 * 86_400_000)
  await test.db.updateTable('users').set({ created_at, email_verified: true, is_profile_public: true }).execute()
  shop = await addBusiness(test.db, { name: 'Larkspur Farm' })
  await joinBusiness(test.db, owner.user.id, shop.id)
  await blockPerson(test.db, blocked.user.id, writer.user.id)
  await fillSearch(test)
})
beforeEach(() => {
  test.clock.advance({ minutes: 5 })
})
afterAll(() => test?.close())

async function call(as: TestPerson, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  test.clock.advance({ seconds: 1 })
  const answer = await test.request(method, url, as, payload)
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`)
  return answer.body ? answer.json() : undefined
}

const names = new Map<string, string>()
function at(content: string, person: TestPerson | { id: string }, name: string): NewMention {
  const id = 'user' in person ? person.user.id : person.id
  names.set(id, name)
  const start = content.indexOf(`@${name}`)
  return { kind: 'user' in person ? 'person' : 'business', id, start, length: name.length + 1 }
}

const post = (content: string, mentions: NewMention[], details: object = {}): Promise<Post> =>
  call(writer, 'POST', '/api/posts', { title: 'News', content, mentions, businessId: null, ...details })
async function mentionsOf(person: TestPerson): Promise<Notification[]> {
  await test.runJobs()
  const all = (await call(person, 'GET', '/api/notifications?limit=100')) as Notification[]
  return all.filter(({ type }) => type === 'mention' || type === 'comment_mention')
}

it('stores mentions as references, links them for people who may see them, and notifies once', async () => {
  const content = 'Thanks to @Ann Larkspur and @Larkspur Farm, and again @Ann Larkspur.'
  const again = { ...at(content, ann, 'Ann Larkspur'), start: content.lastIndexOf('@') }
  const mentions = [again, at(content, ann, 'Ann Larkspur'), at(content, shop, 'Larkspur Farm')]
  const made = await post(content, mentions)
  const path = `/people/${ann.user.id}`
  expect(made.mentions).toEqual([
    { ...at(content, ann, 'Ann Larkspur'), path },
    { ...at(content, shop, 'Larkspur Farm'), path: `/business/${shop.slug}` },
    { ...again, path },
  ])
  await test.db.updateTable('users').set({ display_name: 'Annie' }).where('id', '=', ann.user.id).execute()
  expect((await call(stranger, 'GET', `/api/posts/${made.id}`)).mentions).toHaveLength(3)
  expect((await call(writer, 'GET', '/api/feed'))[0].mentions).toHaveLength(3)
  await test.db.updateTable('users').set({ display_name: null }).where('id', '=', ann.user.id).execute()

  for (const person of [ann, owner]) {
    expect(await mentionsOf(person)).toMatchObject([{ title: 'Wren Ashby mentioned you in “News”', actionUrl: `/post/${made.id}` }])
  }
  for (const person of [writer, stranger]) expect(await mentionsOf(person)).toEqual([])

  const edited = 'Once more: @Ann Larkspur'
  const change = { content: edited, mentions: [at(edited, ann, 'Ann Larkspur')] }
  for (const body of [{ content: 'No one' }, change, { tags: ['soil'] }]) await call(writer, 'PATCH', `/api/posts/${made.id}`, body)
  expect((await call(writer, 'GET', `/api/posts/${made.id}`)).mentions).toHaveLength(1)
  expect(await mentionsOf(ann)).toHaveLength(1)
  expect(await mentionsOf(owner)).toEqual([])
})

it('lists a mention with the time of the edit that added it', async () => {
  const made = await post('Who grows this?', [])
  const comment = (await call(writer, 'POST', `/api/posts/${made.id}/comments`, { content: 'I do' })) as Comment
  const content = '@Ann Larkspur does'
  const change = { content, mentions: [at(content, ann, 'Ann Larkspur')] }
  for (const path of [`/api/posts/${made.id}`, `/api/comments/${comment.id}`]) {
    test.clock.advance({ days: 1 })
    const edited = test.clock.now().toISOString()
    await call(writer, 'PATCH', path, change)
    const [latest] = await mentionsOf(ann)
    expect(latest?.actionUrl).toContain(`/post/${made.id}`)
    expect((latest?.createdAt ?? '') > edited).toBe(true)
  }
})

it('refuses a name that isn’t the person’s, people across a block, overlaps, and more than ten mentions', async () => {
  const content = 'See @Bo Larkspur or @Ann Larkspur'
  const status = async (mentions: NewMention[], words = content) =>
    (await test.request('POST', '/api/posts', writer, { title: 'T', content: words, mentions, businessId: null })).statusCode
  const good = at(content, ann, 'Ann Larkspur')
  expect(await status([at(content, blocked, 'Bo Larkspur')])).toBe(400)
  expect(await status([{ ...good, id: stranger.user.id }])).toBe(400)
  expect(await status([{ ...good, id: newId() }])).toBe(400)
  expect(await status([{ ...good, kind: 'business' }])).toBe(400)
  expect(await status([{ ...good, start: good.start - 1 }])).toBe(400)
  expect(await status([good, good])).toBe(400)
  const many = '@Ann Larkspur '.repeat(11)
  const mentions = Array.from({ length: 11 }, (_, i) => ({ ...good, start: i * 14 }))
  expect(await status(mentions, many)).toBe(400)
  await test.db
    .insertInto('business_person_blocks')
    .values({ business_id: shop.id, person_id: writer.user.id, blocked_by: owner.user.id })
    .execute()
  expect(await status([at('At @Larkspur Farm', shop, 'Larkspur Farm')], 'At @Larkspur Farm')).toBe(400)
  expect(await suggested('Larkspur')).toEqual(['Ann Larkspur'])
  await test.db.deleteFrom('business_person_blocks').execute()
})

const suggested = async (q: string, query = '', as = writer): Promise<string[]> =>
  (await call(as, 'GET', `/api/mention-suggestions?q=${encodeURIComponent(q)}${query}`)).map(({ name }: { name: string }) => name)

it('lets a demo account mention only demo people and businesses', async () => {
  await test.db.updateTable('users').set({ is_demo: true }).where('id', '=', stranger.user.id).execute()
  const status = async (content: string, mention: NewMention) =>
    (await test.request('POST', '/api/posts', stranger, { title: 'T', content, mentions: [mention], businessId: null })).statusCode
  expect(await status('Hi @Ann Larkspur', at('Hi @Ann Larkspur', ann, 'Ann Larkspur'))).toBe(400)
  expect(await status('At @Larkspur Farm', at('At @Larkspur Farm', shop, 'Larkspur Farm'))).toBe(400)
  expect(await suggested('larks', '', stranger)).toEqual([])
  await test.db.updateTable('businesses').set({ is_demo: true }).where('id', '=', shop.id).execute()
  expect(await status('At @Larkspur Farm', at('At @Larkspur Farm', shop, 'Larkspur Farm'))).toBe(201)
  expect(await suggested('larks', '', stranger)).toEqual(['Larkspur Farm'])
  await test.db.updateTable('businesses').set({ is_demo: false }).where('id', '=', shop.id).execute()
  await test.db.updateTable('users').set({ is_demo: false }).where('id', '=', stranger.user.id).execute()
})

it('suggests people and businesses that the author may see', async () => {
  expect((await suggested('larks')).toSorted()).toEqual(['Ann Larkspur', 'Larkspur Farm'])
  expect(await suggested('Wren')).toEqual([])
  expect((await suggested('larks', '', ann)).toSorted()).toEqual(['Bo Larkspur', 'Larkspur Farm'])
  expect((await test.request('GET', '/api/mention-suggestions?q=larks')).statusCode).toBe(401)
})

it('suggests, accepts and notifies only members in a private community', async () => {
  const people = { owner: writer.user.id, members: [ann.user.id] }
  const community = await addCommunity(test.db, people, { visibility: 'private' })
  const there = `&communityId=${community.id}`
  expect(await suggested('larks', there)).toEqual(['Ann Larkspur'])
  expect((await test.request('GET', `/api/mention-suggestions?q=a${there}`, stranger)).statusCode).toBe(404)
  const content = 'For @Ann Larkspur, not @Person, nor @Larkspur Farm'
  const body = (mentions: NewMention[]) => ({ communityId: community.id, postType: 'discussion', title: 'In private', content, mentions })
  const refused = await test.request('POST', '/api/community-posts', writer, body([at(content, shop, 'Larkspur Farm')]))
  expect(refused.statusCode).toBe(400)
  const made = await call(writer, 'POST', '/api/community-posts', body([at(content, ann, 'Ann Larkspur')]))
  const before = await mentionsOf(ann)
  expect(before[0]).toMatchObject({ title: expect.stringContaining('In private') })
  const comment = 'And @Ann Larkspur'
  await call(writer, 'POST', `/api/posts/${made.id}/comments`, { content: comment, mentions: [at(comment, ann, 'Ann Larkspur')] })
  expect(await mentionsOf(ann)).toHaveLength(before.length + 1)
  // Once they've left, mentions in the community are hidden.
  await test.db.deleteFrom('community_members').where('user_id', '=', ann.user.id).where('community_id', '=', community.id).execute()
  expect(await mentionsOf(ann)).toHaveLength(before.length - 1)
})

it('notifies of a mention instead of the comment that contains it, and not of a mention in a locked post', async () => {
  const own = await call(ann, 'POST', '/api/posts', { title: 'By Ann', content: 'What do you grow this year?', businessId: null })
  const content = 'Good question, @Ann Larkspur'
  const comment = (await call(writer, 'POST', `/api/posts/${own.id}/comments`, {
    ...{ content, mentions: [at(content, ann, 'Ann Larkspur')] },
  })) as Comment
  expect(comment.mentions).toHaveLength(1)
  await test.runJobs()
  const about = ((await call(ann, 'GET', '/api/notifications?limit=100')) as Notification[]).filter(({ actionUrl }) =>
    actionUrl?.includes(own.id),
  )
  expect(about).toMatchObject([{ type: 'comment_mention', actionUrl: `/post/${own.id}#comment-${comment.id}` }])
  await call(writer, 'PATCH', `/api/comments/${comment.id}`, { content: 'Edited' })
  expect((await call(ann, 'GET', `/api/posts/${own.id}/comments`))[0]).toMatchObject({ content: 'Edited', mentions: [] })

  const business = await addBusiness(test.db, { name: 'Exclusive Farm' })
  await joinBusiness(test.db, writer.user.id, business.id)
  const words = 'Only subscribers read of @Ann Larkspur'
  const locked = await post(words, [at(words, ann, 'Ann Larkspur')], { businessId: business.id, isExclusive: true })
  expect(locked.mentions).toHaveLength(1)
  expect(await call(ann, 'GET', `/api/posts/${locked.id}`)).toMatchObject({ isLocked: true, mentions: [] })
  expect(JSON.stringify(await mentionsOf(ann))).not.toContain(locked.id)
})

it('hides mentions after a block, skips those by muted authors, and respects the topic’s settings', async () => {
  const [quiet, off, shut] = [await test.signUp(), await test.signUp(), await test.signUp()]
  for (const [person, lastName] of [
    [quiet, 'Quiet'],
    [off, 'Off'],
    [shut, 'Shut'],
  ] as const) {
    await test.db.updateTable('users').set({ first_name: 'Kit', last_name: lastName }).where('id', '=', person.user.id).execute()
  }
  await call(quiet, 'PUT', `/api/people/${writer.user.id}/mute`)
  const preferences = await call(off, 'GET', '/api/notification-preferences')
  const topics = preferences.topics.map((each: { topic: string }) =>
    each.topic === 'mentions' ? { ...each, channels: { in_app: false, email: false, push: false } } : each,
  )
  await call(off, 'PATCH', '/api/notification-preferences', { ...preferences, topics })
  await followPerson(test.db, off.user.id, writer.user.id)
  const content = '@Kit Quiet @Kit Off @Kit Shut'
  const made = await post(content, [at(content, quiet, 'Kit Quiet'), at(content, off, 'Kit Off'), at(content, shut, 'Kit Shut')])
  expect(await mentionsOf(quiet)).toEqual([])
  expect(await mentionsOf(off)).toEqual([])
  // As a follower, they are still notified of the post.
  expect((await call(off, 'GET', '/api/notifications'))[0]).toMatchObject({ type: 'person_post' })
  expect(await mentionsOf(shut)).toHaveLength(1)
  await blockPerson(test.db, shut.user.id, writer.user.id)
  expect(await mentionsOf(shut)).toEqual([])
  expect((await call(writer, 'GET', `/api/posts/${made.id}`)).mentions.map(({ id }: { id: string }) => id)).toEqual([
    quiet.user.id,
    off.user.id,
  ])
})

it('notifies of mentions in held content once it is approved', async () => {
  const api = moderationCalls(test)
  const moderator = await api.moderator()
  const before = (await mentionsOf(ann)).length
  const content = 'It cures cancer, says @Ann Larkspur'
  const held = await post(content, [at(content, ann, 'Ann Larkspur')])
  expect(held).toMatchObject({ moderation: 'held', mentions: [{ kind: 'person' }] })
  expect(await mentionsOf(ann)).toHaveLength(before)
  await api.decided(moderator, await api.caseOf('post', held.id), { actions: [{ action: 'approve' }] })
  expect(await mentionsOf(ann)).toHaveLength(before + 1)
})

it('lists a comment with the time of its approval if it was held', async () => {
  const own = await call(ann, 'POST', '/api/posts', { title: 'What helps?', content: 'I ask', businessId: null })
  const held = (await call(writer, 'POST', `/api/posts/${own.id}/comments`, { content: 'It cures cancer' })) as Comment
  expect(held.moderation).toBe('held')
  test.clock.advance({ days: 1 })
  const api = moderationCalls(test)
  const moderator = await api.moderator()
  const decided = test.clock.now().toISOString()
  await api.decided(moderator, await api.caseOf('comment', held.id), { actions: [{ action: 'approve' }] })
  await test.runJobs()
  const [latest] = (await call(ann, 'GET', '/api/notifications')) as Notification[]
  expect(latest).toMatchObject({ type: 'comment', actionUrl: `/post/${own.id}#comment-${held.id}` })
  expect((latest?.createdAt ?? '') >= decided).toBe(true)
})

it('stores mentions in a draft, and drops those no longer possible when it is published', async () => {
  const person = await test.signUp({ firstName: 'Drew', lastName: 'Vale' })
  const content = 'With @Ann Larkspur and @Drew Vale'
  const mentions = [at(content, ann, 'Ann Larkspur'), at(content, person, 'Drew Vale')]
  const draft = await call(writer, 'POST', '/api/drafts', { title: 'Later', content, mentions })
  expect(draft.mentions).toEqual(mentions)
  await test.db.updateTable('users').set({ last_name: 'Renamed' }).where('id', '=', person.user.id).execute()
  const published = (await call(writer, 'POST', `/api/drafts/${draft.id}/publish`)) as Post
  expect(published.mentions.map(({ id }) => id)).toEqual([ann.user.id])
})
