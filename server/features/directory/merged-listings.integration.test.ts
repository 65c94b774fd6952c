import { afterAll, beforeAll, expect, it } from 'vitest'
import { startRegisterImports } from '#tests/support/register-import.ts'

let imports: Awaited<ReturnType<typeof startRegisterImports>>

beforeAll(async () => {
  imports = await startRegisterImports()
})
afterAll(() => imports?.close())

const main = (date: string) => `CO,402R-1,Green Door,Stores,dispensary,,1 Main St,Denver,80202,,MED,${date}`
const twin = (number: string, phone: string, date: string) =>
  `CO,${number},Green Door Dispensary,Stores,dispensary,,3 Main St,Denver,80202,${phone},MED,${date}`

it('adds licenses at a merged listing’s place to the remaining business', async () => {
  const { db } = imports.database
  const businesses = () => db.selectFrom('businesses').select(['id', 'slug', 'register_place']).orderBy('name').execute()
  await imports.run(main('2023-09-01'), twin('403-1', '', '2023-09-01'))
  const [into, from] = await businesses()
  if (!into || !from) throw new Error('the import made no two listings')
  await db.updateTable('licenses').set({ business_id: into.id }).execute()
  await db.deleteFrom('businesses').where('id', '=', from.id).execute()
  const redirect = { from_id: from.id, slug: from.slug, business_id: into.id, register_place: from.register_place }
  await db
    .insertInto('business_redirects')
    .values({ ...redirect, created_at: imports.clock.now() })
    .execute()

  const date = '2024-01-01'
  const { listings } = await imports.run(main(date), twin('403-1', '3035550100', date), twin('403-2', '', date))
  expect(listings).toMatchObject({ added: 0, removed: 0 })
  expect((await businesses()).map(({ id }) => id)).toEqual([into.id])
  const licenses = await db.selectFrom('licenses').select('business_id').execute()
  expect(licenses.map(({ business_id }) => business_id)).toEqual([into.id, into.id, into.id])
})
