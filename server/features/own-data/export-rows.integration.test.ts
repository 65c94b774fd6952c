import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { newId } from '#server/kernel/ids.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { writeRows } from './make-export.ts'

const rowCount = 2_500
let database: TestDatabase
let folder: string

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'export-rows-'))
  database = await createTestDatabase()
  const rows = Array.from({ length: rowCount }, () => ({ id: newId(), kind: 'post' as const, subject_id: newId() }))
  await database.db.insertInto('search_changes').values(rows).execute()
})
afterAll(async () => {
  fs.rmSync(folder, { recursive: true, force: true })
  await database?.drop()
})

const write = (file: string) =>
  inTransaction(database.db, (tx) =>
    writeRows(
      tx,
      {
        table: 'search_changes',
        part: { file: 'changes', whose: () => sql<boolean>`true` },
        columns: ['id', 'subject_id'],
        ownerId: newId(),
      },
      file,
    ),
  )

it('writes every row once, in order', async () => {
  const file = path.join(folder, 'data', 'changes.json')
  expect(await write(file)).toBe(rowCount)
  const ids = (JSON.parse(fs.readFileSync(file, 'utf8')) as { id: string; subjectId: string }[]).map(({ id }) => id)
  expect(ids).toHaveLength(rowCount)
  expect(ids).toEqual([...new Set(ids)].toSorted())
})

it('fails only the export, not the process, on a disk error', async () => {
  const file = path.join(folder, 'taken.json')
  fs.mkdirSync(file)
  await expect(write(file)).rejects.toMatchObject({ code: 'EISDIR' })
})
