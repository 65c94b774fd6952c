import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { PersonInList, Profile } from '#contracts/people.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { wrongFollowCounts } from '#tests/support/follow-counts.ts'
import { addPeople } from '#tests/support/people.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { changeBusinessFollow, changePersonFollow } from './index.ts'

let test: TestApp
let ann: TestPerson
let bob: TestPerson
let cleo: TestPerson

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  ann = await test.signUp({ firstName: 'Ann', lastName: 'Public' })
  bob = await test.signUp({ firstName: 'Bob', lastName: 'Public' })
  cleo = await test.signUp({ firstName: 'Cleo', lastName: 'Private' })
  await setPublic(ann, true)
  await setPublic(bob, true)
})

const setPublic = (person: TestPerson, isPublic: boolean) =>
  test.db.updateTable('users').set({ is_profile_public: isPublic }).where('id', '=', person.user.id).execute()
const person = (method: 'PUT' | 'DELETE', as: TestPerson | null, id: string) => test.request(method, `/api/people/${id}/follow`, as)
const business = (method: 'PUT' | 'DELETE', as: TestPerson | null, id: string) => test.request(method, `/api/businesses/${id}/follow`, as)
const blockPerson = (as: TestPerson, id: string) => test.request('PUT', `/api/people/${id}/block`, as)
const profile = async (as: TestPerson, of: TestPerson) => (await test.request('GET', `/api/people/${of.user.id}`, as)).json() as Profile
const statusOf = async (as: TestPerson, id: string) => (await test.request('GET', `/api/businesses/${id}/status`, as)).json()

it('follows and unfollows a person idempotently, and updates both counts', async () => {
  for (let i = 0; i < 2; i++) expect((await person('PUT', ann, bob.user.id)).json()).toEqual({ id: bob.user.id, isFollowing: true })
  expect(await profile(ann, bob)).toMatchObject({ isFollowing: true, followersCount: 1 })
  expect(await profile(bob, ann)).toMatchObject({ isFollowing: false, followingCount: 1 })
  for (let i = 0; i < 2; i++) expect((await person('DELETE', ann, bob.user.id)).json()).toEqual({ id: bob.user.id, isFollowing: false })
  expect(await profile(ann, bob)).toMatchObject({ isFollowing: false, followersCount: 0 })
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('refuses self-follows and follows across a block, with a different response depending on who blocked whom', async () => {
  expect((await person('PUT', ann, ann.user.id)).statusCode).toBe(403)
  expect((await person('PUT', ann, newId())).statusCode).toBe(404)
  expect((await person('PUT', null, ann.user.id)).statusCode).toBe(401)
  await blockPerson(bob, ann.user.id)
  const blocked = await person('PUT', ann, bob.user.id)
  expect(blocked.statusCode).toBe(404)
  expect(blocked.json()).toEqual((await person('PUT', ann, newId())).json())
  expect((await person('DELETE', ann, bob.user.id)).statusCode).toBe(404)
  const refused = await person('PUT', bob, ann.user.id)
  expect(refused.statusCode).toBe(409)
  expect(refused.json().message).toContain('Unblock')
  // Once you've blocked someone, the response doesn't reveal whether they've blocked you.
  await blockPerson(ann, bob.user.id)
  expect((await person('PUT', ann, bob.user.id)).json()).toEqual(refused.json())
})

it('follows a business for free, and ends a follow made by a subscription along with it', async () => {
  const { id } = await addBusiness(test.db)
  const subscribe = () => test.request('POST', '/api/subscriptions', ann, { businessId: id })
  const unsubscribe = () => test.request('DELETE', `/api/subscriptions/${id}`, ann)
  const count = async () => (await profile(ann, ann)).followingCount

  await subscribe()
  expect(await statusOf(ann, id)).toMatchObject({ isSubscribed: true, isFollowing: true })
  expect(await count()).toBe(1)
  expect((await business('DELETE', ann, id)).statusCode).toBe(409)
  await unsubscribe()
  expect(await statusOf(ann, id)).toMatchObject({ isSubscribed: false, isFollowing: false })
  expect(await count()).toBe(0)

  await business('PUT', ann, id)
  await subscribe()
  expect(await count()).toBe(1)
  await unsubscribe()
  expect(await statusOf(ann, id)).toMatchObject({ isSubscribed: false, isFollowing: true })

  await subscribe()
  expect((await business('PUT', ann, id)).json()).toEqual({ id, isFollowing: true })
  await unsubscribe()
  expect(await statusOf(ann, id)).toMatchObject({ isFollowing: true })
  expect((await business('DELETE', ann, id)).json()).toEqual({ id, isFollowing: false })
  expect(await count()).toBe(0)

  await subscribe()
  await business('PUT', ann, id)
  await unsubscribe()
  expect(await statusOf(ann, id)).toMatchObject({ isFollowing: true })
  expect(await wrongFollowCounts(test.db)).toEqual([])
  expect((await business('PUT', ann, newId())).statusCode).toBe(404)
  expect((await business('PUT', null, id)).statusCode).toBe(401)
})

it('lets people unfollow a business that moderators hid, but not follow it', async () => {
  const { id } = await addBusiness(test.db)
  await business('PUT', ann, id)
  await test.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', id).execute()
  expect((await business('PUT', bob, id)).statusCode).toBe(404)
  // The list omits the hidden business, so the count does too.
  expect((await test.request('GET', `/api/people/${ann.user.id}/following/businesses`, ann)).json()).toEqual([])
  expect((await profile(bob, ann)).followingCount).toBe(0)
  expect((await business('DELETE', ann, id)).json()).toEqual({ id, isFollowing: false })
  expect((await profile(ann, ann)).followingCount).toBe(0)
})

it('limits follows of people and businesses together to ten thousand', async () => {
  const [{ id }, { id: second }] = [await addBusiness(test.db), await addBusiness(test.db)]
  const setCount = (following_count: number) =>
    test.db.updateTable('users').set({ following_count }).where('id', '=', ann.user.id).execute()
  const subscribe = () => test.request('POST', '/api/subscriptions', ann, { businessId: second })
  await business('PUT', ann, id)
  await setCount(10_000)
  for (const refused of [await person('PUT', ann, bob.user.id), await business('PUT', ann, second), await subscribe()]) {
    expect([refused.statusCode, refused.json().message]).toEqual([409, 'You already follow 10,000, the most you can. Unfollow some first.'])
  }
  expect(await statusOf(ann, second)).toMatchObject({ isSubscribed: false, isFollowing: false })
  expect((await test.request('GET', `/api/businesses/${second}`)).json().subscriberCount).toBe(0)
  expect((await business('PUT', ann, id)).statusCode).toBe(200)
  expect((await test.request('POST', '/api/subscriptions', ann, { businessId: id })).statusCode).toBe(200)
  await setCount(9_999)
  expect((await person('PUT', ann, bob.user.id)).statusCode).toBe(200)
  await setCount(2)
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('publishes one event for a follow and one for a subscription', async () => {
  const { id } = await addBusiness(test.db)
  const published: unknown[] = []
  const { publish } = test.ctx.events
  test.ctx.events.publish = async (tx, name, data) => {
    published.push([name, data])
    return publish(tx, name, data)
  }
  for (let i = 0; i < 2; i++) {
    await person('PUT', ann, bob.user.id)
    await test.request('POST', '/api/subscriptions', ann, { businessId: id })
  }
  test.ctx.events.publish = publish
  expect(published).toEqual([
    ['person.followed', { personId: bob.user.id, followerId: ann.user.id }],
    ['business.subscribed', { businessId: id, userId: ann.user.id }],
  ])
})

it('counts exactly with a hundred concurrent followers and a hundred follows by one person', async () => {
  const followers = await addPeople(test.db, 100)
  const { id } = await addBusiness(test.db)
  const { ctx } = test
  await Promise.all([
    ...followers.map((each) => changePersonFollow(ctx, each, bob.user.id, true)),
    // Both directions at the same time: inconsistent lock order would deadlock here.
    ...followers.map((each) => changePersonFollow(ctx, bob.user.id, each, true)),
  ])
  await Promise.all([
    ...followers.map(() => changePersonFollow(ctx, ann.user.id, bob.user.id, true)),
    ...followers.map((each) => changeBusinessFollow(ctx, each, id, true)),
  ])
  expect(await profile(ann, bob)).toMatchObject({ followersCount: 101, followingCount: 100 })
  expect(await wrongFollowCounts(test.db)).toEqual([])

  await Promise.all([
    ...followers.slice(50).map((each) => changePersonFollow(ctx, each, bob.user.id, false)),
    ...followers.slice(50).map((each) => changePersonFollow(ctx, bob.user.id, each, false)),
    ...followers.slice(50).map((each) => changeBusinessFollow(ctx, each, id, false)),
    ...followers.slice(50).map(() => changePersonFollow(ctx, ann.user.id, bob.user.id, false)),
  ])
  expect(await profile(ann, bob)).toMatchObject({ followersCount: 50, followingCount: 50 })
  expect(await wrongFollowCounts(test.db)).toEqual([])
}, 60_000)

it('lists a public profile’s follows without private or blocked people, and lists a person’s own follows in full', async () => {
  const { id } = await addBusiness(test.db, { name: 'Followed' })
  for (const each of [ann, cleo]) await person('PUT', each, bob.user.id)
  await person('PUT', bob, cleo.user.id)
  await person('PUT', bob, ann.user.id)
  await business('PUT', bob, id)
  const list = async (as: TestPerson, of: TestPerson, which: string) => {
    const answer = await test.request('GET', `/api/people/${of.user.id}/${which}`, as)
    return answer.statusCode === 200 ? (answer.json() as PersonInList[]).map((each) => each.name) : answer.statusCode
  }
  const viewer = await test.signUp()
  expect(await list(bob, bob, 'followers')).toEqual(['Cleo Private', 'Ann Public'])
  expect(await list(viewer, bob, 'followers')).toEqual(['Ann Public'])
  expect(await list(cleo, bob, 'followers')).toEqual(['Cleo Private', 'Ann Public'])
  expect(await list(viewer, bob, 'following/people')).toEqual(['Ann Public'])
  expect(await list(bob, bob, 'following/people')).toEqual(['Ann Public', 'Cleo Private'])
  expect(await list(viewer, bob, 'following/businesses')).toEqual(['Followed'])
  const [first] = (await test.request('GET', `/api/people/${bob.user.id}/followers`, ann)).json() as PersonInList[]
  expect(first).toMatchObject({ name: 'Ann Public', isSelf: true, isFollowing: false })

  await blockPerson(viewer, ann.user.id)
  expect(await list(viewer, bob, 'followers')).toEqual([])
  expect(await list(ann, bob, 'followers')).toEqual(['Ann Public'])
  await test.request('PUT', `/api/businesses/${id}/block`, viewer)
  expect(await list(viewer, bob, 'following/businesses')).toEqual([])

  await person('PUT', ann, cleo.user.id)
  for (const which of ['followers', 'following/people', 'following/businesses']) {
    const refused = await test.request('GET', `/api/people/${cleo.user.id}/${which}`, ann)
    expect(refused.statusCode).toBe(403)
    expect(refused.json().message).toBe('This profile is private.')
    expect((await test.request('GET', `/api/people/${cleo.user.id}/${which}`, cleo)).statusCode).toBe(200)
    expect(await list(ann, viewer, which)).toBe(404)
    expect(await list(viewer, ann, which)).toBe(404)
  }
})

it('paginates followers without a gap, even with equal timestamps', async () => {
  const followers = await addPeople(test.db, 7)
  const created_at = new Date('2026-05-01')
  const follows = followers.map((id) => ({ follower_id: id, person_id: ann.user.id, created_at }))
  await test.db.insertInto('person_follows').values(follows).execute()
  const seen: string[] = []
  let url: string | null = `/api/people/${ann.user.id}/followers?limit=3`
  while (url !== null) {
    const answer = await test.request('GET', url, ann)
    seen.push(...(answer.json() as PersonInList[]).map((each) => each.id))
    url = nextPage(answer.headers.link as string | undefined)
  }
  expect(seen).toEqual([...followers].sort().reverse())
})
