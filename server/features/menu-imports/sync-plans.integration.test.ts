import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Tx } from '#server/db/connect.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { plansOf } from '#tests/support/plans.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { menuImportJobs } from './run-import.ts'
import { dropIdleSyncs, lastSync } from './syncs.queries.ts'

let test: TestApp
let shop: TestBusiness

/** Two years of history: syncs by key, files from an address, and files that people sent, all of which changed something. */
beforeAll(async () => {
  test = await startTestApp()
  shop = await addBusiness(test.db)
  const sourceId = newId()
  await sql`
    insert into menu_sources (id, business_id, url, auth, schedule, created_at)
    values (${sourceId}::uuid, ${shop.id}::uuid, 'https://pos.example/menu.csv', 'none', 'hourly', now())`.execute(test.db)
  await sql`
    insert into menu_imports (id, business_id, source_id, file_name, status, byte_size, kind, items_changed, created_at, updated_at, finished_at)
    select gen_random_uuid(), ${shop.id}::uuid, case when n % 3 = 1 then ${sourceId}::uuid end, 'menu', 'done', 10,
      case when n % 3 = 0 then 'update' else 'file' end, 1, at, at, at
    from generate_series(1, 20000) as n cross join lateral (select ${test.clock.now()}::timestamptz - n * interval '50 minutes' as at) as times`.execute(
    test.db,
  )
  await sql`
    insert into menu_pictures (business_id, url, checked_at)
    select ${shop.id}::uuid, 'https://pictures.example/' || n, ${test.clock.now()}::timestamptz from generate_series(1, 20000) as n`.execute(
    test.db,
  )
  for (const table of ['menu_imports', 'menu_pictures']) await sql`analyze ${sql.table(table)}`.execute(test.db)
})
afterAll(() => test?.close())

it('finds the last sync and idle syncs without reading the history', async () => {
  const plans = [
    await plansOf(test.db, (db) => lastSync(db, shop.id)),
    await plansOf(test.db, (db) => dropIdleSyncs(db as unknown as Tx, shop.id, test.clock.now())),
  ]
  expect(plans[0]).toContain('menu_syncs_of_business')
  expect(plans[1]).toContain('menu_syncs_idle')
  expect(plans.join()).not.toContain('Seq Scan on menu_imports')
})

it('uses indexes to find unfinished, old and due entries to sweep', async () => {
  const ctx = { ...test.ctx }
  const sweep = menuImportJobs(ctx)['menus.sweep-imports']
  // The first sweep removes old entries.
  await sweep({})
  const plans = await plansOf(test.db, (db) => {
    ctx.db = db
    return sweep({})
  })
  for (const index of ['menu_imports_unfinished', 'menu_imports_by_age', 'menu_syncs_by_age', 'menu_pictures_due'])
    expect(plans).toContain(index)
  expect(plans).not.toMatch(/Seq Scan on menu_(imports|pictures)/)
})
