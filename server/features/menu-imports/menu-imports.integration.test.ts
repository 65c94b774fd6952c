import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { MenuItem } from '#contracts/menus.ts'
import { newId } from '#server/kernel/ids.ts'
import { addBusiness, type TestBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addKeepers, addMember } from '#tests/support/keepers.ts'
import { menuFileCalls } from '#tests/support/menu-files.ts'
import { withOneVariant } from '#tests/support/menus.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { runImport } from './run-import.ts'

let test: TestApp
let keeper: TestPerson
let shop: TestBusiness

beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test?.close())
beforeEach(async () => {
  shop = await addBusiness(test.db)
  keeper = await addMember(test, shop, 'staff')
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
})

const { imports, ok, sendChunk, send, start } = menuFileCalls(() => ({ test, shop, keeper }))
const run = async (content: string) => start(await send(content))

const addItem = (fields: object) => ok('POST', `/api/businesses/${shop.id}/menu-items`, withOneVariant(fields))
const menuOf = () => ok<MenuItem[]>('GET', `/api/businesses/${shop.id}/menu-items?limit=100`)
const namesOf = async () => (await menuOf()).map(({ name, variants }) => `${name} ${variants.map(({ price }) => price).join(', ')}`)
/** Every column of the menu except the versions, which never decrease. */
const stored = async () => {
  const { rows } = await sql<{ item: { version: number } }>`
    select to_jsonb(products) - 'version' as item,
      (select jsonb_agg(to_jsonb(v) order by position) from product_variants v where v.product_id = products.id) as variants,
      (select jsonb_agg(to_jsonb(o) order by o.variant_id, o.location_id) from product_offers o
        join product_variants v on v.id = o.variant_id where v.product_id = products.id) as offers
    from products where business_id = ${shop.id}::uuid order by id`.execute(test.db)
  return rows
}

const chunksOf = async (id: string) =>
  (await test.db.selectFrom('menu_import_pieces').select('starts_at').where('import_id', '=', id).orderBy('starts_at').execute()).map(
    (row) => row.starts_at,
  )

describe('a file', () => {
  it('is accepted even with characters that the database can’t store, but a row with such a name is refused', async () => {
    const emoji = '🌿'
    const header = `name,price,${'x'.repeat(59)}${emoji}`
    const filler = Array.from({ length: 18 }, (_, i) => `Filler ${i},1,${'y'.repeat(300)}`)
    const answer = await send(`${header}\nLeaf,1,${'z'.repeat(59)}${emoji}\n${filler.join('\n')}\nNothing\0here,1,a\0b\n`)
    expect(answer.columns[2]?.name).toBe('x'.repeat(59))
    expect(answer.columns[2]?.examples).toEqual(['z'.repeat(59), 'y'.repeat(60), 'ab'])
    expect(answer.preview.at(-1)).toMatchObject({ effect: 'refused', values: { name: 'Nothinghere' } })
    expect(answer).toMatchObject({ status: 'ready', rowsRefused: 1 })
  })

  it('arrives in chunks, in order and idempotently', async () => {
    const bytes = Buffer.from(`name,price\n${Array.from({ length: 20_000 }, (_, i) => `Item number ${i},1.00`).join('\n')}`)
    const { id } = await ok<MenuImport>('POST', imports(), { fileName: 'menu.csv', byteSize: bytes.length })
    const half = 200_000
    expect((await sendChunk(id, half, bytes.subarray(half))).statusCode).toBe(409)
    expect((await sendChunk(id, 0, bytes.subarray(0, 100))).statusCode).toBe(400)
    expect((await sendChunk(id, 0, bytes.subarray(0, half))).json()).toMatchObject({ status: 'receiving', receivedBytes: half })
    expect((await sendChunk(id, 0, bytes.subarray(0, half))).json()).toMatchObject({ status: 'receiving', receivedBytes: half })
    expect((await sendChunk(id, half, Buffer.alloc(bytes.length))).statusCode).toBe(400)
    const done = await sendChunk(id, half, bytes.subarray(half))
    // Each chunk is written once, no matter how many follow.
    expect(await chunksOf(id)).toEqual([0, half])
    expect(done.json()).toMatchObject({ status: 'ready', rowsTotal: 20_000, rowsRefused: 0 })
    expect((await sendChunk(id, half, bytes.subarray(half))).json()).toMatchObject({ status: 'ready', rowsTotal: 20_000 })
  })

  it('shows how its columns are read, what would change, and every error', async () => {
    await run('name,price\nOld,1\nSame,2\n')
    const answer = await send('Item Name,Unit Price,Internal\nOld,3,x\nSame,2,\nNew,4,y\nBad,free,y\n')
    expect(answer.columns).toEqual([
      { name: 'Item Name', field: 'name', examples: ['Old', 'Same', 'New'] },
      { name: 'Unit Price', field: 'price', examples: ['3', '2', '4'] },
      { name: 'Internal', field: null, examples: ['x', 'y'] },
    ])
    expect(answer.preview.map(({ row, effect, values }) => [row, effect, values.price])).toEqual([
      [2, 'change', '3.00'],
      [3, 'same', '2.00'],
      [4, 'add', '4.00'],
      [5, 'refused', 'free'],
    ])
    expect(answer).toMatchObject({
      rowsTotal: 4,
      rowsRefused: 1,
      rowErrors: [{ row: 5, field: 'price', message: 'Enter a price such as 12.50' }],
    })
    expect((await test.request('POST', imports(`/${answer.id}/start`), keeper)).statusCode).toBe(409)

    const mapped = await ok<MenuImport>('PUT', imports(`/${answer.id}/mapping`), {
      fields: ['name', 'price', 'batch'],
      skipsWrongRows: true,
    })
    expect(mapped.preview[0]).toMatchObject({ effect: 'change', values: { batch: 'x' } })
    expect((await test.request('PUT', imports(`/${answer.id}/mapping`), keeper, { fields: ['name'] })).json().fields).toEqual({
      fields: 'The file has 3 columns',
    })
    expect((await test.request('PUT', imports(`/${answer.id}/mapping`), keeper, { fields: ['name', 'name', null] })).statusCode).toBe(400)
    await ok('POST', imports(`/${answer.id}/start`))
    await test.runJobs()
    expect(await ok('GET', imports(`/${answer.id}`))).toMatchObject({
      status: 'done',
      itemsAdded: 1,
      itemsChanged: 1,
      rowsRefused: 1,
      rowsDone: 4,
      canUndo: true,
    })
    expect(await namesOf()).toEqual(['New 4.00', 'Old 3.00', 'Same 2.00'])
  })

  it('is refused with a reason if it can’t be read, and can’t be found by another business', async () => {
    expect(await send('name,price\n')).toMatchObject({ status: 'failed', error: 'The file has a header but no rows.' })
    expect((await send('name,price\n"open,1\nA,2')).rowErrors).toMatchObject([{ row: 2, message: 'A quote is opened but never closed' }])
    const unnamed = await send('a,b\n1,2\n')
    expect(unnamed).toMatchObject({ status: 'ready', rowErrors: [{ message: expect.stringMatching(/column with the items’ names/) }] })
    const { id } = await send('name,price\nA,1\n')
    const { ownerOfAnother, another } = await addKeepers(test)
    expect((await test.request('GET', `/api/businesses/${another.id}/menu-imports/${id}`, ownerOfAnother)).statusCode).toBe(404)
    expect((await test.request('POST', `/api/businesses/${another.id}/menu-imports/${id}/start`, ownerOfAnother)).statusCode).toBe(404)
    expect((await sendChunk(id, 0, Buffer.from('x'), ownerOfAnother)).statusCode).toBe(403)
  })
})

describe('an import', () => {
  it('runs once, no matter how often it is started', async () => {
    const { id } = await send('name,price\nA,1\nB,2\n')
    const answers = await Promise.all(Array.from({ length: 5 }, () => test.request('POST', imports(`/${id}/start`), keeper)))
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 200, 200])
    await Promise.all([runImport(test.ctx, id), runImport(test.ctx, id)])
    await test.runJobs()
    expect(await namesOf()).toEqual(['A 1.00', 'B 2.00'])
    expect(await ok('POST', imports(`/${id}/start`))).toMatchObject({ status: 'done', itemsAdded: 2 })
  })

  it('is refused entirely if the plan has no room for it', async () => {
    await test.db.deleteFrom('agreements').where('business_id', '=', shop.id).execute()
    const answer = await run('name,price\nA,1\nB,1\nC,1\nD,1\nE,1\nF,1\n')
    expect(answer).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/can have 5 menu items.*6 more won’t fit/),
      canUndo: false,
    })
    expect(await chunksOf(answer.id)).toEqual([])
    expect(await menuOf()).toEqual([])
    expect(await run('name,price\nA,1\nB,1\nC,1\nD,1\nE,1\n')).toMatchObject({ status: 'done', itemsAdded: 5 })
    // Changes to existing items don't count toward the limit.
    expect(await run('name,price\nA,2\n')).toMatchObject({ status: 'done', itemsAdded: 0, itemsChanged: 1 })
  })

  it('is rolled back when its server dies, and applied completely by the retry', async () => {
    await run('name,price\nOld,1\n')
    const before = await stored()
    const rows = Array.from({ length: 2500 }, (_, i) => `Item ${i},1`)
    const { id } = await send(['name,price', 'Old,9', ...rows].join('\n'))
    await ok('POST', imports(`/${id}/start`))
    // Cuts the connection midway, as when the process dies.
    let progress = 0
    const cutting = {
      ...test.ctx,
      log: test.ctx.log,
      get clock() {
        return test.clock
      },
      events: {
        publish: async () => {
          progress = (await ok<MenuImport>('GET', imports(`/${id}`))).rowsDone
          await sql`select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`.execute(test.db)
          throw new Error('the process was killed')
        },
      },
    }
    await expect(runImport(cutting, id)).rejects.toThrow()
    // Other connections could see the progress, although nothing was committed.
    expect(progress).toBe(2501)
    expect(await ok('GET', imports(`/${id}`))).toMatchObject({ status: 'running', rowsTotal: 2501 })
    expect(await stored()).toEqual(before)
    await test.runJobs()
    expect(await ok('GET', imports(`/${id}`))).toMatchObject({ status: 'done', itemsAdded: 2500, itemsChanged: 1 })
    expect((await stored()).length).toBe(2501)
  })

  it('is resumed by the sweep after the server was killed, and eventually abandoned', async () => {
    const { id } = await send('name,price\nA,1\n')
    await test.db.updateTable('menu_imports').set({ status: 'running', started_at: test.clock.now() }).where('id', '=', id).execute()
    test.clock.advance({ minutes: 4 })
    await test.ctx.jobs.enqueue('menus.sweep-imports', {})
    await test.runJobs()
    expect(await ok('GET', imports(`/${id}`))).toMatchObject({ status: 'done', itemsAdded: 1 })
    const other = await send('name,price\nB,1\n')
    await test.db.updateTable('menu_imports').set({ status: 'running', started_at: test.clock.now() }).where('id', '=', other.id).execute()
    test.clock.advance({ hours: 2 })
    await test.ctx.jobs.enqueue('menus.sweep-imports', {})
    await test.runJobs()
    expect(await ok('GET', imports(`/${other.id}`))).toMatchObject({
      status: 'failed',
      error: 'The import couldn’t be finished. Try again.',
    })
    expect(await namesOf()).toEqual(['A 1.00'])
  })

  it('changes nothing if the sweep abandons it while it is running', async () => {
    await run('name,price\nOld,1\n')
    // Simulates the sweep between two steps of the import.
    await sql`create function give_up() returns trigger language plpgsql as
      $$ begin update menu_imports set status = 'failed', error = 'Given up' where id = new.import_id; return new; end $$`.execute(test.db)
    await sql`create trigger give_up after insert on menu_import_changes for each row execute function give_up()`.execute(test.db)
    try {
      expect(await run('name,price\nOld,9\nNew,1\n')).toMatchObject({ status: 'failed', itemsAdded: 0, canUndo: false })
      expect(await namesOf()).toEqual(['Old 1.00'])
    } finally {
      await sql`drop function give_up cascade`.execute(test.db)
    }
  })

  it('loses its file once it has run, and is deleted once abandoned', async () => {
    const { id } = await run('name,price\nA,1\n')
    expect(await chunksOf(id)).toEqual([])
    const waiting = await send('name,price\nB,1\n')
    for (let i = 0; i < 5; i++) await send('name,price\nC,1\n')
    expect((await test.request('GET', imports(`/${waiting.id}`), keeper)).statusCode).toBe(404)
    test.clock.advance({ days: 3 })
    await test.ctx.jobs.enqueue('menus.sweep-imports', {})
    await test.runJobs()
    expect((await ok<MenuImport[]>('GET', imports())).map((each) => [each.id, each.canUndo])).toEqual([[id, true]])
    test.clock.advance({ days: 30 })
    await test.ctx.jobs.enqueue('menus.sweep-imports', {})
    await test.runJobs()
    // The session has expired by now, so the test reads the database.
    const kept = await test.db.selectFrom('menu_import_changes').select('product_id').where('import_id', '=', id).execute()
    expect(kept).toEqual([])
  })
})

describe('undoing', () => {
  const offers = () => [{ locationId: shop.id, price: '7.00' }]
  const undo = (id: string, anyway = false) => test.request('POST', imports(`/${id}/undo`), keeper, { anyway })

  it('restores every column, including swapped SKUs and offers', async () => {
    await run(
      'sku,name,price,category,brand,description,thc,cbd,weight,batch,available\nS1,A,1,Flower,B,"=x, y",20%,1%,3.5g,L1,no\nS2,B,2,,,,,,,,yes\n',
    )
    const [a, b] = (await menuOf()).sort((one, two) => (one.name < two.name ? -1 : 1)) as [MenuItem, MenuItem]
    await ok('PATCH', `/api/businesses/${shop.id}/menu-items`, {
      changes: [{ id: a.id, version: a.version, variants: [{ id: a.variants[0]?.id, offers: offers() }] }],
    })
    const before = await stored()
    const versions = new Map((await menuOf()).map((item) => [item.id, item.version]))
    test.clock.advance({ hours: 1 })
    const imported = await run(
      'name,sku,price,category,description,available\nA,S9,10,Edibles,,yes\nB,S8,20,Flower,New,no\nC,S1,1,,,\n'
        .replace('A,S9', 'A2,S1')
        .replace('B,S8', 'B2,S2')
        .replace('C,S1', 'C,S3'),
    )
    expect(imported).toMatchObject({ itemsAdded: 1, itemsChanged: 2 })
    expect(await stored()).not.toEqual(before)
    expect((await undo(imported.id)).json()).toMatchObject({ status: 'undone', canUndo: false })
    expect((await undo(imported.id)).json()).toMatchObject({ status: 'undone' })
    expect(await stored()).toEqual(before)
    for (const item of await menuOf()) expect(item.version).toBeGreaterThan((versions.get(item.id) as number) + 1)
    expect(b.variants).toMatchObject([{ sku: 'S2' }])
  })

  it('restores an item as hidden if moderators hid it before the file removed it', async () => {
    await run('name,price\nA,1\nB,2\n')
    await test.db.updateTable('products').set({ moderation: 'hidden' }).where('business_id', '=', shop.id).where('name', '=', 'B').execute()
    const before = await stored()
    const { id } = await send('name,price\nA,1\n')
    await ok('PUT', imports(`/${id}/mapping`), { fields: ['name', 'price'], missingItems: 'remove' })
    await start(await ok('GET', imports(`/${id}`)))
    expect(await namesOf()).toEqual(['A 1.00'])
    expect((await undo(id)).statusCode).toBe(200)
    expect(await stored()).toEqual(before)
  })

  it('requires confirmation to overwrite later manual changes, and then restores the removed items', async () => {
    await run('name,price\nA,1\nB,2\n')
    const [first] = (await menuOf()) as [MenuItem]
    await ok('PATCH', `/api/businesses/${shop.id}/menu-items`, {
      changes: [{ id: first.id, version: 1, variants: [{ id: first.variants[0]?.id, offers: offers() }] }],
    })
    const before = await stored()
    const imported = await run('name,price\nA,10\nB,20\nC,30\n')
    const items = await menuOf()
    const change = (name: string, fields: object) => {
      const { id, version, variants } = items.find((item) => item.name === name) as MenuItem
      return ok('PATCH', `/api/businesses/${shop.id}/menu-items`, {
        changes: [{ id, version, variants: [{ id: variants[0]?.id, ...fields }] }],
      })
    }
    await change('A', { price: '11', offers: [] })
    await test.request('POST', `/api/businesses/${shop.id}/menu-items/removals`, keeper, {
      ids: [items.find(({ name }) => name === 'B')?.id],
    })
    const refused = await undo(imported.id)
    expect(refused.statusCode).toBe(409)
    expect(refused.json().message).toMatch(/^2 items were changed since this import/)
    expect(await namesOf()).toEqual(['A 11.00', 'C 30.00'])
    expect((await undo(imported.id, true)).statusCode).toBe(200)
    expect(await stored()).toEqual(before)
  })

  it('is refused if it needs another item’s SKU or more items than the plan allows', async () => {
    await run('sku,name,price\nS1,A,1\n')
    const [a] = (await menuOf()) as [MenuItem]
    const imported = await run('name,price\nA,2\n')
    await test.request('POST', `/api/businesses/${shop.id}/menu-items/removals`, keeper, { ids: [a.id] })
    await addItem({ name: 'Thief', sku: 'S1', price: '1' })
    expect((await undo(imported.id, true)).json().message).toMatch(/SKU “S1”/)
    await test.db.updateTable('product_variants').set({ sku: null }).where('business_id', '=', shop.id).execute()
    for (const name of ['B', 'C', 'D', 'E']) await addItem({ name, price: '1' })
    await test.db.deleteFrom('agreements').where('business_id', '=', shop.id).execute()
    expect((await undo(imported.id, true)).json()).toMatchObject({ code: 'plan_limit' })
    expect(await namesOf()).toHaveLength(5)
  })
})

describe('the export', () => {
  const exported = (as: TestPerson | null = keeper) => test.request('GET', `/api/businesses/${shop.slug}/menu.csv`, as)

  it('can be imported again without changes, even with formulas', async () => {
    await addItem({
      name: '=HYPERLINK("http://evil.example")',
      price: '1',
      sku: '-1',
      description: '@two\n+lines',
      thc: 0.1,
      thcUnit: 'mg',
    })
    await addItem({ name: 'Twin', price: '1' })
    await addItem({ name: 'Twin', price: '2', isAvailable: false })
    const answer = await exported()
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${shop.slug}-menu.csv"`,
    })
    expect(answer.body).toContain(`'=HYPERLINK`)
    const taken = await send(answer.rawPayload)
    expect(taken.preview.map(({ effect }) => effect)).toEqual(['same', 'same', 'same'])
  })

  it('is only for menu editors of legal age', async () => {
    const { stranger, ownerOfAnother } = await addKeepers(test)
    expect((await exported(null)).statusCode).toBe(401)
    expect((await exported(stranger)).statusCode).toBe(403)
    expect((await exported(ownerOfAnother)).statusCode).toBe(403)
    await test.db
      .updateTable('users')
      .set({ birthday: `${test.clock.now().getUTCFullYear() - 19}-01-01` })
      .where('id', '=', keeper.user.id)
      .execute()
    expect((await exported()).json()).toMatchObject({ code: 'age_restricted' })
    expect((await test.request('GET', imports(), keeper)).json()).toMatchObject({ code: 'age_restricted' })
  })
})

it('refuses everyone but menu editors', async () => {
  const people = await addKeepers(test)
  const id = newId()
  const calls = [
    ['GET', '', undefined, 200],
    ['POST', '', { fileName: 'a.csv', byteSize: 10 }, 201],
    ['GET', `/${id}`, undefined, 404],
    ['PUT', `/${id}/mapping`, { fields: [] }, 404],
    ['POST', `/${id}/start`, undefined, 404],
    ['POST', `/${id}/undo`, {}, 404],
  ] as const
  for (const [method, rest, body, allowed] of calls) {
    const status = async (as: TestPerson | null) =>
      (await test.request(method, `/api/businesses/${people.shop.id}/menu-imports${rest}`, as, body)).statusCode
    for (const role of ['owner', 'manager', 'staff'] as const) expect(await status(people[role]), `${role} ${method} ${rest}`).toBe(allowed)
    for (const role of ['stranger', 'ownerOfAnother'] as const) expect(await status(people[role]), `${role} ${method} ${rest}`).toBe(403)
    expect(await status(null)).toBe(401)
  }
})
