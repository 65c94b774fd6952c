import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPage } from '../../../contracts/link-header.ts'
import type { Rating } from '../../../contracts/reviews.ts'
import { addBusiness, type TestBusiness } from '../../../tests/support/businesses.ts'
import { startTestApp, type TestApp } from '../../../tests/support/test-app.ts'
import { newId } from '../../kernel/ids.ts'

let test: TestApp
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
  shop = await addBusiness(test.db)
  for (const [firstName, rating, review] of [
    ['Ada', 5, 'Kind people'],
    ['Bo', 3, null],
    ['Cy', 4, 'Good'],
  ] as const) {
    const { user } = await test.signUp({ firstName, lastName: 'Reader' })
    await test.db
      .insertInto('reviews')
      .values({ id: newId(), business_id: shop.id, user_id: user.id, rating, review, created_at: new Date('2026-02-02') })
      .execute()
  }
})
afterAll(() => test?.close())

it('shows everybody the ratings, of their writers the name alone', async () => {
  const answer = await test.request('GET', `/api/businesses/${shop.slug}/ratings`)
  expect(answer.statusCode).toBe(200)
  const ratings = answer.json() as Rating[]
  expect(ratings.map(({ rating, review, user }) => [user.firstName, rating, review])).toEqual([
    ['Cy', 4, 'Good'],
    ['Bo', 3, null],
    ['Ada', 5, 'Kind people'],
  ])
  expect(Object.keys(ratings[0]?.user as object).sort()).toEqual(['firstName', 'id', 'lastName'])
  expect(answer.body).not.toContain('@')
})

it('pages without a gap, though all were written at one moment', async () => {
  const seen: string[] = []
  let url: string | null = `/api/businesses/${shop.id}/ratings?limit=2`
  while (url !== null) {
    const answer = await test.request('GET', url)
    seen.push(...(answer.json() as Rating[]).map((rating) => rating.user.firstName ?? ''))
    url = nextPage(answer.headers.link as string | undefined)
  }
  expect(seen).toEqual(['Cy', 'Bo', 'Ada'])
})

it('answers 404 for a business that does not exist', async () => {
  expect((await test.request('GET', `/api/businesses/${newId()}/ratings`)).statusCode).toBe(404)
})
