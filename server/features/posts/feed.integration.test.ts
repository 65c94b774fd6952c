import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { FeedPost } from '#contracts/posts.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addPost } from '#tests/support/posts.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let reader: TestPerson
let young: TestPerson
let ann: TestPerson
let farm: TestBusiness
let shop: TestBusiness
let own: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
  reader = await test.signUp()
  young = await test.signUp({ birthday: `${test.clock.now().getUTCFullYear() - 20}-01-01` })
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Lee' })
  farm = await addBusiness(test.db, { name: 'Green Hills Farm', type: 'farm' })
  shop = await addBusiness(test.db, { name: 'Corner Shop', type: 'dispensary' })
  own = await addBusiness(test.db, { name: 'My Place', type: 'smoke_shop' })
  await test.db.insertInto('business_members').values({ business_id: own.id, user_id: reader.user.id, role: 'owner' }).execute()
})
afterAll(() => test?.close())

/** If a person follows more sources than fit on a page, another query reads their feed. */
const setFollowingCount = (as: TestPerson, count: number) =>
  test.db.updateTable('users').set({ following_count: count }).where('id', '=', as.user.id).execute()

const feed = async (as: TestPerson, query = '') => {
  const read = async (followingCount: number) => {
    await setFollowingCount(as, followingCount)
    const answer = await test.request('GET', `/api/feed${query}`, as)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json() as FeedPost[]
  }
  const posts = await read(3)
  expect(await read(1000)).toEqual(posts)
  return posts
}
const suggestions = async (as: TestPerson, query = '') =>
  (await test.request('GET', `/api/feed/suggestions${query}`, as)).json() as FeedPost[]
const day = (number: number) => new Date(Date.UTC(2026, 2, number))

it('lists posts by followed people and businesses, each with the reason it is shown', async () => {
  const stranger = await test.signUp()
  expect(await feed(reader)).toEqual([])
  const of = (title: string, number: number, details: object) =>
    addPost(test.db, { author_id: ann.user.id, title, content: `Words of ${title}`, created_at: day(number), ...details })
  await of('Of the farm', 1, { business_id: farm.id })
  await of('Of Ann', 2, {})
  await of('Of the shop', 3, { business_id: shop.id, is_exclusive: true })
  await of('Sale', 4, { business_id: farm.id, post_type: 'promotion' })
  await of('Mine', 5, { author_id: reader.user.id })
  await of('Of my place', 6, { business_id: own.id })
  await of('By me for my place', 7, { business_id: own.id, author_id: reader.user.id })
  await of('Of a stranger', 8, { author_id: stranger.user.id })
  for (const each of [reader, young]) {
    await test.db
      .insertInto('business_follows')
      .values([farm, shop].map(({ id }) => ({ user_id: each.user.id, business_id: id, is_implied: id === shop.id })))
      .execute()
    await test.db.insertInto('person_follows').values({ follower_id: each.user.id, person_id: ann.user.id }).execute()
  }
  await test.db.insertInto('subscriptions').values({ user_id: reader.user.id, business_id: shop.id }).execute()

  expect((await feed(reader)).map((post) => [post.title, post.reason.kind, post.reason.text, post.isLocked])).toEqual([
    ['By me for my place', 'own', 'Your post', false],
    ['Of my place', 'own', 'You’re on the team of My Place', false],
    ['Mine', 'own', 'Your post', false],
    ['Sale', 'business', 'You follow Green Hills Farm', false],
    ['Of the shop', 'subscription', 'You subscribe to Corner Shop', false],
    ['Of Ann', 'person', 'You follow Ann Lee', false],
    ['Of the farm', 'business', 'You follow Green Hills Farm', false],
  ])
  expect((await feed(reader, '?type=farm')).map((post) => post.title)).toEqual(['Sale', 'Of the farm'])
  expect((await feed(reader, '?type=dispensary')).map((post) => post.title)).toEqual(['Of the shop'])
  // The younger person has no subscriptions and sees no advertising.
  const theirs = await feed(young)
  expect(theirs.map((post) => [post.title, post.isLocked, post.content])).toEqual([
    ['Of the shop', true, ''],
    ['Of Ann', false, 'Words of Of Ann'],
    ['Of the farm', false, 'Words of Of the farm'],
  ])
  expect((await test.request('GET', '/api/feed')).statusCode).toBe(401)
})

it('leaves out posts by people who blocked the viewer and by businesses that the viewer blocked', async () => {
  const titles = async () => (await feed(reader)).map((post) => post.title)
  const before = await titles()
  // Blocking removes the follow. Even a leftover follow must show nothing.
  await test.db.insertInto('person_blocks').values({ blocker_id: ann.user.id, blocked_id: reader.user.id }).execute()
  expect(await titles()).toEqual(before.filter((title) => title !== 'Of Ann'))
  await test.db.insertInto('business_blocks').values({ business_id: farm.id, user_id: reader.user.id }).execute()
  expect(await titles()).toEqual(before.filter((title) => !['Of Ann', 'Sale', 'Of the farm'].includes(title)))
  // The page is still full: hidden posts don't count toward the limit.
  expect(await feed(reader, '?limit=4')).toHaveLength(4)
  await test.db.deleteFrom('person_blocks').execute()
  await test.db.deleteFrom('business_blocks').execute()
  expect(await titles()).toEqual(before)
})

it('paginates without gaps or repeats while posts are added and removed', async () => {
  const people = [await test.signUp(), await test.signUp()]
  const me = await test.signUp()
  const places = [await addBusiness(test.db), await addBusiness(test.db), await addBusiness(test.db)]
  await test.db
    .insertInto('person_follows')
    .values(people.map(({ user }) => ({ follower_id: me.user.id, person_id: user.id })))
    .execute()
  await test.db
    .insertInto('business_follows')
    .values(places.map(({ id }) => ({ user_id: me.user.id, business_id: id })))
    .execute()
  // Only a few timestamps, so that many posts share one, and only the ID orders them.
  const post = fc.record({ source: fc.nat(4), moment: fc.nat(6) })
  const add = ({ source, moment }: { source: number; moment: number }) =>
    addPost(test.db, {
      author_id: (people[source % 2] as TestPerson).user.id,
      business_id: source < 3 ? (places[source] as TestBusiness).id : null,
      created_at: new Date(Date.UTC(2026, 3, 1, 0, 0, moment)),
    })
  const between = fc.record({ added: fc.array(post, { maxLength: 4 }), removed: fc.array(fc.nat(60), { maxLength: 3 }) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(post, { maxLength: 40 }),
      fc.array(between, { minLength: 30, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      async (initial, changes, limit) => {
        await test.db
          .deleteFrom('posts')
          .where(
            'author_id',
            'in',
            people.map(({ user }) => user.id),
          )
          .execute()
        const there = new Set<string>()
        for (const each of initial) there.add((await add(each)).id)
        const all = [...there]
        const paged: FeedPost[] = []
        let url: string | null = `/api/feed?limit=${limit}`
        for (let i = 0; url !== null; i++) {
          await setFollowingCount(me, i % 2 === 0 ? 5 : 1000)
          const answer = await test.request('GET', url, me)
          paged.push(...(answer.json() as FeedPost[]))
          url = nextPage(answer.headers.link as string | undefined)
          const { added, removed } = changes[i] ?? { added: [], removed: [] }
          for (const each of added) all.push((await add(each)).id)
          for (const index of removed) {
            const [gone] = all.splice(index % Math.max(1, all.length), 1)
            if (gone === undefined) continue
            there.delete(gone)
            await test.db.deleteFrom('posts').where('id', '=', gone).execute()
          }
        }
        const ids = paged.map((each) => each.id)
        expect(new Set(ids).size).toBe(ids.length)
        expect([...there].filter((id) => !ids.includes(id))).toEqual([])
        const keys = paged.map((each) => `${each.createdAt} ${each.id}`)
        expect(keys).toEqual([...keys].sort().reverse())
      },
    ),
    { numRuns: 20 },
  )
})

it('suggests recent posts of unrelated businesses, the best liked first', async () => {
  await test.db.deleteFrom('posts').execute()
  const person = await test.signUp()
  const hoursAgo = (hours: number) => new Date(test.clock.now().getTime() - hours * 3_600_000)
  const [followed, blocked, ours, a, b] = await Promise.all(Array.from({ length: 5 }, () => addBusiness(test.db, { type: 'farm' })))
  const suggestedBy = (business: TestBusiness | undefined, title: string, details: object = {}) =>
    addPost(test.db, { author_id: ann.user.id, business_id: business?.id as string, title, created_at: hoursAgo(2), ...details })
  await suggestedBy(followed, 'Followed')
  await suggestedBy(blocked, 'Blocked')
  await suggestedBy(ours, 'Ours')
  await suggestedBy(a, 'Old', { created_at: hoursAgo(24 * 31), likes_count: 1000 })
  await suggestedBy(a, 'Exclusive', { is_exclusive: true })
  await suggestedBy(a, 'Was liked', { created_at: hoursAgo(24 * 12), likes_count: 12 })
  const liked = await suggestedBy(a, 'Liked', { likes_count: 5, comments_count: 3 })
  await suggestedBy(a, 'Third of one', { created_at: hoursAgo(24 * 25) })
  await suggestedBy(b, 'Quiet', { created_at: hoursAgo(5) })
  await suggestedBy(b, 'Sale', { created_at: hoursAgo(4), post_type: 'promotion' })
  await suggestedBy(shop, 'Of a shop', { created_at: hoursAgo(24 * 20) })
  await addPost(test.db, { author_id: ann.user.id, title: 'Of a person', created_at: hoursAgo(1) })
  for (const each of [person, young]) {
    const user_id = each.user.id
    await test.db
      .insertInto('business_follows')
      .values({ user_id, business_id: followed?.id as string })
      .execute()
    await test.db
      .insertInto('business_blocks')
      .values({ user_id, business_id: blocked?.id as string })
      .execute()
    await test.db
      .insertInto('business_members')
      .values({ user_id, business_id: ours?.id as string, role: 'staff' })
      .execute()
  }
  for (let i = 0; i < 5; i++) {
    const { user } = await test.signUp()
    await test.db
      .insertInto('post_likes')
      .values({ post_id: liked.id, user_id: user.id, created_at: hoursAgo(i * 24) })
      .execute()
  }
  expect((await suggestions(person)).map((post) => [post.title, post.reason])).toEqual([
    ['Liked', { kind: 'suggestion', text: 'Suggested: popular this week' }],
    ['Sale', { kind: 'suggestion', text: 'Suggested: new from businesses you might like' }],
    ['Quiet', { kind: 'suggestion', text: 'Suggested: new from businesses you might like' }],
    ['Was liked', { kind: 'suggestion', text: 'Suggested: new from businesses you might like' }],
    ['Of a shop', { kind: 'suggestion', text: 'Suggested: new from businesses you might like' }],
  ])
  expect((await suggestions(person, '?type=farm')).map((post) => post.title)).not.toContain('Of a shop')
  // The younger person has followed the shop since the first test.
  expect((await suggestions(young)).map((post) => post.title)).toEqual(['Liked', 'Quiet', 'Was liked'])
  // Last week's likes don't count for this week.
  await test.db
    .updateTable('post_likes')
    .set({ created_at: hoursAgo(24 * 8) })
    .where('post_id', '=', liked.id)
    .execute()
  expect((await suggestions(person))[0]?.reason.text).toBe('Suggested: new from businesses you might like')
})

it('suggests posts by businesses near a place before better-liked ones elsewhere', async () => {
  await test.db.deleteFrom('posts').execute()
  const person = await test.signUp()
  const here = await addBusiness(test.db, {
    claimed_at: test.clock.now(),
    city: 'Denver',
    state: 'CO',
    pin_latitude: 39.74,
    pin_longitude: -104.99,
  })
  const away = await addBusiness(test.db, {
    claimed_at: test.clock.now(),
    city: 'Portland',
    state: 'OR',
    pin_latitude: 45.5,
    pin_longitude: -122.6,
  })
  const hoursAgo = (hours: number) => new Date(test.clock.now().getTime() - hours * 3_600_000)
  const publish = (business: TestBusiness, title: string, hours: number, likes: number) =>
    addPost(test.db, { author_id: ann.user.id, business_id: business.id, title, created_at: hoursAgo(hours), likes_count: likes })
  await publish(away, 'Away', 1, 50)
  await publish(here, 'Here', 48, 0)
  // Newer posts elsewhere don't hide those nearby.
  await test.db
    .insertInto('posts')
    .values(
      Array.from({ length: 310 }, (_, i) => ({
        id: newId(),
        author_id: ann.user.id,
        business_id: away.id,
        title: `News ${i}`,
        content: 'Words',
        created_at: hoursAgo(2),
      })),
    )
    .execute()
  expect((await suggestions(person)).map(({ title }) => title)[0]).toBe('Away')
  expect((await suggestions(person, '?near=Denver,%20CO')).slice(0, 2).map(({ title, reason }) => [title, reason.text])).toEqual([
    ['Here', 'Suggested: new from a business near you'],
    ['Away', 'Suggested: new from businesses you might like'],
  ])
  expect((await test.request('GET', '/api/feed/suggestions?near=my%20basement', person)).statusCode).toBe(400)
})
