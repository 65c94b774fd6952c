import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Post } from '#contracts/posts.ts'
import type { EventName } from '#server/kernel/events.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, licensed, type TestBusiness } from '#tests/support/businesses.ts'
import { addMedia, addPost } from '#tests/support/posts.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let staff: TestPerson
let person: TestPerson
let young: TestPerson
let moderator: TestPerson
let business: TestBusiness
let published: [EventName, unknown][] = []

beforeAll(async () => {
  test = await startTestApp()
  const publish = test.ctx.events.publish
  test.ctx.events.publish = async (tx, name, data) => {
    published.push([name, data])
    return publish(tx, name, data)
  }
  owner = await test.signUp()
  staff = await test.signUp()
  person = await test.signUp()
  moderator = await test.signUp()
  young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
  await giveRole(test, moderator, 'moderator')
  business = await addBusiness(test.db, { name: 'Writer', ...licensed })
  const member = (user: TestPerson, role: 'owner' | 'staff') => ({ business_id: business.id, user_id: user.user.id, role })
  await test.db
    .insertInto('business_members')
    .values([member(owner, 'owner'), member(staff, 'staff'), member(young, 'staff')])
    .execute()
})
afterAll(() => test?.close())
beforeEach(() => {
  published = []
})

const words = { title: 'A title', content: 'Some words' }
const create = (as: TestPerson | null, post: object = {}) => test.request('POST', '/api/posts', as, { ...words, ...post })
const edit = (as: TestPerson, id: string, changes: object) => test.request('PATCH', `/api/posts/${id}`, as, changes)
const remove = (as: TestPerson, id: string) => test.request('DELETE', `/api/posts/${id}`, as)
const postsCountOf = async (as: TestPerson) =>
  (await test.db.selectFrom('users').select('posts_count').where('id', '=', as.user.id).executeTakeFirstOrThrow()).posts_count

it('publishes in the author’s name, or for the only business they run', async () => {
  const own = (await create(person, { place: 'Denver, CO', tags: ['#Harvest', 'harvest', 'drying'] })).json() as Post
  expect(own).toMatchObject({
    businessId: null,
    author: { id: person.user.id },
    place: 'Denver, CO',
    tags: ['harvest', 'drying'],
    editedAt: null,
  })
  expect((await create(owner)).json()).toMatchObject({ businessId: business.id, author: null, business: { id: business.id } })
  expect((await create(owner, { businessId: null })).json()).toMatchObject({ businessId: null, author: { id: owner.user.id } })
  expect((await create(staff, { businessId: business.id, isExclusive: true })).json()).toMatchObject({ isExclusive: true, isLocked: false })
  expect(published).toContainEqual(['post.published', { postId: own.id }])
  const second = await addBusiness(test.db)
  await test.db.insertInto('business_members').values({ business_id: second.id, user_id: owner.user.id, role: 'owner' }).execute()
  expect((await create(owner)).json()).toMatchObject({ businessId: null })
  await test.db.deleteFrom('business_members').where('business_id', '=', second.id).execute()
  expect((await create(person, { businessId: business.id })).statusCode).toBe(403)
  expect((await create(person, { businessId: newId() })).statusCode).toBe(404)
  expect((await create(null)).statusCode).toBe(401)
})

it('reserves advertising and exclusive posts for businesses, and advertising for people of legal age', async () => {
  const refused = await create(person, { isExclusive: true, postType: 'promotion' })
  expect(refused.statusCode).toBe(400)
  expect(Object.keys(refused.json().fields).sort()).toEqual(['isExclusive', 'postType'])
  expect((await create(owner, { businessId: null, postType: 'product' })).json().fields).toHaveProperty('postType')
  expect((await create(owner, { postType: 'promotion' })).statusCode).toBe(201)
  const tooYoung = await create(young, { postType: 'promotion' })
  expect([tooYoung.statusCode, tooYoung.json().code]).toEqual([403, 'age_restricted'])
  expect((await create(young)).statusCode).toBe(201)
})

it('publishes once per idempotency key, concurrently or in sequence', async () => {
  const before = await postsCountOf(person)
  const send = (content: string) =>
    test.app.inject({
      method: 'POST',
      url: '/api/posts',
      headers: { cookie: person.cookie, 'idempotency-key': 'one-post' },
      payload: { ...words, content },
    })
  const answers = await Promise.all([send('Once'), send('Once'), send('Once')])
  answers.push(await send('Once'))
  expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([201]))
  expect(new Set(answers.map((answer) => answer.json().id)).size).toBe(1)
  expect(await postsCountOf(person)).toBe(before + 1)
  expect((await send('Other')).statusCode).toBe(422)
})

it('accepts the author’s ready uploads, each on one post, in order', async () => {
  const [a, b] = [await addMedia(test.db, person.user.id), await addMedia(test.db, person.user.id)]
  const foreign = await addMedia(test.db, owner.user.id)
  const unready = await addMedia(test.db, person.user.id, { status: 'processing' })
  for (const mediaIds of [[foreign.id], [unready.id], [newId()], [a.id, a.id], [a.id, foreign.id]]) {
    const answer = await create(person, { mediaIds })
    expect([answer.statusCode, Object.keys(answer.json().fields)]).toEqual([400, ['mediaIds']])
  }
  const post = (await create(person, { mediaIds: [b.id, a.id] })).json() as Post
  expect(post.media.map((each) => each.id)).toEqual([b.id, a.id])
  expect(post.imageUrl).toBe(`/media/${b.id}/large.webp`)
  expect((await create(person, { mediaIds: [a.id] })).statusCode).toBe(400)
  const c = await addMedia(test.db, person.user.id)
  expect(((await edit(person, post.id, { mediaIds: [c.id, b.id] })).json() as Post).media.map((each) => each.id)).toEqual([c.id, b.id])
  expect((await edit(person, post.id, { mediaIds: [c.id, c.id] })).statusCode).toBe(400)
  expect((await edit(person, post.id, { mediaIds: [foreign.id] })).statusCode).toBe(400)
  const raced = await addMedia(test.db, person.user.id)
  const answers = await Promise.all([1, 2, 3].map(() => create(person, { mediaIds: [raced.id] })))
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([201, 400, 400])
})

it('fetches an external picture once per idempotency key, and never reveals its address', async () => {
  const imageUrl = 'https://pictures.example/from-elsewhere.jpg'
  const send = () =>
    test.app.inject({
      method: 'POST',
      url: '/api/posts',
      headers: { cookie: person.cookie, 'idempotency-key': 'with-a-picture' },
      payload: { ...words, imageUrl },
    })
  const answers = [await send(), await send()]
  const fetched = await test.db.selectFrom('media').select(['id', 'owner_id', 'status']).where('source_url', '=', imageUrl).execute()
  for (const answer of answers) {
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toMatchObject({ imageUrl: `/media/${fetched[0]?.id}/large.webp`, media: [] })
    expect(answer.body).not.toContain('pictures.example')
  }
  expect(fetched).toEqual([{ id: expect.any(String), owner_id: person.user.id, status: 'processing' }])
  const { source_image_url } = await test.db
    .selectFrom('posts')
    .select('source_image_url')
    .where('id', '=', answers[0]?.json().id)
    .executeTakeFirstOrThrow()
  expect(source_image_url).toBe(imageUrl)
})

it('lets a post’s team or author edit it, and leaves omitted fields alone', async () => {
  const { id } = (await create(owner, { tags: ['kept'], place: 'Denver' })).json() as Post
  expect((await edit(staff, id, { title: 'Better' })).json()).toMatchObject({
    title: 'Better',
    content: 'Some words',
    tags: ['kept'],
    place: 'Denver',
  })
  expect((await edit(staff, id, { place: '' })).json()).toMatchObject({ place: null, editedAt: expect.any(String) })
  expect((await edit(person, id, { title: 'Mine' })).statusCode).toBe(403)
  expect((await edit(moderator, id, { title: 'Mine' })).statusCode).toBe(403)
  expect((await edit(person, newId(), { title: 'Mine' })).statusCode).toBe(404)
  expect((await edit(young, id, { postType: 'product' })).json().code).toBe('age_restricted')
  const own = (await create(person)).json() as Post
  expect((await edit(person, own.id, { isExclusive: true, postType: 'product' })).json().fields).toMatchObject({
    isExclusive: expect.any(String),
    postType: expect.any(String),
  })
  expect((await edit(person, own.id, {})).json()).toEqual(own)
  const left = await addPost(test.db, { author_id: person.user.id, business_id: business.id })
  expect((await edit(person, left.id, { title: 'Mine' })).statusCode).toBe(403)
})

it('refuses an edit of a post that someone else has edited since it was read', async () => {
  const { id, editedAt } = (await create(owner)).json() as Post
  const saved = (await edit(staff, id, { title: 'Better', editedAt })).json() as Post
  expect(saved).toMatchObject({ title: 'Better', editedAt: expect.any(String) })
  const refused = await edit(owner, id, { title: 'Best', editedAt })
  expect([refused.statusCode, refused.json().message]).toEqual([409, expect.stringContaining('edited in the meantime')])
  expect((await edit(owner, id, { title: 'Best', editedAt: saved.editedAt })).json()).toMatchObject({ title: 'Best' })
})

it('hides from outsiders the content of a post that later becomes exclusive', async () => {
  const { id } = (await create(owner, { content: 'A canary in the open' })).json() as Post
  await test.request('POST', `/api/posts/${id}/comments`, person, { content: 'First' })
  for (const each of [person, owner]) await test.request('PUT', `/api/posts/${id}/like`, each)
  await test.request('POST', '/api/subscriptions', young, { businessId: business.id })
  await edit(owner, id, { isExclusive: true })
  const read = await test.request('GET', `/api/posts/${id}`, person)
  expect(read.json()).toMatchObject({ isLocked: true, content: '', likesCount: 0, commentsCount: 0, isLiked: false })
  for (const url of [`/api/posts/${id}`, `/api/businesses/${business.id}/posts`, '/api/feed', '/api/feed/suggestions']) {
    expect((await test.request('GET', url, person)).body).not.toContain('canary')
  }
  expect((await test.request('GET', `/api/posts/${id}/comments`, person)).statusCode).toBe(404)
  expect((await test.request('POST', `/api/posts/${id}/comments`, person, { content: 'Second' })).statusCode).toBe(404)
  // The person can remove their own like, but doesn't learn the count.
  expect((await test.request('DELETE', `/api/posts/${id}/like`, person)).json()).toEqual({ id, isLiked: false, likesCount: 0 })
  for (const method of ['PUT', 'POST', 'DELETE'] as const) {
    expect((await test.request(method, `/api/posts/${id}/like`, person)).statusCode).toBe(403)
  }
})

it('lets only a post’s author or team delete it, with exact counts, and moderators only through a case', async () => {
  const before = await postsCountOf(owner)
  const { id } = (await create(owner)).json() as Post
  // A changing count would reveal who writes for the business.
  expect(await postsCountOf(owner)).toBe(before)
  expect((await remove(person, id)).statusCode).toBe(403)
  const answers = await Promise.all([remove(staff, id), remove(owner, id), remove(owner, id)])
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([204, 404, 404])
  expect(await postsCountOf(owner)).toBe(before)
  const named = (await create(owner, { businessId: null })).json() as Post
  expect(await postsCountOf(owner)).toBe(before + 1)
  const repeated = await Promise.all([1, 2, 3].map(() => remove(owner, named.id)))
  expect(repeated.map((answer) => answer.statusCode).sort()).toEqual([204, 404, 404])
  expect(await postsCountOf(owner)).toBe(before)
  const own = (await create(person)).json() as Post
  expect((await remove(owner, own.id)).statusCode).toBe(403)
  expect((await remove(moderator, own.id)).statusCode).toBe(403)
  expect((await remove(person, own.id)).statusCode).toBe(204)
  for (const each of [owner, staff, person, young]) {
    const { rows } = await test.db
      .selectFrom('posts')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('author_id', '=', each.user.id)
      .where('business_id', 'is', null)
      .executeTakeFirstOrThrow()
    expect(await postsCountOf(each)).toBe(rows)
  }
})

it('makes an exclusive post public only if no subscriber commented on it', async () => {
  const { id } = (await create(owner, { isExclusive: true })).json() as Post
  const comment = (as: TestPerson, content: string, businessId: string | null = null) =>
    test.request('POST', `/api/posts/${id}/comments`, as, { content, businessId })
  for (const from of [null, business.id]) expect((await comment(owner, 'From those who run it', from)).statusCode).toBe(201)
  expect((await edit(staff, id, { isExclusive: false })).json()).toMatchObject({ isExclusive: false })
  await edit(staff, id, { isExclusive: true })
  const subscriber = await test.signUp()
  await test.request('POST', '/api/subscriptions', subscriber, { businessId: business.id })
  const said = await comment(subscriber, 'Between us')
  expect(said.statusCode, said.body).toBe(201)
  const refused = await edit(owner, id, { isExclusive: false, title: 'Open now' })
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    'Subscribers commented on this post in confidence. Publish a new post instead.',
  ])
  expect((await test.request('GET', `/api/posts/${id}`, owner)).json()).toMatchObject({ isExclusive: true, title: 'A title' })
  expect((await edit(owner, id, { title: 'Still exclusive' })).statusCode).toBe(200)
  expect((await test.request('DELETE', `/api/comments/${said.json().id}`, subscriber)).statusCode).toBe(204)
  expect((await edit(owner, id, { isExclusive: false })).statusCode).toBe(200)
})

it('has a separate rate limit per account', async () => {
  // The limit is 60 per hour, here scaled to a tenth.
  const limited = await startTestApp({ env: { RATE_LIMIT_SCALE: '0.1' } })
  try {
    const [eager, other] = [await limited.signUp(), await limited.signUp()]
    // New accounts have a separate limit.
    await limited.db
      .updateTable('users')
      .set({ email_verified: true, created_at: new Date('2020-01-01') })
      .execute()
    const publish = async (as: TestPerson) => (await limited.request('POST', '/api/posts', as, words)).statusCode
    for (let i = 0; i < 6; i++) expect(await publish(eager)).toBe(201)
    expect(await publish(eager)).toBe(429)
    expect(await publish(other)).toBe(201)
    expect((await limited.request('PUT', `/api/people/${other.user.id}/follow`, eager)).statusCode).toBe(200)
  } finally {
    await limited.close()
  }
})
