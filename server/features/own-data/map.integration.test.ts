import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { eraseSteps } from '#server/app/registries.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { tables } from './map/index.ts'

let test: TestApp
let columns: { table: string; column: string; type: string }[]
let references: { table: string; column: string; to: string; action: string }[]

beforeAll(async () => {
  test = await startTestApp()
  columns = (
    await sql<(typeof columns)[number]>`
      select table_name as table, column_name as column, data_type as type from information_schema.columns
      where table_schema = 'public' order by 1, 2`.execute(test.db)
  ).rows
  references = (
    await sql<(typeof references)[number]>`
      select conrelid::regclass::text as table, attname::text as column, confrelid::regclass::text as to, confdeltype::text as action
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
      where contype = 'f' and conrelid::regclass::text not like 'visit_events_%' order by 1, 2`.execute(test.db)
  ).rows
})
afterAll(() => test?.close())

// Monthly partitions repeat the columns of their table.
const isPartition = (table: string) => /^visit_events_\d/.test(table)

it('maps exactly the existing tables', () => {
  const there = [...new Set(columns.map(({ table }) => table))].filter((table) => !isPartition(table))
  expect(Object.keys(tables).toSorted()).toEqual(there.toSorted())
})

it('maps every column that refers to a person, with its delete rule', () => {
  const said = Object.entries(tables).flatMap(([table, { people = {} }]) => Object.keys(people).map((column) => `${table}.${column}`))
  const toPeople = references.filter(({ to }) => to === 'users')
  expect(toPeople.map(({ table, column }) => `${table}.${column}`).filter((each) => !said.includes(each))).toEqual([])
  for (const { table, column, action } of toPeople) {
    const fate = tables[table]?.people?.[column]
    // If a step deletes the row, it does so before the reference can be set to null.
    const expected = action === 'c' ? ['row'] : ['emptied', ...('by' in (tables[table]?.erased ?? {}) ? ['row'] : [])]
    expect(expected, `${table}.${column}`).toContain(fate)
  }
})

/** Names of columns with IDs of other kinds. */
const ofThings =
  /(^|_)(business|post|comment|review|hunt|community|conversation|media|image|picture|document|certificate|plan|agreement|account|case|action|notification|product|location|license|verification|genotype|plant|run|trait|sensor|import|panel|jar|card|log|draft|message|decision|option|lot|linked_\w+|parent|corrects|follows|cut_from|ended_by_decision|check_genotype|mother_genotype|father_genotype|accepted_comment|last_import|moderation_action|from|hunt_comment)_id$/

it('maps columns that could hold a person’s ID but have no foreign key', () => {
  const unknown = columns.filter(({ table, column, type }) => {
    if (type !== 'uuid' || isPartition(table) || column === 'id' || tables[table]?.people?.[column]) return false
    if (references.some((reference) => reference.table === table && reference.column === column)) return false
    return !ofThings.test(column)
  })
  // These columns refer to any kind of subject. If it is a person, the table's step handles it.
  const anything = ['subject_id', 'replaces', 'subscribe_to', 'pass_after']
  expect(unknown.filter(({ column }) => !anything.includes(column)).map(({ table, column }) => `${table}.${column}`)).toEqual([])
})

it('names an existing erasure step or parent table for every table whose rows are erased', () => {
  const steps = eraseSteps.map(({ name }) => name)
  const said = Object.values(tables).flatMap(({ erased }) => ('by' in erased ? [erased.by] : []))
  expect([...new Set(said)].filter((name) => ![...steps, 'traces'].includes(name))).toEqual([])
  for (const [table, { erased }] of Object.entries(tables)) {
    if (!('with' in erased) || table === 'users') continue
    expect(Object.keys(tables), table).toContain(erased.with)
    expect(reachable(table), `${table} with ${erased.with}`).toContain(erased.with)
  }
})

function reachable(table: string): string[] {
  const found = new Set([table])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const { table: from, to, action } of references) if (found.has(from) && action === 'c') found.add(to)
  }
  return [...found]
}

it('exports every column or excludes it for a reason, and excludes every secret', () => {
  const secret = /token|secret|password|hash|signature|salt|p256dh|^auth$|endpoint|public_key|sealed|webhook/
  // Their names match, but they aren't secret.
  const open = [
    'hunt_proofs.content_hash',
    'menu_file_mappings.header_hash',
    'hunt_proofs.audit_hash',
    'credentials.access_token_expires_at',
    'credentials.refresh_token_expires_at',
  ]
  for (const [table, { exported, ofBusiness }] of Object.entries(tables)) {
    for (const part of [...(typeof exported === 'string' ? [] : [exported]), ...(ofBusiness ? [ofBusiness] : [])]) {
      const names = columns.filter((each) => each.table === table).map(({ column }) => column)
      expect(
        Object.keys(part.leftOut ?? {}).filter((column) => !names.includes(column)),
        table,
      ).toEqual([])
      const shown = names.filter((column) => !part.leftOut?.[column])
      expect(
        shown.filter((column) => secret.test(column) && !open.includes(`${table}.${column}`)),
        table,
      ).toEqual([])
    }
  }
})

it('has valid conditions for a person’s and a business’s rows', async () => {
  const id = sql`'00000000-0000-7000-8000-00000000000f'::uuid`
  for (const [table, { exported, ofBusiness }] of Object.entries(tables)) {
    for (const part of [exported, ofBusiness]) {
      if (typeof part === 'object') await sql`select 1 from ${sql.table(table)} where ${part.whose(id)} limit 1`.execute(test.db)
    }
  }
})
