import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let people: TestPerson[]

beforeAll(async () => {
  test = await startTestApp()
  people = [await test.signUp(), await test.signUp(), await test.signUp()]
})
afterAll(() => test?.close())

const subscribe = (as: TestPerson | null, businessId: string) => test.request('POST', '/api/subscriptions', as, { businessId })
const unsubscribe = (as: TestPerson | null, businessId: string) => test.request('DELETE', `/api/subscriptions/${businessId}`, as)
const followingOf = async (as: TestPerson) => (await test.request('GET', '/api/auth/user', as)).json().followingCount as number

it('subscribes and unsubscribes idempotently and keeps the counts right', async () => {
  const [person] = people as [TestPerson]
  const { id } = await addBusiness(test.db)
  const before = await followingOf(person)
  expect((await subscribe(person, id)).json()).toEqual({ businessId: id, isSubscribed: true, subscriberCount: 1 })
  expect((await subscribe(person, id)).json()).toEqual({ businessId: id, isSubscribed: true, subscriberCount: 1 })
  expect(await followingOf(person)).toBe(before + 1)
  expect((await test.request('GET', `/api/businesses/${id}`)).json().subscriberCount).toBe(1)
  expect((await unsubscribe(person, id)).json()).toEqual({ businessId: id, isSubscribed: false, subscriberCount: 0 })
  expect((await unsubscribe(person, id)).json()).toEqual({ businessId: id, isSubscribed: false, subscriberCount: 0 })
  expect(await followingOf(person)).toBe(before)
  expect((await test.request('GET', `/api/businesses/${id}`)).json().subscriberCount).toBe(0)
})

it('counts a person’s hundred concurrent subscriptions once', async () => {
  const [person] = people as [TestPerson]
  const { id } = await addBusiness(test.db)
  const before = await followingOf(person)
  const answers = await Promise.all(Array.from({ length: 100 }, () => subscribe(person, id)))
  expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
  expect(new Set(answers.map((answer) => answer.json().subscriberCount))).toEqual(new Set([1]))
  const { subscriber_count } = await test.db
    .selectFrom('businesses')
    .select('subscriber_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  expect(subscriber_count).toBe(1)
  expect(await followingOf(person)).toBe(before + 1)
})

it('keeps every count accurate after any actions in any order', async () => {
  const businesses = [await addBusiness(test.db), await addBusiness(test.db)]
  const step = fc.record({ person: fc.nat(2), business: fc.nat(1), on: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { maxLength: 5 }), async (rounds) => {
      for (const round of rounds) {
        await Promise.all(
          round.map(({ person, business, on }) =>
            (on ? subscribe : unsubscribe)(people[person] as TestPerson, businesses[business]?.id as string),
          ),
        )
      }
      for (const { id } of businesses) {
        const { subscriber_count, rows } = await test.db
          .selectFrom('businesses')
          .select((eb) => [
            'subscriber_count',
            eb
              .selectFrom('subscriptions')
              .whereRef('business_id', '=', 'businesses.id')
              .select((count) => count.fn.countAll<number>().as('rows'))
              .as('rows'),
          ])
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        expect(subscriber_count).toBe(rows)
        const days = await test.db
          .selectFrom('subscription_days')
          .select((eb) => [eb.fn.sum<number>('began').as('began'), eb.fn.sum<number>('ended').as('ended')])
          .where('business_id', '=', id)
          .executeTakeFirst()
        expect(Number(days?.began ?? 0) - Number(days?.ended ?? 0)).toBe(rows)
      }
      for (const person of people) {
        const { rows } = await test.db
          .selectFrom('subscriptions')
          .select((eb) => eb.fn.countAll<number>().as('rows'))
          .where('user_id', '=', person.user.id)
          .executeTakeFirstOrThrow()
        expect(await followingOf(person)).toBe(rows)
      }
    }),
    { numRuns: 8 },
  )
})

it('lets people leave a business that moderators hid, but not subscribe to it', async () => {
  const [person, other] = people as [TestPerson, TestPerson]
  const { id } = await addBusiness(test.db)
  await subscribe(person, id)
  await test.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', id).execute()
  expect((await subscribe(other, id)).statusCode).toBe(404)
  expect((await subscribe(person, id)).statusCode).toBe(200)
  expect((await unsubscribe(person, id)).json()).toMatchObject({ isSubscribed: false })
  expect((await subscribe(person, id)).statusCode).toBe(404)
})

it('requires an account and an existing business', async () => {
  const [person] = people as [TestPerson]
  const { id } = await addBusiness(test.db)
  expect((await subscribe(null, id)).statusCode).toBe(401)
  expect((await unsubscribe(null, id)).statusCode).toBe(401)
  expect((await subscribe(person, newId())).statusCode).toBe(404)
  expect((await unsubscribe(person, newId())).statusCode).toBe(404)
  expect((await subscribe(person, 'not-an-id')).statusCode).toBe(400)
  expect((await unsubscribe(person, 'not-an-id')).statusCode).toBe(404)
})
