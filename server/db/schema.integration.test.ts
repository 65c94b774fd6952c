import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { describeSchema } from './describe-schema.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const written = fs.readFileSync(path.join(import.meta.dirname, 'schema.ts'), 'utf8')

test('matches the migrations (npm run db:schema)', async () => {
  expect(await describeSchema(database.url)).toBe(written)
})

test('describes columns by their types, and refuses an unknown type', async () => {
  await sql`create table zz_kinds (
    id uuid primary key, name text not null, note text, tags text[] not null default '{}', size int8, weight numeric(5, 2) not null,
    kind text not null default 'clone' check (kind in ('clone', 'seed')), sown date not null, at timestamptz(3) not null default now(),
    doubled int not null generated always as (2) stored, extra jsonb)`.execute(database.db)
  const text = await describeSchema(database.url)
  expect(
    /export interface ZzKinds \{\n(.*?)\n\}/s
      .exec(text)?.[1]
      ?.split('\n')
      .map((line) => line.trim()),
  ).toEqual([
    'id: string',
    'name: string',
    'note: string | null',
    'tags: Generated<string[]>',
    'size: number | null',
    'weight: number',
    "kind: Generated<'clone' | 'seed'>",
    'sown: string',
    'at: Generated<Timestamp>',
    'doubled: Computed<number>',
    'extra: Json | null',
  ])
  await sql`alter table zz_kinds add column place point`.execute(database.db)
  await expect(describeSchema(database.url)).rejects.toThrow('zz_kinds.place has the type point')
})
