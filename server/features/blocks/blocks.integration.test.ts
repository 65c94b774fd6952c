import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { Person } from '#contracts/people.ts'
import { changeBusinessFollow, changePersonFollow } from '#server/features/follows/index.ts'
import { changeSubscription } from '#server/features/subscriptions/index.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { wrongFollowCounts } from '#tests/support/follow-counts.ts'
import { addPeople } from '#tests/support/people.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { changeBusinessBlock, changePersonBlock } from './index.ts'

let test: TestApp
let ann: TestPerson
let bob: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  ann = await test.signUp({ firstName: 'Ann', lastName: 'A' })
  bob = await test.signUp({ firstName: 'Bob', lastName: 'B' })
  await test.db.updateTable('users').set({ is_profile_public: true }).execute()
})
afterAll(() => test?.close())

const call = (method: 'GET' | 'PUT' | 'DELETE', url: string, as: TestPerson | null) => test.request(method, url, as)
const followers = async (of: TestPerson) => (await call('GET', `/api/people/${of.user.id}`, of)).json().followersCount as number

it('ends both follows and hides both people from each other until the block is lifted, which doesn’t restore the follows', async () => {
  await call('PUT', `/api/people/${bob.user.id}/follow`, ann)
  await call('PUT', `/api/people/${ann.user.id}/follow`, bob)
  expect([await followers(ann), await followers(bob)]).toEqual([1, 1])
  for (let i = 0; i < 2; i++) {
    expect((await call('PUT', `/api/people/${bob.user.id}/block`, ann)).json()).toEqual({ id: bob.user.id, isBlocked: true })
  }
  expect([await followers(ann), await followers(bob)]).toEqual([0, 0])
  expect(await wrongFollowCounts(test.db)).toEqual([])
  expect((await call('GET', `/api/people/${bob.user.id}`, ann)).statusCode).toBe(404)
  const hidden = await call('GET', `/api/people/${ann.user.id}`, bob)
  expect(hidden.statusCode).toBe(404)
  expect(hidden.json()).toEqual((await call('GET', `/api/people/${newId()}`, bob)).json())
  expect((await call('GET', '/api/blocks/people', ann)).json()).toEqual([{ id: bob.user.id, name: 'Bob B', imageUrl: null }])
  expect((await call('GET', '/api/blocks/people', bob)).json()).toEqual([])

  for (let i = 0; i < 2; i++) {
    expect((await call('DELETE', `/api/people/${bob.user.id}/block`, ann)).json()).toEqual({ id: bob.user.id, isBlocked: false })
  }
  expect((await call('GET', `/api/people/${bob.user.id}`, ann)).json()).toMatchObject({ isFollowing: false, isBlocked: false })
  expect((await call('GET', '/api/blocks/people', ann)).json()).toEqual([])
})

it('allows mutual blocks, and lets each person lift only their own', async () => {
  await call('PUT', `/api/people/${bob.user.id}/block`, ann)
  expect((await call('PUT', `/api/people/${ann.user.id}/block`, bob)).statusCode).toBe(200)
  await call('DELETE', `/api/people/${bob.user.id}/block`, ann)
  expect((await call('GET', `/api/people/${bob.user.id}`, ann)).statusCode).toBe(404)
  await call('DELETE', `/api/people/${ann.user.id}/block`, bob)
  expect((await call('GET', `/api/people/${bob.user.id}`, ann)).statusCode).toBe(200)
})

it('refuses visitors, self-blocks, and blocks of missing people and businesses', async () => {
  expect((await call('PUT', `/api/people/${ann.user.id}/block`, ann)).statusCode).toBe(403)
  for (const method of ['PUT', 'DELETE'] as const) {
    expect((await call(method, `/api/people/${newId()}/block`, ann)).statusCode).toBe(404)
    expect((await call(method, `/api/businesses/${newId()}/block`, ann)).statusCode).toBe(404)
    expect((await call(method, `/api/people/${bob.user.id}/block`, null)).statusCode).toBe(401)
  }
})

it('ends the subscription to and the follow of a blocked business, which is still listed and can be unblocked', async () => {
  const { id, slug } = await addBusiness(test.db, { name: 'Avoided' })
  const status = async () => (await call('GET', `/api/businesses/${id}/status`, ann)).json()
  await test.request('POST', '/api/subscriptions', ann, { businessId: id })
  await call('PUT', `/api/businesses/${id}/follow`, ann)
  expect((await call('GET', `/api/businesses/${slug}`, null)).json().subscriberCount).toBe(1)
  expect((await call('PUT', `/api/businesses/${id}/block`, ann)).json()).toEqual({ id, isBlocked: true })
  expect(await status()).toMatchObject({ isSubscribed: false, isFollowing: false, isBlocked: true })
  expect((await call('GET', `/api/businesses/${slug}`, ann)).json()).toMatchObject({ name: 'Avoided', subscriberCount: 0 })
  expect((await call('GET', `/api/businesses/${slug}`, null)).json().subscriberCount).toBe(0)
  expect((await call('GET', '/api/blocks/businesses', ann)).json()).toMatchObject([{ id, name: 'Avoided' }])
  expect((await call('GET', '/api/businesses?q=Avoided', ann)).json()).toHaveLength(1)
  for (const refused of [
    await call('PUT', `/api/businesses/${id}/follow`, ann),
    await test.request('POST', '/api/subscriptions', ann, { businessId: id }),
  ]) {
    expect(refused.statusCode).toBe(409)
    expect(refused.json().message).toContain('Unblock')
  }
  expect((await call('DELETE', `/api/businesses/${id}/block`, ann)).json()).toEqual({ id, isBlocked: false })
  expect((await call('PUT', `/api/businesses/${id}/follow`, ann)).statusCode).toBe(200)
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('paginates the blocked people without a gap, even with equal timestamps', async () => {
  const blocked = await addPeople(test.db, 5)
  const created_at = new Date('2026-05-01')
  await test.db
    .insertInto('person_blocks')
    .values(blocked.map((id) => ({ blocker_id: ann.user.id, blocked_id: id, created_at })))
    .execute()
  const seen: string[] = []
  let url: string | null = '/api/blocks/people?limit=2'
  while (url !== null) {
    const answer = await call('GET', url, ann)
    seen.push(...(answer.json() as Person[]).map((each) => each.id))
    url = nextPage(answer.headers.link as string | undefined)
  }
  expect(seen).toEqual([...blocked].sort().reverse())
})

it('leaves no follow that was made at the same moment as the block', async () => {
  const people = await addPeople(test.db, 80)
  const { id } = await addBusiness(test.db)
  const { ctx } = test
  const refused = (error: unknown) => {
    if (!(error instanceof AppError)) throw error
  }
  for (let i = 0; i < people.length; i += 2) {
    const [one, other] = people.slice(i) as [string, string]
    await Promise.all([
      changePersonFollow(ctx, one, other, true).catch(refused),
      changePersonBlock(ctx, other, one, true),
      changePersonFollow(ctx, other, one, true).catch(refused),
      changeBusinessFollow(ctx, one, id, true).catch(refused),
      changeBusinessBlock(ctx, one, id, true),
      changeBusinessBlock(ctx, other, id, true),
      changeSubscription(ctx, other, id, true).catch(refused),
    ])
  }
  expect(await wrongFollowCounts(test.db)).toEqual([])
})

it('keeps every count accurate under concurrent actions in any order', async () => {
  const people = await addPeople(test.db, 3)
  const businesses = [await addBusiness(test.db), await addBusiness(test.db)]
  const person = fc.nat(2)
  const step = fc.oneof(
    fc.record({ kind: fc.constantFrom('follow', 'block'), by: person, person, on: fc.boolean() }),
    fc.record({ kind: fc.constantFrom('follow', 'subscribe', 'block'), by: person, business: fc.nat(1), on: fc.boolean() }),
  )
  const { ctx } = test
  const run = async (each: { kind: string; by: number; on: boolean; person?: number; business?: number }) => {
    const by = people[each.by] as string
    const other = people[each.person ?? 0] as string
    const business = businesses[each.business ?? 0]?.id as string
    if (each.business === undefined) {
      await (each.kind === 'follow' ? changePersonFollow(ctx, by, other, each.on) : changePersonBlock(ctx, by, other, each.on))
    } else if (each.kind === 'follow') await changeBusinessFollow(ctx, by, business, each.on)
    else if (each.kind === 'subscribe') await changeSubscription(ctx, by, business, each.on)
    else await changeBusinessBlock(ctx, by, business, each.on)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 10 }), { maxLength: 6 }), async (rounds) => {
      for (const round of rounds) {
        await Promise.all(
          round.map((each) =>
            run(each).catch((error) => {
              if (!(error instanceof AppError)) throw error
            }),
          ),
        )
      }
      expect(await wrongFollowCounts(test.db)).toEqual([])
    }),
    { numRuns: 60 },
  )
}, 120_000)
