import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Comment } from '#contracts/comments.endpoints.ts'
import type { CommunityPost } from '#contracts/community-posts.ts'
import type { Post } from '#contracts/posts.ts'
import { moderatedPost } from '#server/features/posts/post.moderated.ts'
import type { EventName } from '#server/kernel/events.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addCommunity, joinCommunity, muteIn } from '#tests/support/communities.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import { addHunt } from '#tests/support/hunts.ts'
import { addProduct } from '#tests/support/menus.ts'
import { addMedia } from '#tests/support/posts.ts'
import { blockPerson } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let moderator: TestPerson
let member: TestPerson
let muted: TestPerson
let stranger: TestPerson
let blocked: TestPerson
let open: { id: string; slug: string; name: string }
let closed: { id: string; slug: string; name: string }
let secret: { id: string; slug: string; name: string }
let published: [EventName, unknown][] = []

beforeAll(async () => {
  test = await startTestApp()
  const publish = test.ctx.events.publish
  test.ctx.events.publish = async (tx, name, data) => {
    published.push([name, data])
    return publish(tx, name, data)
  }
  owner = await test.signUp()
  moderator = await test.signUp()
  member = await test.signUp()
  muted = await test.signUp()
  stranger = await test.signUp()
  blocked = await test.signUp()
  const people = {
    owner: owner.user.id,
    moderators: [moderator.user.id],
    members: [member.user.id, muted.user.id, blocked.user.id],
  }
  open = await addCommunity(test.db, people)
  closed = await addCommunity(test.db, people, { visibility: 'invite_only' })
  secret = await addCommunity(test.db, people, { visibility: 'private' })
  for (const { id } of [open, closed, secret]) await muteIn(test.db, id, muted.user.id, new Date(test.clock.now().getTime() + 86_400_000))
})
afterAll(async () => {
  expect(test && (await findWrongCounters(test.db))).toEqual([])
  await test?.close()
})
beforeEach(() => {
  published = []
})

const words = { title: 'A title', content: 'Some words', postType: 'discussion' }
const create = (as: TestPerson | null, post: object = {}) =>
  test.request('POST', '/api/community-posts', as, { ...words, communityId: open.id, ...post })
const made = async (as: TestPerson, post: object = {}) => {
  const answer = await create(as, post)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json() as CommunityPost
}
const read = (as: TestPerson | null, id: string) => test.request('GET', `/api/posts/${id}`, as)
const list = (as: TestPerson | null, query: string) => test.request('GET', `/api/community-posts?${query}`, as)
const titles = async (as: TestPerson, query: string) => ((await list(as, query)).json() as CommunityPost[]).map(({ title }) => title)
const comment = (as: TestPerson, id: string, content = 'An answer') => test.request('POST', `/api/posts/${id}/comments`, as, { content })
const postCount = async (communityId: string) =>
  (await test.db.selectFrom('communities').select('post_count').where('id', '=', communityId).executeTakeFirstOrThrow()).post_count

it('returns a post with the specified fields and counts it only in its community', async () => {
  const picture = await addMedia(test.db, member.user.id)
  const before = await postCount(open.id)
  const post = await made(member, { title: 'Week 6', postType: 'grow_update', tags: ['#Soil', 'soil'], mediaIds: [picture.id] })
  expect(post).toMatchObject({
    postType: 'grow_update',
    author: { id: member.user.id, displayName: expect.any(String), profileImageUrl: null },
    likesCount: 0,
    commentsCount: 0,
    isLiked: false,
    tags: ['soil'],
    moderation: null,
    community: { id: open.id, slug: open.slug, name: open.name, visibility: 'public', isPinned: false, poll: null, link: null },
    abilities: { like: true, comment: true, edit: true, delete: true, report: false },
  })
  expect(post.images).toHaveLength(1)
  expect(post.images[0]).toContain(picture.id)
  expect(await postCount(open.id)).toBe(before + 1)
  const { posts_count } = await test.db.selectFrom('users').select('posts_count').where('id', '=', member.user.id).executeTakeFirstOrThrow()
  expect(posts_count).toBe(0)
  expect(published).toEqual([])

  expect((await test.request('DELETE', `/api/posts/${post.id}`, member)).statusCode).toBe(204)
  expect(await postCount(open.id)).toBe(before)
})

it('keeps a post out of all lists outside its community', async () => {
  await test.request('PUT', `/api/people/${member.user.id}/follow`, stranger)
  const post = await made(member, { title: 'Only here' })
  expect(await titles(member, `communityId=${open.id}`)).toContain('Only here')
  for (const [as, path] of [
    [member, '/api/feed'],
    [stranger, '/api/feed'],
    [stranger, '/api/feed/suggestions'],
    [stranger, `/api/people/${member.user.id}/posts`],
    [member, `/api/people/${member.user.id}/posts`],
  ] as const) {
    expect((await test.request('GET', path, as)).body, path).not.toContain(post.id)
  }
})

it('lets people post only if they may write in the community', async () => {
  const status = async (as: TestPerson | null, communityId: string) => (await create(as, { communityId })).statusCode
  for (const community of [open, closed, secret]) {
    expect(await status(owner, community.id)).toBe(201)
    expect(await status(moderator, community.id)).toBe(201)
    expect(await status(member, community.id)).toBe(201)
    expect(await status(muted, community.id)).toBe(403)
    expect(await status(null, community.id)).toBe(401)
  }
  expect(await status(stranger, open.id)).toBe(403)
  expect(await status(stranger, closed.id)).toBe(403)
  expect(await status(stranger, secret.id)).toBe(404)
  expect(await status(member, newId())).toBe(404)
})

it('shows posts by link, in lists, and with comments to people who can read the community', async () => {
  const posts = {
    open: await made(member, { title: 'Open' }),
    closed: await made(member, { communityId: closed.id, title: 'Closed' }),
    secret: await made(member, { communityId: secret.id, title: 'Secret' }),
  }
  for (const as of [owner, moderator, member, muted]) {
    for (const post of Object.values(posts)) expect((await read(as, post.id)).statusCode).toBe(200)
  }
  expect((await read(stranger, posts.open.id)).statusCode).toBe(200)
  for (const post of [posts.closed, posts.secret]) {
    for (const path of ['', '/comments']) expect((await test.request('GET', `/api/posts/${post.id}${path}`, stranger)).statusCode).toBe(404)
    for (const [method, path, body] of [
      ['PUT', `/api/posts/${post.id}/like`, undefined],
      ['POST', `/api/posts/${post.id}/comments`, { content: 'Hello' }],
      ['PATCH', `/api/posts/${post.id}`, { title: 'Mine' }],
      ['DELETE', `/api/posts/${post.id}`, undefined],
      ['PUT', `/api/community-posts/${post.id}/pin`, undefined],
      ['PUT', `/api/community-posts/${post.id}/vote`, { position: 0 }],
      ['PUT', `/api/community-posts/${post.id}/accepted-answer`, { commentId: newId() }],
      ['GET', `/api/community-posts/${post.id}/accepted-answer`, undefined],
    ] as const) {
      expect((await test.request(method, path, stranger, body)).statusCode, path).toBe(404)
    }
  }
  expect((await read(null, posts.open.id)).statusCode).toBe(401)
  expect((await list(stranger, `communityId=${open.id}`)).statusCode).toBe(200)
  expect((await list(stranger, `communityId=${closed.id}`)).statusCode).toBe(403)
  expect((await list(stranger, `communityId=${secret.id}`)).statusCode).toBe(404)
})

it('lets members like and comment, and lets other people and muted members only read', async () => {
  const post = await made(member)
  for (const [as, status] of [
    [owner, 200],
    [muted, 403],
    [stranger, 403],
  ] as const) {
    expect((await test.request('PUT', `/api/posts/${post.id}/like`, as)).statusCode).toBe(status)
    expect((await comment(as, post.id)).statusCode).toBe(status === 200 ? 201 : 403)
    const { abilities } = (await read(as, post.id)).json() as Post
    expect(abilities).toMatchObject({ like: status === 200, comment: status === 200, edit: false, report: true })
  }
  // A person who has left in the meantime can remove a like and delete a comment, but not write.
  const left = await test.signUp()
  await joinCommunity(test.db, open.id, left.user.id)
  const said = (await comment(left, post.id)).json() as Comment
  await test.request('PUT', `/api/posts/${post.id}/like`, left)
  await test.db.deleteFrom('community_members').where('user_id', '=', left.user.id).execute()
  expect((await test.request('PATCH', `/api/comments/${said.id}`, left, { content: 'Other words' })).statusCode).toBe(403)
  expect((await test.request('DELETE', `/api/posts/${post.id}/like`, left)).json()).toMatchObject({ isLiked: false, likesCount: 1 })
  expect((await test.request('DELETE', `/api/comments/${said.id}`, left)).statusCode).toBe(204)
})

it('hides a post across a block', async () => {
  const post = await made(blocked, { title: 'From someone blocked', communityId: secret.id })
  await blockPerson(test.db, member.user.id, blocked.user.id)
  expect((await read(member, post.id)).statusCode).toBe(404)
  expect(await titles(member, `communityId=${secret.id}`)).not.toContain('From someone blocked')
  expect(await titles(member, '')).not.toContain('From someone blocked')
  expect(await titles(owner, '')).toContain('From someone blocked')
  await test.db.deleteFrom('person_blocks').execute()
})

it('filters by type and tag, and paginates without losing or repeating a post', async () => {
  const here = await addCommunity(test.db, { owner: owner.user.id, members: [member.user.id] })
  for (let n = 0; n < 7; n++) await made(member, { communityId: here.id, title: `Post ${n}`, tags: n % 2 ? ['odd'] : ['even'] })
  await made(owner, { communityId: here.id, title: 'Why?', postType: 'question' })
  expect(await titles(member, `communityId=${here.id}&type=question`)).toEqual(['Why?'])
  expect(await titles(member, `communityId=${here.id}&tag=%23Odd`)).toEqual(['Post 5', 'Post 3', 'Post 1'])
  const seen: string[] = []
  for (let query = `communityId=${here.id}&limit=3`; query !== ''; ) {
    const page = await list(member, query)
    seen.push(...(page.json() as CommunityPost[]).map(({ title }) => title))
    query = /\?([^>]*)>/.exec(String(page.headers.link ?? ''))?.[1] ?? ''
  }
  expect(seen).toEqual(['Why?', 'Post 6', 'Post 5', 'Post 4', 'Post 3', 'Post 2', 'Post 1', 'Post 0'])
  const ids = ((await list(member, 'limit=100')).json() as CommunityPost[]).map(({ createdAt }) => createdAt)
  expect(ids).toEqual([...ids].sort().reverse())
  expect(await titles(member, 'limit=100&type=question&tag=odd')).toEqual([])
  expect(await titles(stranger, '')).toEqual([])
})

it('lets authors who may post in the community edit everything about their post except its type', async () => {
  const post = await made(member, { tags: ['first'] })
  const edit = (as: TestPerson, changes: object) => test.request('PATCH', `/api/posts/${post.id}`, as, changes)
  expect((await edit(member, { title: 'Better', tags: ['second'] })).json()).toMatchObject({
    title: 'Better',
    postType: 'discussion',
    tags: ['second'],
  })
  expect((await edit(member, { postType: 'update' })).statusCode).toBe(400)
  expect((await edit(member, { isExclusive: true })).statusCode).toBe(400)
  expect((await edit(moderator, { title: 'Mine' })).statusCode).toBe(403)
  // Community moderators hide posts by deciding a case, which gives a reason and can be appealed.
  expect((await test.request('DELETE', `/api/posts/${post.id}`, moderator)).statusCode).toBe(403)
  expect(((await read(moderator, post.id)).json() as Post).abilities).toMatchObject({ edit: false, delete: false, report: true })
  await muteIn(test.db, open.id, member.user.id, new Date(test.clock.now().getTime() + 60_000))
  expect((await edit(member, { title: 'Worse' })).statusCode).toBe(403)
  expect(((await read(member, post.id)).json() as Post).abilities).toMatchObject({ edit: false, delete: true })
  await test.db.deleteFrom('community_mutes').where('user_id', '=', member.user.id).execute()
})

it('shows a held post only to its author and counts it nowhere', async () => {
  const post = await made(member, { title: 'Held', tags: ['held-tag'] })
  await test.db.updateTable('posts').set({ moderation: 'held' }).where('id', '=', post.id).execute()
  await test.db
    .updateTable('communities')
    .set((eb) => ({ post_count: eb('post_count', '-', 1) }))
    .where('id', '=', open.id)
    .execute()
  expect((await read(member, post.id)).json()).toMatchObject({
    moderation: 'held',
    abilities: { like: false, comment: false, edit: true, delete: true },
  })
  for (const as of [owner, stranger]) expect((await read(as, post.id)).statusCode).toBe(404)
  expect(await titles(member, `communityId=${open.id}&limit=100`)).toContain('Held')
  expect(await titles(owner, `communityId=${open.id}&limit=100`)).not.toContain('Held')
  expect((await comment(member, post.id)).statusCode).toBe(403)
  const before = await postCount(open.id)
  expect((await test.request('DELETE', `/api/posts/${post.id}`, member)).statusCode).toBe(204)
  expect(await postCount(open.id)).toBe(before)
})

it('holds a post that a filter flags, and shows and counts it only after it is approved', async () => {
  const before = await postCount(open.id)
  const words = 'I sell ounces for $150, text me at 303-555-0147'
  const post = await made(member, { title: 'Fresh harvest', content: words, tags: ['for-sale'] })
  expect(post).toMatchObject({ moderation: 'held', abilities: { like: false, comment: false, edit: true, delete: true } })
  expect(await postCount(open.id)).toBe(before)
  expect((await read(owner, post.id)).statusCode).toBe(404)
  const found = () => test.db.selectFrom('moderation_cases').select(['community_id', 'source']).where('subject_id', '=', post.id).execute()
  expect(await found()).toEqual([{ community_id: open.id, source: 'filter' }])
  const tag = () => test.db.selectFrom('community_tags').select('score').where('tag', '=', 'for-sale').executeTakeFirst()
  expect(await tag()).toBeUndefined()
  await test.db.transaction().execute((tx) => moderatedPost.set(tx, test.ctx, post.id, null))
  expect((await read(owner, post.id)).statusCode).toBe(200)
  expect(await postCount(open.id)).toBe(before + 1)
  expect((await tag())?.score).toBeCloseTo(1, 2)
  // Followers aren't notified of community posts, and this one mentions no one.
  expect(published.map(([name]) => name)).toEqual(['content.held'])
})

it('links to a hunt, business, product, or strain if the viewer may see it', async () => {
  const { id: huntId } = await addHunt(test.db, member.user.id, { hunt_name: 'Secret hunt' })
  const business = await addBusiness(test.db, { name: 'Seed Bank', country: 'US', state: 'CO' })
  const product = await addProduct(test.db, business.id, { name: 'Blue seeds' })
  const of = async (as: TestPerson, id: string) => ((await read(as, id)).json() as Post).community?.link ?? null
  const hunt = await made(member, { link: { kind: 'hunt', id: huntId } })
  expect(await of(member, hunt.id)).toMatchObject({ kind: 'hunt', name: 'Secret hunt', path: `/pheno-hunt/${huntId}` })
  expect(await of(owner, hunt.id)).toBeNull()
  expect((await create(owner, { link: { kind: 'hunt', id: huntId } })).json()).toMatchObject({ fields: { link: expect.any(String) } })
  const shop = await made(member, { link: { kind: 'business', id: business.id } })
  expect(await of(owner, shop.id)).toMatchObject({ kind: 'business', name: 'Seed Bank', path: `/business/${business.slug}` })
  await test.db.insertInto('business_blocks').values({ user_id: owner.user.id, business_id: business.id }).execute()
  expect(await of(owner, shop.id)).toBeNull()
  const young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
  const goods = await made(member, { link: { kind: 'product', id: product } })
  expect(await of(member, goods.id)).toMatchObject({
    ...{ kind: 'product', name: 'Blue seeds', detail: 'Seed Bank', path: `/product/${product}` },
  })
  expect(await of(young, goods.id)).toBeNull()
  const strain = await made(member, { link: { kind: 'strain', name: 'Blue Dream' } })
  expect(await of(stranger, strain.id)).toMatchObject({ kind: 'strain', id: null, name: 'Blue Dream', path: '/strains/blue-dream' })
  const unlisted = await made(member, { link: { kind: 'strain', name: 'Grandma’s No. 7' } })
  expect(await of(stranger, unlisted.id)).toMatchObject({ path: `/search?q=${encodeURIComponent('Grandma’s No. 7')}` })
})

it('lets moderators pin at most three posts, and lists the latest pinned first', async () => {
  const posts = [
    await made(member, { title: 'One' }),
    await made(member, { title: 'Two' }),
    await made(member, { title: 'Three' }),
    await made(member, { title: 'Four' }),
  ]
  const pin = (as: TestPerson, n: number) => test.request('PUT', `/api/community-posts/${posts[n]?.id}/pin`, as)
  expect((await pin(member, 0)).statusCode).toBe(403)
  expect((await pin(muted, 0)).statusCode).toBe(403)
  expect((await pin(stranger, 0)).statusCode).toBe(403)
  for (const n of [0, 1]) expect((await pin(moderator, n)).json()).toMatchObject({ isPinned: true })
  expect((await pin(owner, 2)).statusCode).toBe(200)
  expect((await pin(owner, 2)).statusCode).toBe(200)
  expect((await pin(owner, 3)).statusCode).toBe(409)
  expect(await titles(stranger, `communityId=${open.id}&pinned=true`)).toEqual(['Three', 'Two', 'One'])
  const unpin = () => test.request('DELETE', `/api/community-posts/${posts[2]?.id}/pin`, moderator)
  expect((await unpin()).json()).toMatchObject({ isPinned: false })
  expect((await unpin()).statusCode).toBe(200)
  expect((await pin(moderator, 3)).statusCode).toBe(200)
  const entries = await test.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id'])
    .where('action', 'like', 'post.%pinned')
    .orderBy('sequence')
    .execute()
  expect(entries.map(({ action }) => action)).toEqual(['post.pinned', 'post.pinned', 'post.pinned', 'post.unpinned', 'post.pinned'])
  expect(((await read(moderator, posts[0]?.id as string)).json() as Post).community?.may.pin).toBe(true)
  expect(((await read(member, posts[0]?.id as string)).json() as Post).community?.may.pin).toBe(false)
})

it('lets the author of a question or a moderator accept an answer', async () => {
  const question = await made(member, { postType: 'question', communityId: secret.id })
  const first = (await comment(owner, question.id, 'First')).json() as Comment
  const second = (await comment(moderator, question.id, 'Second')).json() as Comment
  const accept = (as: TestPerson, commentId: string) =>
    test.request('PUT', `/api/community-posts/${question.id}/accepted-answer`, as, { commentId })
  const answer = (as: TestPerson) => test.request('GET', `/api/community-posts/${question.id}/accepted-answer`, as)
  expect((await answer(member)).statusCode).toBe(404)
  expect((await accept(blocked, first.id)).statusCode).toBe(403)
  expect((await accept(muted, first.id)).statusCode).toBe(403)
  expect((await accept(member, newId())).statusCode).toBe(404)
  published = []
  expect((await accept(member, first.id)).json()).toEqual({ id: question.id, acceptedCommentId: first.id })
  await accept(member, first.id)
  expect(published).toEqual([['answer.accepted', { postId: question.id, acceptedBy: member.user.id }]])
  expect((await answer(owner)).json()).toMatchObject({ id: first.id, content: 'First' })
  expect((await accept(moderator, second.id)).statusCode).toBe(200)
  expect(((await read(owner, question.id)).json() as Post).community?.acceptedCommentId).toBe(second.id)

  const reply = (
    await test.request('POST', `/api/posts/${question.id}/comments`, owner, { content: 'Yes', parentId: first.id })
  ).json() as Comment
  expect((await accept(member, reply.id)).statusCode).toBe(409)
  const other = await made(member, { communityId: secret.id })
  const elsewhere = (await comment(owner, other.id)).json() as Comment
  expect((await accept(member, elsewhere.id)).statusCode).toBe(404)
  expect(
    (await test.request('PUT', `/api/community-posts/${other.id}/accepted-answer`, member, { commentId: elsewhere.id })).statusCode,
  ).toBe(409)

  await test.request('DELETE', `/api/comments/${second.id}`, moderator)
  expect(((await read(owner, question.id)).json() as Post).community?.acceptedCommentId).toBeNull()
  await accept(member, first.id)
  await test.request('DELETE', `/api/comments/${first.id}`, owner)
  expect(((await read(owner, question.id)).json() as Post).community?.acceptedCommentId).toBeNull()
  expect((await answer(member)).statusCode).toBe(404)
  const third = (await comment(owner, question.id, 'Third')).json() as Comment
  await accept(member, third.id)
  expect((await test.request('DELETE', `/api/community-posts/${question.id}/accepted-answer`, member)).json()).toMatchObject({
    acceptedCommentId: null,
  })
})

it('refuses empty content, invalid polls, and post types reserved for businesses', async () => {
  const fields = async (post: object) => Object.keys((await create(member, post)).json().fields ?? {})
  expect(await fields({ content: '' })).toEqual(['content'])
  expect(await fields({ postType: 'poll' })).toEqual(['poll'])
  expect(await fields({ poll: { options: ['A', 'B'] } })).toEqual(['poll'])
  expect(await fields({ postType: 'poll', poll: { options: ['A', 'a'] } })).toEqual(['poll.options'])
  expect(await fields({ postType: 'poll', poll: { options: ['A'] } })).toEqual(['poll.options'])
  expect(await fields({ postType: 'promotion' })).toEqual(['postType'])
  expect(await fields({ mediaIds: [newId()] })).toEqual(['mediaIds'])
  expect((await list(member, 'pinned=true')).statusCode).toBe(400)
})
