import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let ann: TestPerson

beforeAll(async () => {
  t = await startTestApp()
  ann = await t.signUp()
})
afterAll(() => t?.close())

/** The path of the list behind an answer. */
async function listOf(question: string): Promise<string> {
  const answer = await t.request('POST', '/api/ai/questions', ann, { question })
  expect(answer.statusCode, answer.body).toBe(200)
  return (answer.json() as { links: { path: string }[] }).links.at(-1)?.path ?? ''
}

test('links to the list of businesses with the filters and order of the answer', async () => {
  const denver = 'near=Denver%2C+CO&type=dispensary'
  expect(await listOf('dispensaries in Denver')).toBe(`/discover?${denver}`)
  expect(await listOf('licensed dispensaries in Denver')).toBe(`/discover?${denver}&verified=true`)
  expect(await listOf('dispensaries near me')).toBe(`/discover?${denver}&sort=distance`)
  expect(await listOf('best dispensaries near me')).toBe(`/discover?${denver}`)
  expect(await listOf('licensed dispensaries in Colorado')).toBe('/discover?state=CO&type=dispensary&verified=true')
})

test('links to a list with the same price limit, to the cent', async () => {
  const limit = async (question: string) => new URLSearchParams((await listOf(question)).split('?')[1]).get('maxPrice')
  expect(await limit('flower under $60 in denver')).toBe('59.99')
  expect(await limit('flower up to $60 in denver')).toBe('60')
  expect(await limit('flower up to $60.50 in denver')).toBe('60.5')
})

test('links to a list with the same range of prices or price per gram', async () => {
  const flower = '/products?near=Denver%2C+CO&category=Flower'
  expect(await listOf('flower between $20 and $30 in denver')).toBe(`${flower}&minPrice=20&maxPrice=30&inStock=true`)
  expect(await listOf('flower under $8 a gram in denver')).toBe(`${flower}&maxPrice=7.99&perGram=true&inStock=true`)
})
