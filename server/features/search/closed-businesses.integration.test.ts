import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SearchFacets, SearchHit } from '#contracts/search.endpoints.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { addProduct } from '#tests/support/menus.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

let t: TestApp
let viewer: TestPerson

beforeAll(async () => {
  t = await startTestApp()
  viewer = await t.signUp()
})
afterAll(() => t?.close())

async function read<Answer>(address: string): Promise<Answer> {
  const answer = await t.request('GET', encodeURI(`/api/search${address}`), viewer)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json() as Answer
}

it('finds a closed business only by its exact name, labeled and below open ones, and never finds its products', async () => {
  const closed = { closure: 'permanent', closed_at: new Date('2026-01-01'), closed_by: 'owner' } as const
  const gone = await addBusiness(t.db, { name: 'Juniper Lantern', ...closed })
  const open = await addBusiness(t.db, { name: 'Juniper Lantern Annex' })
  const productId = await addProduct(t.db, gone.id, { name: 'Juniper Lantern Tea', category: 'Drinks' })
  await inTransaction(t.db, async (tx) => {
    await markForSearch(tx, 'business', [gone.id, open.id])
    await markForSearch(tx, 'product', [productId])
  })
  await t.ctx.jobs.enqueue('search.index', {})
  await t.runJobs()
  const found = await read<SearchHit[]>('?q=juniper lantern')
  expect(found.map(({ title, isClosed }) => [title, isClosed])).toEqual([
    ['Juniper Lantern Annex', false],
    ['Juniper Lantern', true],
  ])
  expect((await read<SearchHit[]>('?q=juniper')).map(({ title }) => title)).toEqual(['Juniper Lantern Annex'])
  const { kinds } = await read<SearchFacets>('/facets?q=juniper')
  expect(kinds.find(({ kind }) => kind === 'business')?.count).toBe(1)
  expect((await read<SearchHit[]>('/suggestions?q=juniper lantern')).map(({ title }) => title)).toEqual(['Juniper Lantern Annex'])
})
