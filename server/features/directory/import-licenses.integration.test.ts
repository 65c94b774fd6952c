import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newId } from '#server/kernel/ids.ts'
import type { TestDatabase } from '#tests/support/database.ts'
import { startRegisterImports } from '#tests/support/register-import.ts'
import type { ImportTask } from './import-licenses.ts'
import type { Refused } from './summary.ts'

const header =
  'state,license_number,dba_name,license_type,business_type,license_status,street,city,zip,phone,latitude,longitude,authority,data_refreshed'

let imports: Awaited<ReturnType<typeof startRegisterImports>>
let database: TestDatabase

beforeAll(async () => {
  imports = await startRegisterImports()
  database = imports.database
})
afterAll(() => imports?.close())
beforeEach(async () => {
  for (const table of ['licenses', 'businesses', 'license_imports', 'users'] as const) await database.db.deleteFrom(table).execute()
})

async function run(content: string | Buffer | string[], options: Partial<ImportTask> = {}) {
  const refused: Refused[] = []
  const file = Array.isArray(content) ? [header, ...content, ''].join('\n') : content
  const summary = await imports.importFile(file, { onRefused: (row) => refused.push(row), ...options })
  return { summary, refused }
}

/** In the order of the columns. */
const usual = {
  state: 'CO',
  number: '402R-1',
  name: 'Green Door',
  type: 'Stores',
  business: 'dispensary',
  status: '',
  street: '1 Main St',
  city: 'Denver',
  zip: '80202',
  phone: '',
  at: '39.7501,-104.9902',
  authority: 'MED',
  date: '2023-09-01',
}
type Row = Partial<typeof usual>
const row = (given: Row = {}): string => Object.values({ ...usual, ...given }).join(',')

const businesses = () => database.db.selectFrom('businesses').selectAll().orderBy('name').execute()
const licenses = () => database.db.selectFrom('licenses').selectAll().orderBy('register_key').execute()
const changes = ({ added, changed, confirmed, missing, listings }: Awaited<ReturnType<typeof run>>['summary']) => ({
  added,
  changed,
  confirmed,
  missing,
  listings,
})
const nothing = { added: 0, changed: 0, confirmed: 0, missing: 0, listings: { added: 0, changed: 0, removed: 0 } }

describe('a first import', () => {
  it('makes one listing from several licenses at one place and invents no data', async () => {
    const { summary } = await run([
      row(),
      row({ number: '402-1', type: 'Medical', name: 'GREEN DOOR LLC', street: '1 Main Street' }),
      row({ number: '403-9', name: 'Other', street: '2 Elm St' }),
    ])
    expect(summary).toMatchObject({
      isComplete: true,
      rowsRead: 3,
      rowsRefused: 0,
      added: 3,
      refusedFile: null,
      listings: { added: 2, changed: 0, removed: 0 },
    })
    const [first, second] = await businesses()
    expect(first).toMatchObject({
      name: 'Green Door',
      slug: 'green-door-denver',
      type: 'dispensary',
      description: null,
      location: 'Denver, CO',
      address: '1 Main Street',
      state: 'CO',
      country: 'US',
      pin_precision: 'premise',
      license_standing: 'listed',
      claimed_at: null,
      is_demo: false,
      search_text: 'green door\ndenver, co',
    })
    expect(second?.name).toBe('Other')
    expect((await licenses()).filter((license) => license.business_id === first?.id)).toHaveLength(2)
    expect((await licenses()).every((license) => !license.listing_due)).toBe(true)
  })

  it('keeps rows without a place only in the register', async () => {
    await run([
      row({ street: '', city: '', zip: '', at: ',' }),
      row({ number: '2', state: 'NM', name: 'Shop 0', city: '', zip: '', street: '', at: ',' }),
    ])
    expect(await businesses()).toEqual([])
    expect(await licenses()).toHaveLength(2)
  })

  it('treats an address shared by more than twenty businesses as an office, even across imports', async () => {
    const store = (i: number) =>
      row({
        number: `N-${i}`,
        name: `Shop ${i}`,
        street: '3400 Vassar Dr NE',
        city: 'Albuquerque',
        zip: '87107',
        state: 'NM',
        at: '35.118,-106.614',
      })
    await run(Array.from({ length: 20 }, (_, i) => store(i)))
    expect(await businesses()).toHaveLength(20)
    const { summary } = await run(Array.from({ length: 25 }, (_, i) => store(i)))
    expect(summary.listings).toMatchObject({ added: 0, removed: 20 })
    expect(await businesses()).toEqual([])
    expect(await licenses()).toHaveLength(25)
    expect(changes((await run(Array.from({ length: 25 }, (_, i) => store(i)))).summary)).toEqual(nothing)
  })

  it('numbers the slugs of namesakes, even if a member’s own business has the first slug', async () => {
    await database.db
      .insertInto('businesses')
      .values({ id: newId(), slug: 'green-door-denver', name: 'Green Door', type: 'other' })
      .execute()
    await run([row(), row({ number: '2', street: '2 Elm St' })])
    expect((await businesses()).map((business) => business.slug).sort()).toEqual([
      'green-door-denver',
      'green-door-denver-2',
      'green-door-denver-3',
    ])
  })
})

describe('a second import', () => {
  it('reads expiry dates under either column name, idempotently', async () => {
    const file = (column: string, day: string) => `${header},${column}\n${row()},${day}\n`
    const expiry = async () => (await licenses()).map(({ expires_on }) => expires_on)
    await run([row()])
    expect(await expiry()).toEqual([null])
    expect(changes((await run(file('license_expiration', ''))).summary)).toMatchObject({ added: 0, changed: 0 })
    expect(changes((await run(file('expiration_date', '3/31/2027'))).summary)).toMatchObject({ added: 0, changed: 1 })
    expect(await expiry()).toEqual(['2027-03-31'])
    expect(changes((await run(file('License_Expiration', '2027-03-31'))).summary)).toMatchObject({ added: 0, changed: 0 })
    expect(changes((await run(file('license_expiration', '2028-03-31'))).summary)).toMatchObject({ changed: 1 })
    expect(await expiry()).toEqual(['2028-03-31'])
  })

  it('changes nothing if the file is the same', async () => {
    const file = [
      row(),
      row({ number: '2', business: 'farm', type: 'Cultivations' }),
      row({ number: '', name: 'No Number' }),
      row({ number: '4', name: 'Nowhere', city: '', street: '', zip: '', at: ',' }),
    ]
    await run(file)
    const before = JSON.stringify([await businesses(), (await licenses()).map(({ last_import_id, ...rest }) => rest)])
    const { summary } = await run(file)
    expect(changes(summary)).toEqual(nothing)
    expect(summary.unchanged).toBe(4)
    expect(JSON.stringify([await businesses(), (await licenses()).map(({ last_import_id, ...rest }) => rest)])).toBe(before)
  })

  it('changes only the date if a newer file is identical', async () => {
    await run([row()])
    const { summary } = await run([row({ date: '2024-01-01' })])
    expect(changes(summary)).toEqual({ ...nothing, confirmed: 1 })
    expect(await licenses()).toMatchObject([{ source_date: '2024-01-01' }])
  })

  it('updates the listing without overwriting its owner’s edits', async () => {
    await run([row(), row({ number: '2', name: 'Claimed', street: '2 Elm St' }), row({ number: '3', name: 'Edited', street: '3 Oak St' })])
    await database.db.updateTable('businesses').set({ name: 'Our Name', claimed_at: new Date() }).where('name', '=', 'Claimed').execute()
    await database.db
      .updateTable('businesses')
      .set({ phone: 'Call us', edited_fields: ['phone'] })
      .where('name', '=', 'Edited')
      .execute()
    const news = { phone: '303-555-0100', status: 'Suspended' }
    const { summary } = await run([
      row(news),
      row({ ...news, number: '2', name: 'Claimed', street: '2 Elm St' }),
      row({ ...news, number: '3', name: 'Edited', street: '3 Oak St' }),
    ])
    expect(summary).toMatchObject({ changed: 3, listings: { added: 0, changed: 3, removed: 0 } })
    expect((await businesses()).map(({ name, phone, license_standing }) => ({ name, phone, license_standing }))).toEqual([
      { name: 'Edited', phone: 'Call us', license_standing: 'inactive' },
      { name: 'Green Door', phone: '(303) 555-0100', license_standing: 'inactive' },
      { name: 'Our Name', phone: null, license_standing: 'inactive' },
    ])
  })

  it('keeps the listing and the slug of a business that moved', async () => {
    await run([row()])
    const [before] = await businesses()
    await run([row({ street: '9 New Rd', city: 'Boulder', zip: '80302', at: '40.015,-105.27', date: '2024-01-01' })])
    const after = await businesses()
    expect(after).toHaveLength(1)
    expect(after[0]).toMatchObject({ id: before?.id, slug: before?.slug, address: '9 New Rd', location: 'Boulder, CO' })
  })

  it('marks licenses missing from the authority’s newer file, and clears the mark when they return', async () => {
    await run([
      row(),
      row({ number: '2', name: 'Gone', street: '2 Elm St' }),
      row({ number: '3', name: 'Elsewhere', state: 'OR', city: 'Portland', zip: '97201', at: ',', authority: 'OLCC' }),
    ])
    const { summary } = await run([row({ date: '2024-01-01' })])
    expect(summary.missing).toBe(1)
    const gone = () => database.db.selectFrom('licenses').selectAll().where('business_name', '=', 'Gone').executeTakeFirstOrThrow()
    expect(await gone()).toMatchObject({ standing: 'missing', missing_since: '2024-01-01' })
    expect((await businesses()).map(({ name, license_standing }) => [name, license_standing])).toEqual([
      ['Elsewhere', 'listed'],
      ['Gone', 'missing'],
      ['Green Door', 'listed'],
    ])
    // The old file, imported late, does not revert the register.
    const late = await run([row(), row({ number: '2', name: 'Gone', street: '2 Elm St' })])
    expect(late.summary).toMatchObject({ older: 2, changed: 0 })
    expect((await gone()).standing).toBe('missing')

    const back = await run([row({ date: '2024-02-01' }), row({ number: '2', name: 'Gone', street: '2 Elm St', date: '2024-02-01' })])
    expect(back.summary).toMatchObject({ changed: 1, listings: { changed: 1 } })
    expect(await gone()).toMatchObject({ standing: 'listed', missing_since: null })
    expect((await businesses()).find((business) => business.name === 'Gone')?.license_standing).toBe('listed')
  })

  it('marks no license missing because of an undated file or a broken row', async () => {
    await run([
      row(),
      row({ number: '2', name: 'Broken', street: '2 Elm St' }),
      row({ number: '', name: 'Broken Too', street: '3 Oak St' }),
    ])
    expect((await run([row({ date: '' })])).summary.missing).toBe(0)
    // A license that came without a date is not marked missing by a file older than its import.
    await run([row({ number: '9', name: 'Undated', street: '9 Oak St', date: '' })])
    expect(
      (
        await run([
          row(),
          row({ number: '2', name: 'Broken', street: '2 Elm St' }),
          row({ number: '', name: 'Broken Too', street: '3 Oak St' }),
        ])
      ).summary.missing,
    ).toBe(0)
    await database.db.deleteFrom('licenses').where('business_name', '=', 'Undated').execute()
    const { summary } = await run([row({ date: '2024-01-01' }), `CO,2,"Broken,x`, `CO,,Broken Too,Stores`])
    expect(summary).toMatchObject({ rowsRefused: 2, missing: 0 })
  })

  it('keeps a listing in use when its licenses lose their place, but removes an unused one', async () => {
    const others = ['Followed', 'Blocked', 'Unused'].map((name, i) => ({ number: `${i + 3}`, name, street: `${i + 3} Oak St` }))
    await run([row(), row({ number: '2', name: 'Green Door', type: 'Medical' }), ...others.map((other) => row(other))])
    const idOf = async (name: string) => (await businesses()).find((business) => business.name === name)?.id as string
    const used = await idOf('Green Door')
    const user_id = newId()
    await database.db.insertInto('users').values({ id: user_id, email: 'a@example.com', birthday: '1990-01-01' }).execute()
    await database.db.insertInto('favorites').values({ id: newId(), user_id, business_id: used }).execute()
    // Followers' counts include the listing; people who blocked it don't want it back under another ID.
    await database.db
      .insertInto('business_follows')
      .values({ user_id, business_id: await idOf('Followed') })
      .execute()
    await database.db
      .insertInto('business_blocks')
      .values({ user_id, business_id: await idOf('Blocked') })
      .execute()
    const nowhere = { street: '', city: '', zip: '', at: ',', date: '2024-01-01' }
    const { summary } = await run([
      row(nowhere),
      row({ ...nowhere, number: '2', type: 'Medical' }),
      ...others.map(({ number, name }) => row({ ...nowhere, number, name })),
    ])
    expect(summary.listings.removed).toBe(1)
    expect((await businesses()).map(({ name }) => name).sort()).toEqual(['Blocked', 'Followed', 'Green Door'])
    expect((await businesses()).find(({ id }) => id === used)).toMatchObject({ license_standing: 'none', register_place: null })
  })
})

describe('a file full of errors', () => {
  it('is imported as far as possible, and each error is reported by line', async () => {
    const lines = [
      `\uFEFF${header}`, // 1: byte order mark
      row(), // 2
      '', // 3: empty
      row({ number: '4', name: '"Broken' }), // 4: open quote
      row({ number: '5', name: '"Joe ""Bud"" Shop"', street: '"5 Main St, Unit 1"' }), // 5
      'CO,6,Too,Few,Columns', // 6
      `${row({ number: '7', name: 'Extra' })},,`, // 7: empty extra columns
      `${row({ number: '8', name: 'Shifted' })},x`, // 8
      ',,,,,,,,,,,,,', // 9: empty
      row({ number: '10', name: '' }), // 10
      row({ number: '11', state: 'XX' }), // 11
      row({ number: '12', name: 'Caf@', street: '12 Main St' }), // 12: Latin-1
      row({ number: '13', name: 'Abroad', street: '13 Main St', at: '51.5,-0.1' }), // 13
      row(), // 14: repeats line 2
      row({ number: '15', name: 'Last', street: '15 Main St' }), // 15
    ]
    const bytes = Buffer.from(lines.join('\r\n'))
    bytes[bytes.indexOf('@')] = 0xe9
    const { summary, refused } = await run(bytes)
    expect(refused.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'The row is empty.'],
      [4, 'A quote is opened but never closed.'],
      [6, 'The row has 5 columns; the header has 14.'],
      [8, 'The row has 15 columns; the header has 14.'],
      [9, 'The row is empty.'],
      [10, 'The column dba_name is empty.'],
      [11, '“XX” is not a US state.'],
      [14, 'The row repeats the license from line 2.'],
    ])
    expect(summary).toMatchObject({ isComplete: true, rowsRefused: 8, added: 6, listings: { added: 6 } })
    expect([...summary.notes]).toEqual([
      ['read as Windows-1252', { count: 1, lines: [12] }],
      ['coordinates outside the state replaced', { count: 1, lines: [13] }],
    ])
    expect((await businesses()).map((business) => business.name)).toEqual([
      'Abroad',
      'Café',
      'Extra',
      'Green Door',
      'Joe "Bud" Shop',
      'Last',
    ])
    expect(await businesses()).toContainEqual(expect.objectContaining({ name: 'Abroad', pin_precision: 'zip' }))
    const list = readFileSync(summary.refusedFile as string, 'utf8')
      .trim()
      .split('\n')
    expect(list).toHaveLength(9)
    expect(list[0]).toBe('line,reason,text')
    expect(list[3]).toBe('6,"The row has 5 columns; the header has 14.","CO,6,Too,Few,Columns"')
  })

  it.each([
    ['no known header', 'a,b\n1,2\n', /has no column state and no column dba_name/],
    ['nothing', '', /empty/],
    ['only line breaks', '\n\n', /empty/],
  ])('is rejected entirely with %s', async (_, content, message) => {
    await expect(run(content)).rejects.toThrow(message)
    expect(await licenses()).toEqual([])
  })
})

describe('an interrupted import', () => {
  const many = Array.from({ length: 3500 }, (_, i) => row({ number: `S-${i}`, name: `Shop ${i}`, street: `${i} Main St`, phone: '' }))

  it('finishes when run again', async () => {
    const stop = new AbortController()
    const { summary: first } = await run(many, { signal: stop.signal, onBytes: () => stop.abort() })
    expect(first.isComplete).toBe(false)
    expect(first.added).toBeLessThan(3500)
    const placing = new AbortController()
    const { summary: second } = await run(many, { signal: placing.signal, onPlaced: () => placing.abort() })
    expect(second).toMatchObject({ isComplete: false, added: 3500 - first.added })
    const { summary: third } = await run(many)
    expect(third).toMatchObject({ isComplete: true, added: 0, changed: 0 })
    expect(await businesses()).toHaveLength(3500)
    expect(new Set((await businesses()).map((business) => business.slug)).size).toBe(3500)
    expect(changes((await run(many)).summary)).toEqual(nothing)
    const finished = await database.db.selectFrom('license_imports').select('finished_at').orderBy('started_at').execute()
    expect(finished.map((each) => each.finished_at !== null)).toEqual([false, false, true, true])
  })

  it('imports each row once alongside concurrent imports', async () => {
    const summaries = await Promise.all([run(many), run(many), run(many)])
    expect(summaries.reduce((sum, { summary }) => sum + summary.added, 0)).toBe(3500)
    expect(summaries.reduce((sum, { summary }) => sum + summary.listings.added, 0)).toBe(3500)
    expect(await businesses()).toHaveLength(3500)
    expect(await licenses()).toHaveLength(3500)
  })
})
