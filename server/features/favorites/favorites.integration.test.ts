import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { Favorite } from '#contracts/favorites.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let person: TestPerson

beforeAll(async () => {
  test = await startTestApp()
  person = await test.signUp()
})
afterAll(() => test?.close())

const favor = (as: TestPerson | null, businessId: string) => test.request('POST', '/api/favorites', as, { businessId })
const unfavor = (as: TestPerson | null, businessId: string) => test.request('DELETE', `/api/favorites/${businessId}`, as)
const favoritesOf = async (as: TestPerson) => (await test.request('GET', '/api/favorites?limit=100', as)).json() as Favorite[]

it('adds and removes favorites idempotently', async () => {
  const { id } = await addBusiness(test.db, { name: 'Favored', phone: '(303) 555-0100', website: 'https://favored.example/' })
  expect((await favor(person, id)).json()).toEqual({ businessId: id, isFavorited: true })
  const [first] = await favoritesOf(person)
  expect((await favor(person, id)).json()).toEqual({ businessId: id, isFavorited: true })
  expect(await favoritesOf(person)).toEqual([first])
  expect(first).toMatchObject({ business: { id, name: 'Favored', phone: '(303) 555-0100', website: 'https://favored.example/' } })
  expect((await unfavor(person, id)).json()).toEqual({ businessId: id, isFavorited: false })
  expect((await unfavor(person, id)).statusCode).toBe(200)
  expect(await favoritesOf(person)).toEqual([])
})

it('lets people remove a favorite that moderators hid, but not add one', async () => {
  const { id } = await addBusiness(test.db)
  await favor(person, id)
  await test.db.updateTable('businesses').set({ moderation: 'hidden' }).where('id', '=', id).execute()
  expect((await unfavor(person, id)).json()).toEqual({ businessId: id, isFavorited: false })
  expect((await favor(person, id)).statusCode).toBe(404)
})

it('stores a favorite only once despite a hundred concurrent requests', async () => {
  const { id } = await addBusiness(test.db)
  const answers = await Promise.all(Array.from({ length: 100 }, () => favor(person, id)))
  expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]))
  expect(await favoritesOf(person)).toHaveLength(1)
  await unfavor(person, id)
})

it('paginates newest first, without a gap during inserts', async () => {
  const added: string[] = []
  for (let i = 0; i < 7; i++) {
    const { id } = await addBusiness(test.db)
    await favor(person, id)
    added.unshift(id)
  }
  // All have the same timestamp, so that only the ID decides their order.
  await test.db
    .updateTable('favorites')
    .set({ created_at: new Date('2026-05-01') })
    .where('user_id', '=', person.user.id)
    .execute()
  const paged: string[] = []
  let url: string | null = '/api/favorites?limit=3'
  while (url !== null) {
    const answer = await test.request('GET', url, person)
    paged.push(...(answer.json() as Favorite[]).map((favorite) => favorite.business.id))
    url = nextPage(answer.headers.link as string | undefined)
    await favor(person, (await addBusiness(test.db)).id)
  }
  expect(paged.filter((id) => added.includes(id))).toEqual(added)
  expect(new Set(paged).size).toBe(paged.length)
})

it('shows favorites only to their owner and refuses visitors', async () => {
  const stranger = await test.signUp()
  const { id } = await addBusiness(test.db)
  await favor(person, id)
  expect(await favoritesOf(stranger)).toEqual([])
  await unfavor(stranger, id)
  expect((await favoritesOf(person)).some((favorite) => favorite.business.id === id)).toBe(true)
  expect((await test.request('GET', '/api/favorites')).statusCode).toBe(401)
  expect((await favor(null, id)).statusCode).toBe(401)
  expect((await unfavor(null, id)).statusCode).toBe(401)
  expect((await favor(person, newId())).statusCode).toBe(404)
  expect((await unfavor(person, newId())).statusCode).toBe(404)
})
