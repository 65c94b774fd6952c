import type { Kysely } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { Person } from '#contracts/people.ts'
import { up as endBlocksWithinTeams } from '#server/db/migrations/20261201T0820-end-blocks-within-teams.ts'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from '#tests/support/business-events.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { wrongFollowCounts } from '#tests/support/follow-counts.ts'
import { addPeople } from '#tests/support/people.ts'
import { addPost, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let owner: TestPerson
let manager: TestPerson
let staff: TestPerson
let stranger: TestPerson
let person: TestPerson
let shop: TestBusiness
let postId: string

beforeAll(async () => {
  test = await startTestApp()
  owner = await test.signUp()
  manager = await test.signUp()
  staff = await test.signUp()
  stranger = await test.signUp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  person = await test.signUp()
  await test.db.updateTable('users').set({ has_completed_onboarding: true }).execute()
  shop = await addBusiness(test.db)
  await joinBusiness(test.db, owner.user.id, shop.id)
  await joinBusiness(test.db, staff.user.id, shop.id, 'staff')
  await test.db.insertInto('business_members').values({ user_id: manager.user.id, business_id: shop.id, role: 'manager' }).execute()
  postId = await addPost(test.db, { author_id: owner.user.id, business_id: shop.id, post_type: 'update' })
})

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'
const call = (method: Method, url: string, as: TestPerson | null, body?: object) => test.request(method, url, as, body)
const blockUrl = (of: TestPerson) => `/api/businesses/${shop.slug}/blocked-people/${of.user.id}`
const block = (as: TestPerson | null, method: Method = 'PUT') => call(method, blockUrl(person), as)
const toShop = (as: TestPerson, businessId: string | null = null) =>
  call('POST', `/api/posts/${postId}/comments`, as, { content: `Nice greenhouse, number ${newId()}`, businessId })
const openInbox = (as: TestPerson) => call('POST', '/api/conversations', as, { to: { kind: 'business', id: shop.id }, as: null })
const blockedNames = async () =>
  ((await call('GET', `/api/businesses/${shop.id}/blocked-people`, owner)).json() as Person[]).map(({ id }) => id)

describe('a block on behalf of a business', () => {
  it('can be created and lifted only by its owner and managers', async () => {
    for (const [as, status] of [
      [owner, 200],
      [manager, 200],
      [staff, 403],
      [stranger, 403],
      [person, 403],
      [null, 401],
    ] as const) {
      expect((await block(as)).statusCode).toBe(status)
      expect((await block(as, 'DELETE')).statusCode).toBe(status)
      expect((await call('GET', `/api/businesses/${shop.id}/blocked-people`, as)).statusCode).toBe(status)
    }
  })

  it('is idempotent, listed, and reversible', async () => {
    for (let i = 0; i < 2; i++) expect((await block(manager)).json()).toEqual({ id: person.user.id, isBlocked: true })
    expect(await blockedNames()).toEqual([person.user.id])
    for (let i = 0; i < 2; i++) expect((await block(owner, 'DELETE')).json()).toEqual({ id: person.user.id, isBlocked: false })
    expect(await blockedNames()).toEqual([])
    expect((await toShop(person)).statusCode).toBe(201)
  })

  it('is refused for its own team and for missing people', async () => {
    expect((await call('PUT', blockUrl(staff), owner)).json().message).toContain('Remove them from the team first')
    expect((await call('PUT', `/api/businesses/${shop.id}/blocked-people/${newId()}`, owner)).statusCode).toBe(404)
    expect((await call('PUT', `/api/businesses/${newId()}/blocked-people/${person.user.id}`, owner)).statusCode).toBe(404)
  })

  it('stops the blocked person from editing, and from commenting under any name', async () => {
    const before = (await toShop(person)).json()
    const own = await addBusiness(test.db)
    await joinBusiness(test.db, person.user.id, own.id)
    await block(owner)
    for (const refused of [
      await toShop(person),
      await toShop(person, own.id),
      await call('PATCH', `/api/comments/${before.id}`, person, { content: 'Not so nice' }),
    ]) {
      expect([refused.statusCode, refused.json().message]).toEqual([403, 'You can’t comment on this business’s posts.'])
    }
    expect((await call('GET', `/api/posts/${postId}/comments`, stranger)).json()).toMatchObject([{ id: before.id }])
    expect((await call('DELETE', `/api/comments/${before.id}`, person)).statusCode).toBe(204)
    const elsewhere = await addPost(test.db, { author_id: stranger.user.id })
    expect((await call('POST', `/api/posts/${elsewhere}/comments`, person, { content: 'Hello there' })).statusCode).toBe(201)
  })

  it('ends the subscription and the follow, and refuses new ones', async () => {
    await call('PUT', `/api/businesses/${shop.id}/follow`, person)
    await call('POST', '/api/subscriptions', person, { businessId: shop.id })
    await block(manager)
    expect((await call('GET', `/api/businesses/${shop.id}/status`, person)).json()).toMatchObject({
      isSubscribed: false,
      isFollowing: false,
    })
    expect((await call('GET', `/api/businesses/${shop.id}`, stranger)).json().subscriberCount).toBe(0)
    for (const refused of [
      await call('PUT', `/api/businesses/${shop.id}/follow`, person),
      await call('POST', '/api/subscriptions', person, { businessId: shop.id }),
    ]) {
      expect([refused.statusCode, refused.json().message]).toEqual([403, 'You can’t follow this business or subscribe to it.'])
    }
    expect(await wrongFollowCounts(test.db)).toEqual([])
  })

  it('stops messages in both directions between the person and the team', async () => {
    await call('POST', '/api/subscriptions', person, { businessId: shop.id })
    const { id } = (await openInbox(person)).json()
    const send = (as: TestPerson) => call('POST', `/api/conversations/${id}/messages`, as, { id: newId(), content: 'Hello', mediaIds: [] })
    expect((await send(person)).statusCode).toBe(201)
    await block(owner)
    expect([(await send(person)).statusCode, (await openInbox(stranger)).statusCode]).toEqual([403, 403])
    expect((await send(staff)).json().message).toContain('You blocked')
    const ofTeam = async (as: TestPerson) => (await call('GET', `/api/conversations/${id}`, as)).json()
    expect(await ofTeam(staff)).toMatchObject({ isBlocked: true, abilities: { send: false, block: false } })
    expect(await ofTeam(manager)).toMatchObject({ isBlocked: true, abilities: { send: false, block: true } })
    expect(await ofTeam(person)).toMatchObject({ isBlocked: false, abilities: { send: false } })
  })

  it('still allows reviews', async () => {
    await block(owner)
    const review = { rating: 2, review: 'The queue took an hour on both of my visits' }
    expect((await call('PUT', `/api/businesses/${shop.slug}/rating`, person, review)).statusCode).toBe(200)
    expect((await call('GET', `/api/businesses/${shop.slug}/ratings`, stranger)).json()).toMatchObject([{ rating: 2 }])
  })

  it('is offered beside comments and reviews to people who may block, until the author is blocked', async () => {
    await toShop(person)
    await call('PUT', `/api/businesses/${shop.slug}/rating`, person, { rating: 2, review: '' })
    const offered = async (as: TestPerson) => {
      const lists = [`/api/posts/${postId}/comments`, `/api/businesses/${shop.slug}/ratings`]
      return Promise.all(lists.map(async (url) => (await call('GET', url, as)).json()[0].abilities.block))
    }
    expect(await Promise.all([owner, manager, staff, stranger, person].map(offered))).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [false, false],
      [false, false],
    ])
    await block(owner)
    expect(await offered(owner)).toEqual([false, false])
    const visitors = (await call('GET', `/api/businesses/${shop.slug}/ratings`, null)).json()
    expect(visitors).toMatchObject([{ abilities: { block: false } }])
  })

  it('paginates the blocked people without a gap', async () => {
    const blocked = await addPeople(test.db, 5)
    await test.db
      .insertInto('business_person_blocks')
      .values(blocked.map((id) => ({ business_id: shop.id, person_id: id, created_at: new Date('2026-05-01') })))
      .execute()
    const seen: string[] = []
    let url: string | null = `/api/businesses/${shop.id}/blocked-people?limit=2`
    while (url !== null) {
      const answer = await call('GET', url, owner)
      seen.push(...(answer.json() as Person[]).map(({ id }) => id))
      url = nextPage(answer.headers.link as string | undefined)
    }
    expect(seen).toEqual([...blocked].sort().reverse())
  })
})

describe('a person blocked by the owner personally', () => {
  it('can’t write to the business or comment on its posts until unblocked', async () => {
    await call('POST', '/api/subscriptions', person, { businessId: shop.id })
    const { id } = (await openInbox(person)).json()
    const send = () => call('POST', `/api/conversations/${id}/messages`, person, { id: newId(), content: 'Hello', mediaIds: [] })
    await call('PUT', `/api/people/${person.user.id}/block`, owner)
    expect([(await toShop(person)).statusCode, (await send()).statusCode]).toEqual([403, 403])
    // A manager's personal blocks are separate from the business's.
    await call('DELETE', `/api/people/${person.user.id}/block`, owner)
    await call('PUT', `/api/people/${person.user.id}/block`, manager)
    expect([(await toShop(person)).statusCode, (await send()).statusCode]).toEqual([201, 201])
  })

  it('can keep working for the business if they are on its team', async () => {
    await call('PUT', `/api/people/${staff.user.id}/block`, owner)
    expect((await toShop(staff, shop.id)).statusCode).toBe(201)
    const event = await addEvent(test.db, shop.id)
    expect((await call('GET', `/api/events/${event}`, staff)).statusCode).toBe(200)
    await call('DELETE', `/api/people/${staff.user.id}/block`, owner)
  })
})

it('ends the blocks of people who were on a team before the upgrade', async () => {
  const blocks = () =>
    Promise.all([
      test.db.selectFrom('business_blocks').select('user_id').where('business_id', '=', shop.id).execute(),
      test.db.selectFrom('business_person_blocks').select('person_id').where('business_id', '=', shop.id).execute(),
    ])
  for (const { user } of [staff, person]) {
    await test.db.insertInto('business_blocks').values({ user_id: user.id, business_id: shop.id }).execute()
    await test.db.insertInto('business_person_blocks').values({ person_id: user.id, business_id: shop.id }).execute()
  }
  await endBlocksWithinTeams(test.db as unknown as Kysely<unknown>)
  expect(await blocks()).toEqual([[{ user_id: person.user.id }], [{ person_id: person.user.id }]])
})
