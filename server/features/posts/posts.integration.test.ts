import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Business } from '#contracts/businesses.ts'
import type { Post } from '#contracts/posts.ts'
import { newId } from '#server/kernel/ids.ts'
import { addPostMedia } from '#tests/support/media-uses.ts'
import { addMedia, addPost } from '#tests/support/posts.ts'
import { giveRole } from '#tests/support/roles.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { audienceOf } from './index.ts'

let test: TestApp
let business: Business
let owner: TestPerson
let staff: TestPerson
let subscriber: TestPerson
let stranger: TestPerson
let blocker: TestPerson
let moderator: TestPerson
let young: TestPerson
const ids: Record<string, string> = {}
const pictures: Record<string, string> = {}

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  staff = await test.signUp()
  subscriber = await test.signUp()
  stranger = await test.signUp()
  blocker = await test.signUp()
  moderator = await test.signUp()
  young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
  business = (await test.request('POST', '/api/businesses', owner, { businessName: 'Poster', location: 'Denver, CO' })).json()
  await test.db.insertInto('business_members').values({ business_id: business.id, user_id: staff.user.id, role: 'staff' }).execute()
  await giveRole(test, moderator, 'moderator')
  await test.request('POST', '/api/subscriptions', subscriber, { businessId: business.id })
  await test.request('POST', '/api/subscriptions', young, { businessId: business.id })
  await test.db.insertInto('business_blocks').values({ business_id: business.id, user_id: blocker.user.id }).execute()
  // The author blocked this person, which hides what she wrote under her own name but not her business's posts.
  await test.db.insertInto('person_blocks').values({ blocker_id: owner.user.id, blocked_id: stranger.user.id }).execute()
  const kinds = [
    ['Open', { post_type: 'update', is_exclusive: false }],
    ['Secret', { post_type: 'update', is_exclusive: true }],
    ['Sale', { post_type: 'promotion', is_exclusive: false }],
    ['Drop', { post_type: 'product', is_exclusive: true }],
    ['Own', { business_id: null }],
  ] as const
  for (const [day, [title, details]] of kinds.entries()) {
    const { id } = await addPost(test.db, {
      author_id: owner.user.id,
      business_id: business.id,
      title,
      content: `Words of ${title}`,
      source_image_url: `https://pictures.example/${title}.jpg`,
      tags: [`tag-of-${title}`],
      place: `Place of ${title}`,
      created_at: new Date(Date.UTC(2026, 0, day + 1)),
      ...details,
    })
    const picture = await addMedia(test.db, owner.user.id)
    await addPostMedia(test.db, id, [picture.id])
    ids[title] = id
    pictures[title] = picture.id
  }
})
afterAll(() => test?.close())

const idOf = (title: string) => ids[title] as string

const posts = async (as: TestPerson | null, query = '') => {
  const answer = await test.request('GET', `/api/businesses/${business.slug}/posts${query}`, as)
  expect(answer.statusCode, answer.body).toBe(200)
  return { list: answer.json() as Post[], body: answer.body }
}
const seen = async (as: TestPerson | null) => (await posts(as)).list.map((post) => (post.isLocked ? `(${post.title})` : post.title))

/** Each person's expected view of each post: full, title only, or 404. */
const people = () =>
  [
    [owner, ['Drop', 'Sale', 'Secret', 'Open'], { Own: 'open' }],
    [staff, ['Drop', 'Sale', 'Secret', 'Open'], { Own: 'open' }],
    [subscriber, ['Drop', 'Sale', 'Secret', 'Open'], { Own: 'open' }],
    [stranger, ['(Drop)', 'Sale', '(Secret)', 'Open'], { Own: 'absent' }],
    [moderator, ['(Drop)', 'Sale', '(Secret)', 'Open'], { Own: 'open' }],
    [young, ['Secret', 'Open'], { Own: 'open' }],
    [blocker, [], { Own: 'open' }],
  ] as const

it('shows each person the posts they may see, in the list and individually', async () => {
  for (const [person, list, { Own }] of people()) {
    expect(await seen(person)).toEqual(list)
    const expected = new Map<string, string>([
      ['Own', Own],
      ...list.map((title) => [title.replace(/[()]/g, ''), title.startsWith('(') ? 'locked' : 'open'] as const),
    ])
    for (const title of Object.keys(ids)) {
      const answer = await test.request('GET', `/api/posts/${ids[title]}`, person)
      const found = answer.statusCode === 404 ? 'absent' : (answer.json() as Post).isLocked ? 'locked' : 'open'
      expect(found, title).toBe(expected.get(title) ?? 'absent')
      if (found !== 'open') expect(answer.body).not.toMatch(new RegExp(`Words of|tag-of|Place of|${pictures[title]}|pictures.example`))
    }
  }
  expect(await seen(null)).toEqual(['(Secret)', 'Open'])
})

it('shows only a locked post’s title and that it is exclusive', async () => {
  const { list, body } = await posts(stranger)
  expect(list.find((post) => post.title === 'Secret')).toMatchObject({
    isExclusive: true,
    isLocked: true,
    content: '',
    imageUrl: null,
    media: [],
    place: null,
    tags: [],
    abilities: { like: false, comment: false, edit: false, delete: false, report: true },
  })
  expect(body).not.toMatch(/Words of Secret|Words of Drop|tag-of-Secret|Place of Secret/)
  for (const title of ['Secret', 'Drop']) expect(body).not.toContain(pictures[title])
})

it('shows only pictures from this server, and hides the person who posts for a business', async () => {
  const { list, body } = await posts(subscriber)
  const open = list.find((post) => post.title === 'Open')
  expect(open).toMatchObject({
    author: null,
    business: { id: business.id, type: business.type },
    place: 'Place of Open',
    tags: ['tag-of-Open'],
  })
  expect(open?.imageUrl).toBe(`/media/${pictures.Open}/large.webp`)
  expect(open?.media[0]?.sources.map((source) => source.width)).toEqual([320, 640, 1200])
  expect(body).not.toContain('pictures.example')
  expect(body).not.toContain(owner.user.id)
})

it('returns the viewer’s abilities', async () => {
  const abilitiesFor = async (as: TestPerson, title: string) =>
    ((await test.request('GET', `/api/posts/${ids[title]}`, as)).json() as Post).abilities
  expect(await abilitiesFor(staff, 'Open')).toEqual({ like: true, comment: true, edit: true, delete: true, report: false })
  expect(await abilitiesFor(staff, 'Own')).toEqual({ like: true, comment: true, edit: false, delete: false, report: true })
  expect(await abilitiesFor(owner, 'Own')).toEqual({ like: true, comment: true, edit: true, delete: true, report: false })
  expect(await abilitiesFor(moderator, 'Secret')).toEqual({ like: false, comment: false, edit: false, delete: false, report: true })
})

it('lists a person’s own posts if their profile is public', async () => {
  const titles = async (as: TestPerson) => {
    const answer = await test.request('GET', `/api/people/${owner.user.id}/posts`, as)
    return answer.statusCode === 200 ? (answer.json() as Post[]).map((post) => post.title) : answer.statusCode
  }
  expect(await titles(owner)).toEqual(['Own'])
  expect(await titles(subscriber)).toEqual([])
  await test.db.updateTable('users').set({ is_profile_public: true }).where('id', '=', owner.user.id).execute()
  expect(await titles(subscriber)).toEqual(['Own'])
  expect(await titles(stranger)).toBe(404)
  expect((await test.request('GET', `/api/people/${newId()}/posts`, subscriber)).statusCode).toBe(404)
})

it('shows pictures only to people who may read the post', async () => {
  const now = test.clock.now()
  const access = async (as: TestPerson | null, title: string) => {
    await test.ctx.storage.put(`media/${pictures[title]}/small.webp`, Buffer.from('a picture'), 'image/webp')
    const { statusCode, headers } = await test.request('GET', `/media/${pictures[title]}/small.webp`, as)
    return statusCode === 404 ? 'denied' : headers['cache-control'] === 'private, no-cache' ? 'allowed' : 'public'
  }
  expect(await access(null, 'Open')).toBe('public')
  expect(await access(null, 'Secret')).toBe('denied')
  expect(await access(stranger, 'Secret')).toBe('denied')
  expect(await access(moderator, 'Secret')).toBe('denied')
  expect(await access(subscriber, 'Secret')).toBe('allowed')
  expect(await access(null, 'Sale')).toBe('denied')
  expect(await access(young, 'Sale')).toBe('denied')
  expect(await access(stranger, 'Sale')).toBe('allowed')
  expect(await access(null, 'Own')).toBe('denied')
  expect(await access(stranger, 'Own')).toBe('denied')
  expect(await access(young, 'Own')).toBe('allowed')

  // Checks the same rule for many people in one query, as notifications do.
  const all = people().map(([person]) => person)
  for (const [person, list] of people()) {
    for (const title of ['Open', 'Secret', 'Sale', 'Drop']) {
      const audience = await audienceOf(
        test.db,
        idOf(title),
        all.map((each) => each.user.id),
        now,
      )
      const expected = list.find((each) => each.replace(/[()]/g, '') === title)
      expect(audience.get(person.user.id)).toEqual(expected === undefined ? undefined : { isLocked: expected.startsWith('(') })
    }
  }
  const own = await audienceOf(
    test.db,
    idOf('Own'),
    all.map((each) => each.user.id),
    now,
  )
  expect([...own.keys()].sort()).toEqual(
    all
      .filter((person) => person !== stranger)
      .map((person) => person.user.id)
      .sort(),
  )
})

it('locks posts again when the subscription ends, and shows them again when a block ends', async () => {
  await test.request('DELETE', `/api/subscriptions/${business.id}`, subscriber)
  expect((await posts(subscriber)).body).not.toContain('Words of Secret')
  await test.db.deleteFrom('business_blocks').where('user_id', '=', blocker.user.id).execute()
  expect(await seen(blocker)).toEqual(['(Drop)', 'Sale', '(Secret)', 'Open'])
  await test.db.deleteFrom('person_blocks').where('blocked_id', '=', stranger.user.id).execute()
  expect((await test.request('GET', `/api/posts/${idOf('Own')}`, stranger)).statusCode).toBe(200)
  await test.db.insertInto('person_blocks').values({ blocker_id: stranger.user.id, blocked_id: owner.user.id }).execute()
  expect((await test.request('GET', `/api/posts/${idOf('Own')}`, stranger)).statusCode).toBe(404)
})

it('fills pages with posts that the viewer may see', async () => {
  const answer = await test.request('GET', `/api/businesses/${business.id}/posts?limit=1`)
  expect((answer.json() as Post[]).map((post) => post.title)).toEqual(['Secret'])
  expect(answer.headers.link).toContain('rel="next"')
})

it('returns 404 for missing posts', async () => {
  expect((await test.request('GET', `/api/businesses/${newId()}/posts`)).statusCode).toBe(404)
  expect((await test.request('GET', `/api/posts/${newId()}`, owner)).statusCode).toBe(404)
})
