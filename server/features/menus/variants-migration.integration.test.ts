import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connect, type Database } from '#server/db/connect.ts'
import { migrate, migrationNames } from '#server/db/migrate.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { newId } from '#server/kernel/ids.ts'
import { createEmptyDatabase } from '#tests/support/empty-database.ts'
import { restoreMenu } from './index.ts'
import { loadMenuItems } from './read-menu.ts'

const settings = { databasePoolSize: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }
const [business, location, flower, drink, importId] = [newId(), newId(), newId(), newId(), newId()]

let empty: Awaited<ReturnType<typeof createEmptyDatabase>>
let database: Database

beforeAll(async () => {
  empty = await createEmptyDatabase()
  const names = migrationNames()
  await migrate(empty.url, undefined, names.slice(0, names.indexOf('20261124T1402-give-menu-items-variants')))
  const { db, close } = connect(empty.url, settings, { warn() {} })
  await sql`insert into businesses (id, slug, name, type, search_text) values (${business}, 'shop', 'Shop', 'dispensary', 'shop')`.execute(
    db,
  )
  await sql`insert into locations (id, business_id, name, time_zone) values (${location}, ${business}, 'North', 'America/Denver')`.execute(
    db,
  )
  await sql`
    insert into products (id, business_id, name, category, strain, brand, sku, price_cents, member_price_cents, thc, cbd, potency_unit, weight,
      weight_unit, batch, is_available, version, search_text)
    values (${flower}, ${business}, 'Blue Dream', 'Flower', 'Blue Dream', 'Hill', 'S1', 3500, 3000, 22.5, 0.1, 'percent', 3.5, 'g', 'L1', false, 4, 'blue dream'),
      (${drink}, ${business}, 'Seltzer', 'Drinks', null, null, null, 650, null, 5, null, 'mg', null, null, null, true, 1, 'seltzer')`.execute(
    db,
  )
  await sql`
    insert into product_offers (product_id, location_id, price_cents, is_available) values (${flower}, ${location}, 3900, true)`.execute(db)
  await sql`
    insert into menu_imports (id, business_id, file_name, status, byte_size, columns, preview)
    values (${importId}, ${business}, 'menu.csv', 'done', 10, '[{"name":"Unit","field":"potencyUnit","examples":["%"]}]', '[]')`.execute(db)
  await sql`
    insert into menu_import_changes (import_id, product_id, before, version)
    select ${importId}, id, jsonb_build_object('item', to_jsonb(products) || '{"price_cents": 3300, "sku": "S0", "weight": 7}', 'offers',
      (select jsonb_agg(to_jsonb(product_offers)) from product_offers)), 4
    from products where id = ${flower}`.execute(db)
  await close()
  await migrate(empty.url)
  database = connect(empty.url, settings, { warn() {} })
})
afterAll(async () => {
  await database?.close()
  await empty?.drop()
})

it('gives each item a single variant and loses nothing', async () => {
  const [first, second] = await loadMenuItems(database.db, [flower, drink])
  expect(first).toMatchObject({
    id: flower,
    name: 'Blue Dream',
    category: 'Flower',
    strain: 'Blue Dream',
    brand: 'Hill',
    thc: 22.5,
    thcMax: null,
    thcUnit: 'percent',
    cbd: 0.1,
    cbdUnit: 'percent',
    version: 4,
    variants: [
      {
        id: flower,
        sku: 'S1',
        price: '35.00',
        salePrice: null,
        memberPrice: '30.00',
        weight: 3.5,
        weightUnit: 'g',
        batch: 'L1',
        stock: null,
        isAvailable: false,
        offers: [{ locationId: location, isOffered: true, price: '39.00', salePrice: null, isAvailable: true }],
      },
    ],
  })
  expect(second).toMatchObject({
    thc: 5,
    thcUnit: 'mg',
    variants: [{ id: drink, price: '6.50', weight: null, isAvailable: true, offers: [] }],
  })
})

it('stores the figures that menus are sorted by', async () => {
  const columns = ['low_price_cents', 'eighth_cents', 'cents_per_gram', 'is_available', 'is_on_sale', 'potency_order'] as const
  expect(await database.db.selectFrom('products').select(columns).orderBy('low_price_cents').execute()).toEqual([
    { low_price_cents: 650, eighth_cents: null, cents_per_gram: null, is_available: true, is_on_sale: false, potency_order: 999_995 },
    { low_price_cents: 3500, eighth_cents: 3500, cents_per_gram: 1000, is_available: false, is_on_sale: false, potency_order: -22.5 },
  ])
})

it('converts column mappings and lets earlier imports be undone', async () => {
  const { columns } = await database.db.selectFrom('menu_imports').select('columns').executeTakeFirstOrThrow()
  expect(columns).toEqual([{ name: 'Unit', field: 'thcUnit', examples: ['%'] }])
  const snapshotsOf = () => sql`select before from menu_import_changes where import_id = ${importId}::uuid`
  await inTransaction(database.db, (tx) => restoreMenu(tx, business, { ids: [flower], added: [], snapshotsOf }, new Date()))
  expect(await loadMenuItems(database.db, [flower])).toMatchObject([
    {
      thcUnit: 'percent',
      cbdUnit: 'percent',
      version: 5,
      variants: [
        { sku: 'S0', price: '33.00', memberPrice: '30.00', weight: 7, batch: 'L1', isAvailable: false, offers: [{ price: '39.00' }] },
      ],
    },
  ])
})
