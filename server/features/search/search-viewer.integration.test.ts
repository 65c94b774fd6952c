import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SearchFacets, SearchHit } from '#contracts/search.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newId } from '#server/kernel/ids.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { addBusiness, licensed } from '#tests/support/businesses.ts'
import { blockPerson, joinBusiness } from '#tests/support/social.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let viewer: TestPerson
beforeAll(async () => {
  t = await startTestApp()
  viewer = await t.signUp()
  const businesses = [
    await addBusiness(t.db, { name: 'Marigold North', city: 'Portland', state: 'OR' }),
    await addBusiness(t.db, { name: 'Marigold South', city: 'Denver', state: 'CO' }),
    await addBusiness(t.db, { name: 'Marigold West', city: 'Boulder', state: 'CO' }),
    await addBusiness(t.db, { name: 'Old Marigolds', city: 'Portland', state: 'OR' }),
  ]
  const counter = await addBusiness(t.db, { name: 'Kestrel Counter', city: 'Denver', state: 'CO' })
  const product = { id: newId(), business_id: counter.id, name: 'Persimmon Rosin', search_text: '' }
  await t.db.insertInto('products').values(product).execute()
  await inTransaction(t.db, async (tx) => {
    const ids = businesses.map(({ id }) => id)
    await markForSearch(tx, 'business', ids)
    await markForSearch(tx, 'product', [product.id])
  })
  await t.ctx.jobs.enqueue('search.index', {})
  await t.runJobs()
}, 90_000)
afterAll(() => t?.close())

async function hits(path: string): Promise<SearchHit[]> {
  const answer = await t.request('GET', `/api/search${path}`, viewer)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as SearchHit[]
}

it.each(['', '/suggestions'])('ranks equal matches by distance from the viewer, and shows the distances: %s', async (path) => {
  const near = async (place: string) => (await hits(`${path}?q=marigold&near=${place}`)).map(({ title }) => title)
  expect(await near('Portland, OR')).toEqual(['Marigold North', expect.any(String), expect.any(String), 'Old Marigolds'])
  const inDenver = await hits(`${path}?q=marigold&near=Denver, CO`)
  expect(inDenver.map(({ title }) => title)).toEqual(['Marigold South', 'Marigold West', 'Marigold North', 'Old Marigolds'])
  expect(inDenver.map(({ distanceMiles }) => (distanceMiles ?? 0) > 500)).toEqual([false, false, true, true])
  // A shop known only by its city is never 0 miles away, just like on Discover.
  expect(inDenver[0]).toMatchObject({ distanceMiles: 3, precision: 'city' })
  expect((await hits(`${path}?q=marigold`)).every(({ distanceMiles }) => distanceMiles === null)).toBe(true)
})

it('ranks the verified business above a nearer copy of its name', async () => {
  const copy = await addBusiness(t.db, { name: 'Copper Gate', city: 'Denver', state: 'CO', license_standing: 'none' })
  const listed = await addBusiness(t.db, { name: 'Copper Gate', city: 'Lakewood', state: 'CO' })
  const verified = await addBusiness(t.db, { name: 'Copper Gate', city: 'Boulder', state: 'CO', ...licensed })
  await inTransaction(t.db, (tx) => markForSearch(tx, 'business', [copy.id, listed.id, verified.id]))
  await t.ctx.jobs.enqueue('search.index', {})
  await t.runJobs()
  for (const path of ['', '/suggestions']) {
    expect((await hits(`${path}?q=copper gate&near=Denver, CO`)).map(({ id }) => id)).toEqual([verified.id, listed.id, copy.id])
  }
})

it('uses a place chosen as a filter instead of the viewer’s', async () => {
  const found = await hits('?q=marigold&place=Portland, OR&near=Denver, CO')
  expect(found.map(({ title }) => title)).toEqual(['Marigold North', 'Old Marigolds'])
})

it('refuses an unknown place', async () => {
  expect((await t.request('GET', '/api/search?q=marigold&near=my basement', viewer)).statusCode).toBe(400)
})

it('finds no products of a shop that blocked the viewer, as a team or through its owner', async () => {
  const [blocked, owner] = [await t.signUp(), await t.signUp()]
  const shop = await t.db.selectFrom('businesses').select('id').where('name', '=', 'Kestrel Counter').executeTakeFirstOrThrow()
  await joinBusiness(t.db, owner.user.id, shop.id)
  const found = async () => {
    const answers = await Promise.all(
      ['?q=persimmon', '/suggestions?q=persimmon'].map((path) => t.request('GET', `/api/search${path}`, blocked)),
    )
    return answers.map((answer) => (answer.json() as SearchHit[]).map(({ title }) => title))
  }
  expect(await found()).toEqual([['Persimmon Rosin'], ['Persimmon Rosin']])
  await t.db.insertInto('business_person_blocks').values({ business_id: shop.id, person_id: blocked.user.id }).execute()
  expect(await found()).toEqual([[], []])
  await t.db.deleteFrom('business_person_blocks').execute()
  await blockPerson(t.db, owner.user.id, blocked.user.id)
  expect(await found()).toEqual([[], []])
})

it('states the minimum age for products if only the viewer’s age hides them', async () => {
  const young = await t.signUp({ birthday: new Date(t.clock.now().getTime() - 19.5 * 365.25 * 86_400_000).toISOString().slice(0, 10) })
  const ageFor = async (q: string, as: TestPerson) =>
    ((await t.request('GET', `/api/search/facets?q=${q}`, as)).json() as SearchFacets).productAge
  expect(await ageFor('persimmon', young)).toBe(21)
  expect(await ageFor('persimmon', viewer)).toBeNull()
  expect(await ageFor('marigold', young)).toBeNull()
})
