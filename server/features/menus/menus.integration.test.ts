import { afterAll, beforeAll, expect, it } from 'vitest'
import { nextPage } from '#contracts/addresses.ts'
import type { Product } from '#contracts/menus.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { addMember } from '#tests/support/keepers.ts'
import { addProduct } from '#tests/support/menus.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let test: TestApp
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
  shop = await addBusiness(test.db)
  const add = (name: string, price_cents: number, is_available = true) =>
    addProduct(test.db, shop.id, { name, category: 'Flower' }, { price_cents, is_available })
  await add('First', 1250)
  await add('Second', 5, false)
  await add('Third', 100000)
})
afterAll(() => test?.close())

const menu = (as: TestPerson | null, id = shop.id, query = '') => test.request('GET', `/api/businesses/${id}/products${query}`, as)

/** A person who turned `years` on the date of the test's clock, or `days` earlier. */
async function aged(years: number, days = 0): Promise<TestPerson> {
  const today = test.clock.now()
  const birthday = new Date(Date.UTC(today.getUTCFullYear() - years, today.getUTCMonth(), today.getUTCDate() - days))
    .toISOString()
    .slice(0, 10)
  return test.signUp({ birthday })
}

it('shows viewers of legal age the menu by name, page by page', async () => {
  const person = await aged(21)
  const whole = (await menu(person)).json() as Product[]
  expect(whole.map(({ name, price, isAvailable }) => ({ name, price, isAvailable }))).toEqual(
    expect.arrayContaining([
      { name: 'First', price: '12.50', isAvailable: true },
      { name: 'Second', price: '0.05', isAvailable: false },
      { name: 'Third', price: '1000.00', isAvailable: true },
    ]),
  )
  expect(whole.map(({ name }) => name)).toEqual(['First', 'Second', 'Third'])
  const paged: Product[] = []
  let url: string | null = `/api/businesses/${shop.slug}/products?limit=1`
  while (url !== null) {
    const answer = await test.request('GET', url, person)
    paged.push(...(answer.json() as Product[]))
    url = nextPage(answer.headers.link as string | undefined)
  }
  expect(paged).toEqual(whole)
})

it('shows no product to visitors or people who are too young, and states the required age', async () => {
  for (const person of [null, await aged(20), await aged(21, -1)]) {
    const answer = await menu(person)
    expect(answer.statusCode).toBe(403)
    expect(answer.json()).toMatchObject({
      code: 'age_restricted',
      message: expect.stringMatching(/21 or older.*profile is open to everyone/),
    })
    expect(answer.body).not.toContain('First')
    expect((await test.request('GET', `/api/businesses/${shop.id}`, person)).statusCode).toBe(200)
  }
})

it('applies the minimum age at the business’s location', async () => {
  const nineteen = await aged(19)
  const toronto = await addBusiness(test.db, { city: 'Toronto', state: 'ON', country: 'CA' })
  const montreal = await addBusiness(test.db, { city: 'Montreal', state: 'QC', country: 'CA' })
  const berlin = await addBusiness(test.db, { city: 'Berlin', state: null, country: 'DE' })
  const unknown = await addBusiness(test.db, { city: null, state: null, country: null })
  expect((await menu(nineteen, toronto.id)).json()).toEqual([])
  expect((await menu(nineteen, montreal.id)).statusCode).toBe(403)
  expect((await menu(nineteen, berlin.id)).statusCode).toBe(200)
  expect((await menu(nineteen, unknown.id)).statusCode).toBe(403)
})

it('returns 404 for a missing business before asking for an age', async () => {
  expect((await menu(null, newId())).statusCode).toBe(404)
})

it('refuses settings based on an older version than a teammate’s', async () => {
  const url = `/api/businesses/${shop.id}/menu-settings`
  const [owner, manager] = [await addMember(test, shop, 'owner'), await addMember(test, shop, 'manager')]
  const before = { currency: 'USD', taxRate: null, pricesIncludeTax: false }
  const save = (as: TestPerson, change: object) => test.request('PUT', url, as, { ...before, ...change, before })
  for (let times = 0; times < 2; times++) expect((await save(owner, { taxRate: 8.875 })).statusCode, 'a repeated request').toBe(200)
  const late = await save(manager, { currency: 'CAD' })
  expect([late.statusCode, late.json().code]).toEqual([409, 'conflict'])
  expect((await test.request('GET', url, manager)).json()).toMatchObject({ ...before, taxRate: 8.875 })
})
