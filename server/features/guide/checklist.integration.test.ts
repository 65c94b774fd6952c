import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GuideProgress } from '#contracts/guide.endpoints.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp

beforeAll(async () => {
  t = await startTestApp()
})
afterAll(() => t?.close())

const progress = async (person: TestPerson) => (await t.request('GET', '/api/ai/progress', person)).json() as GuideProgress
const keep = async (person: TestPerson, change: object) =>
  (await t.request('PATCH', '/api/ai/progress', person, change)).json() as GuideProgress

test('is only for members, as is the rest of the guide', async () => {
  for (const [method, path, body] of [
    ['GET', '/api/ai/progress', undefined],
    ['PATCH', '/api/ai/progress', { completed: [], current: null, isDismissed: false, usesModel: false }],
    ['POST', '/api/ai/onboarding', { type: 'welcome' }],
    ['POST', '/api/ai/questions', { question: 'How do I search?' }],
  ] as const)
    expect((await t.request(method, path, null, body)).statusCode, path).toBe(401)
})

test('combines recorded steps with each person’s own marks, idempotently', async () => {
  const [ann, bob] = [await t.signUp(), await t.signUp()]
  const green = await addBusiness(t.db, { name: 'Green Leaf' })
  expect(await progress(bob)).toMatchObject({ completed: 0, total: 8, current: 'profile', isDismissed: false, usesModel: false })
  await t.request('PUT', `/api/businesses/${green.id}/follow`, bob)
  await t.request('POST', '/api/favorites', bob, { businessId: green.id })
  const once = await keep(bob, { completed: ['review', 'review', 'follow', 'claim', 'nonsense'], current: 'hunt' })
  expect(once).toMatchObject({ completed: 3, total: 8, current: 'hunt' })
  expect(once.steps.filter(({ isDone }) => isDone).map(({ id, doneBy }) => [id, doneBy])).toEqual([
    ['follow', 'record'],
    ['favorite', 'record'],
    ['review', 'mark'],
  ])
  expect(await keep(bob, { completed: ['review'], current: 'hunt' })).toEqual(once)
  expect(await progress(bob)).toEqual(once)
  expect((await keep(bob, { completed: [] })).completed).toBe(2)
  expect((await progress(ann)).completed).toBe(0)
})

test('changes only what a page sends, so an outdated page doesn’t turn the language model on again', async () => {
  const eve = await t.signUp()
  await keep(eve, { isDismissed: true, usesModel: true, current: 'hunt' })
  for (const change of [{ usesModel: false }, { completed: ['review'] }]) await keep(eve, change)
  expect(await progress(eve)).toMatchObject({ completed: 1, current: 'hunt', isDismissed: true, usesModel: false })
})

test('counts a business’s records as completed steps', async () => {
  const owner = await t.signUp()
  const business = await addBusiness(t.db, { name: 'Owned Farm', description: 'Grown outdoors' })
  await t.db.updateTable('users').set({ user_type: 'business', business_type: 'farm' }).where('id', '=', owner.user.id).execute()
  expect(await progress(owner)).toMatchObject({ completed: 0, total: 9, current: 'claim' })
  await t.db.insertInto('business_members').values({ business_id: business.id, user_id: owner.user.id, role: 'owner' }).execute()
  const { steps } = await progress(owner)
  expect(steps.filter(({ isDone }) => isDone).map(({ id }) => id)).toEqual(['claim', 'page'])
})
