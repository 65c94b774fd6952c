import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DB } from '#server/db/connect.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { isLockTimeout, migrate, warnOfMissingLimits } from './migrate.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await createTestDatabase()
  await sql`drop schema public cascade`.execute(database.db)
  await sql`create schema public`.execute(database.db)
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-migrations-'))
  add('20260101T0900-create-plants', 'create table plants (id int primary key)')
})
afterEach(async () => {
  fs.rmSync(folder, { recursive: true })
  await database.drop()
})

/** Plain JavaScript in a .ts file without imports, because it is outside the project. */
function add(name: string, statement: string): void {
  const text = `export async function up(db) {
    await db.executeQuery({ sql: ${JSON.stringify(statement)}, parameters: [], query: { kind: 'RawNode' }, queryId: { queryId: 'x' } })
  }\n`
  fs.writeFileSync(path.join(folder, `${name}.ts`), text)
}

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname !~ '^kysely' order by 1`.execute(database.db)
  return rows.map(({ name }) => name)
}

test('applies new migrations once and reports them', async () => {
  expect(await migrate(database.url, folder)).toEqual(['20260101T0900-create-plants'])
  expect(await migrate(database.url, folder)).toEqual([])
  add('20260102T0900-create-pots', 'create table pots (id int primary key)')
  expect(await migrate(database.url, folder)).toEqual(['20260102T0900-create-pots'])
  expect(await tables()).toEqual(['plants', 'pots'])
})

test('applies each migration only once despite concurrent runs', async () => {
  add('20260102T0900-create-pots', 'create table pots (id int primary key)')
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(database.url, folder)))
  expect(applied.flat().sort()).toEqual(['20260101T0900-create-plants', '20260102T0900-create-pots'])
})

test('rolls back a failed migration, and keeps the ones before it in an existing database', async () => {
  add('20260103T0900-break', 'create table plants (id int)')
  await expect(migrate(database.url, folder)).rejects.toThrow('The migration 20260103T0900-break failed and changed nothing.')
  expect(await tables()).toEqual([])
  fs.rmSync(path.join(folder, '20260103T0900-break.ts'))
  await migrate(database.url, folder)
  add('20260102T0900-create-pots', 'create table pots (id int primary key)')
  add('20260103T0900-break', 'create table plants (id int)')
  add('20260104T0900-create-lamps', 'create table lamps (id int primary key)')
  await expect(migrate(database.url, folder)).rejects.toThrow('The migration 20260103T0900-break failed and changed nothing.')
  expect(await tables()).toEqual(['plants', 'pots'])
})

test('gives each migration of an existing database its own transaction', async () => {
  await migrate(database.url, folder)
  add('20260102T0900-create-runs', 'create table runs as select pg_current_xact_id()::text as id')
  add('20260103T0900-add-run', 'insert into runs select pg_current_xact_id()::text')
  await migrate(database.url, folder)
  expect((await sql`select distinct id from runs`.execute(database.db)).rows).toHaveLength(2)
})

test('recognizes a migration that waited too long for a table', () => {
  const timedOut = Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
  expect(isLockTimeout(new Error('The migration failed.', { cause: timedOut }))).toBe(true)
  expect(isLockTimeout(new Error('The migration failed.', { cause: new Error('syntax') }))).toBe(false)
})

test('applies a late migration that is older than an applied one', async () => {
  await migrate(database.url, folder)
  add('20251231T0900-create-pots', 'create table pots (id int primary key)')
  expect(await migrate(database.url, folder)).toEqual(['20251231T0900-create-pots'])
})

test('accepts a newer release’s database and adds only the missing migrations', async () => {
  add('20260102T0900-create-pots', 'create table pots (id int primary key)')
  await migrate(database.url, folder)
  fs.rmSync(path.join(folder, '20260102T0900-create-pots.ts'))
  expect(await migrate(database.url, folder)).toEqual([])
  add('20260103T0900-create-lamps', 'create table lamps (id int primary key)')
  expect(await migrate(database.url, folder)).toEqual(['20260103T0900-create-lamps'])
})

test('limits how long a migration waits for a table, without relying on startup parameters', async () => {
  add(
    '20260102T0900-create-limits',
    "create table limits as select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement",
  )
  // The role's limits are for requests.
  await migrate(`${database.url}?options=-c%20statement_timeout%3D9s`, folder)
  expect((await sql`select * from limits`.execute(database.db)).rows).toEqual([{ lock: '15s', statement: '0' }])
})

test('warns about limits that a pooler dropped', async () => {
  const warnings: object[] = []
  const log = { warn: (fields: object) => void warnings.push(fields) }
  await warnOfMissingLimits(database.db, { statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, log)
  expect(warnings).toEqual([])
  const direct = new pg.Pool({ connectionString: database.url, max: 1 })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: direct }) })
  await warnOfMissingLimits(db, { statementTimeoutMs: 10_000, lockTimeoutMs: 3_000 }, log)
  await db.destroy()
  expect(warnings).toEqual([
    { setting: 'lock_timeout', ms: 0, wantedMs: 3_000 },
    { setting: 'statement_timeout', ms: 0, wantedMs: 10_000 },
  ])
})

test('rejects a file with an invalid name', async () => {
  add('create-lamps', 'select 1')
  await expect(migrate(database.url, folder)).rejects.toThrow('YYYYMMDDTHHMM-verb-phrase.ts')
})
