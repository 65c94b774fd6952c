import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestClock } from '#tests/support/clock.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { importLicenses } from './import-licenses.ts'

let database: TestDatabase
let folder: string
const clock = createTestClock()

beforeAll(async () => {
  database = await createTestDatabase()
  folder = mkdtempSync(path.join(os.tmpdir(), 'import-'))
})
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const header = 'state,license_number,dba_name,license_type,business_type,license_status,street,city,zip,phone,authority,data_refreshed'

function run(...rows: string[]) {
  const file = path.join(folder, 'register.csv')
  writeFileSync(file, [header, ...rows, ''].join('\n'))
  return importLicenses({ db: database.db, clock }, { file, dataDir: folder, onRefused: () => undefined })
}

const main = (date: string) => `CO,402R-1,Green Door,Stores,dispensary,,1 Main St,Denver,80202,,MED,${date}`
const twin = (number: string, phone: string, date: string) =>
  `CO,${number},Green Door Dispensary,Stores,dispensary,,3 Main St,Denver,80202,${phone},MED,${date}`

it('adds licenses at the place of a merged listing to the business that remains', async () => {
  const { db } = database
  const businesses = () => db.selectFrom('businesses').select(['id', 'slug', 'register_place']).orderBy('name').execute()
  await run(main('2023-09-01'), twin('403-1', '', '2023-09-01'))
  const [into, from] = await businesses()
  if (!into || !from) throw new Error('the import made no two listings')
  await db.updateTable('licenses').set({ business_id: into.id }).execute()
  await db.deleteFrom('businesses').where('id', '=', from.id).execute()
  const redirect = { from_id: from.id, slug: from.slug, business_id: into.id, register_place: from.register_place }
  await db
    .insertInto('business_redirects')
    .values({ ...redirect, created_at: clock.now() })
    .execute()

  const date = '2024-01-01'
  const { listings } = await run(main(date), twin('403-1', '3035550100', date), twin('403-2', '', date))
  expect(listings).toMatchObject({ added: 0, removed: 0 })
  expect((await businesses()).map(({ id }) => id)).toEqual([into.id])
  const licenses = await db.selectFrom('licenses').select('business_id').execute()
  expect(licenses.map(({ business_id }) => business_id)).toEqual([into.id, into.id, into.id])
})
