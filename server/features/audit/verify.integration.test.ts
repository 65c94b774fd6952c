import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { newId } from '#server/kernel/ids.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { recordAudit, verifyAudit } from './index.ts'

const databases: TestDatabase[] = []
let database: TestDatabase

afterAll(async () => {
  for (const each of databases) await each.drop()
})

beforeEach(async () => {
  database = await createTestDatabase()
  databases.push(database)
})

async function add(count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const entry = {
      at: new Date(1_763_700_000_000 + number),
      actorId: newId(),
      subjectId: newId(),
      businessId: number % 3 ? null : newId(),
    }
    await inTransaction(database.db, (tx) =>
      recordAudit(tx, { ...entry, action: 'test.done', subjectType: 'test', details: { number, b: null, a: `${number}` } }),
    )
  }
}

const run = (statement: string) => sql.raw(statement).execute(database.db)
const verify = () => verifyAudit(database.db)

describe('the audit log', () => {
  it('passes verification when empty and across many batches', async () => {
    expect(await verify()).toEqual({ rows: 0, head: { sequence: 0, hash: '' }, found: null })
    await add(12)
    expect(await verify()).toMatchObject({ rows: 12, head: { sequence: 12 }, found: null })
    await addQuickly(2_990)
    expect(await verify()).toMatchObject({ rows: 3002, found: null })
    await run(`update audit_log set details = '{"number": 0}' where sequence = 2001`)
    expect(await verify()).toMatchObject({ rows: 2000, found: { sequence: 2001, kind: 'changed' } })
  })

  it.each([
    [`update audit_log set at = at + interval '1 millisecond' where sequence = 4`, 4, 'changed'],
    [`update audit_log set id = gen_random_uuid() where sequence = 4`, 4, 'changed'],
    [`update audit_log set actor_id = null where sequence = 4`, 4, 'changed'],
    [`update audit_log set actor_id = (select actor_id from audit_log where sequence = 5) where sequence = 4`, 4, 'changed'],
    [`update audit_log set action = 'test.undone' where sequence = 4`, 4, 'changed'],
    [`update audit_log set subject_type = 'other' where sequence = 4`, 4, 'changed'],
    [`update audit_log set subject_id = gen_random_uuid() where sequence = 4`, 4, 'changed'],
    [`update audit_log set business_id = gen_random_uuid() where sequence = 4`, 4, 'changed'],
    [`update audit_log set details = details || '{"number": 5}' where sequence = 4`, 4, 'changed'],
    [`update audit_log set details = details - 'b' where sequence = 4`, 4, 'changed'],
    [`update audit_log set hash = repeat('0', 64) where sequence = 4`, 4, 'changed'],
    [`update audit_log set previous_hash = repeat('0', 64) where sequence = 4`, 4, 'changed'],
    [`delete from audit_log where sequence = 4`, 4, 'missing'],
    [`delete from audit_log where sequence = 1`, 1, 'missing'],
    [`delete from audit_log where sequence = 8`, 8, 'cut_off'],
    [`delete from audit_log where sequence > 5`, 6, 'cut_off'],
    [`delete from audit_log`, 1, 'cut_off'],
    [`delete from audit_log where sequence = 4; update audit_log set sequence = 4 where sequence = 8`, 4, 'changed'],
    [
      `insert into audit_log select 9, gen_random_uuid(), at, actor_id, action, subject_type, subject_id, business_id, details, hash, repeat('1', 64)
       from audit_log where sequence = 8`,
      9,
      'changed',
    ],
    [`update audit_head set sequence = 7, hash = (select hash from audit_log where sequence = 7)`, 8, 'cut_off'],
  ] as const)('detects %s', async (statement, sequence, kind) => {
    await add(8)
    await run(statement)
    expect((await verify()).found).toEqual({ sequence, kind })
  })

  it('is read from one snapshot, so new rows don’t look like a gap', async () => {
    await add(20)
    const writing = add(40)
    const checks = await Promise.all(Array.from({ length: 10 }, verify))
    await writing
    expect(checks.map(({ found }) => found)).toEqual(checks.map(() => null))
    expect((await verify()).rows).toBe(60)
  })

  it('reveals a consistent rewrite only by comparison with an externally stored hash', async () => {
    await add(8)
    const { head } = await verify()
    await run(`update audit_log set action = 'test.forged' where sequence = 3`)
    await rechain()
    expect(await verify()).toMatchObject({ rows: 8, found: null })
    expect((await verifyAudit(database.db, head)).found).toEqual({ sequence: 8, kind: 'rewritten' })
    // Cuts the log off before the recorded position and adjusts its head.
    await run(
      `delete from audit_log where sequence > 6; update audit_head set sequence = 6, hash = (select hash from audit_log where sequence = 6)`,
    )
    expect((await verify()).found).toBeNull()
    expect((await verifyAudit(database.db, head)).found).toEqual({ sequence: 7, kind: 'cut_off' })
  })
})

async function addQuickly(count: number): Promise<void> {
  await inTransaction(database.db, async (tx) => {
    for (let number = 0; number < count; number++) {
      await recordAudit(tx, {
        at: new Date(1_763_800_000_000),
        actorId: null,
        action: 'test.done',
        subjectType: 'test',
        subjectId: newId(),
      })
    }
  })
}

/** Rebuilds the chain over altered rows, as an attacker with the database and this source could. */
async function rechain(): Promise<void> {
  const rows = await database.db.selectFrom('audit_log').selectAll().orderBy('sequence').execute()
  let previous = ''
  for (const row of rows) {
    const details = Object.entries(row.details as object).sort(([a], [b]) => (a < b ? -1 : 1))
    const fields = [row.sequence, row.id, row.at.toISOString(), row.actor_id, row.action, row.subject_type, row.subject_id, row.business_id]
    const hash = createHash('sha256')
      .update(JSON.stringify([previous, ...fields, details]))
      .digest('hex')
    await database.db.updateTable('audit_log').set({ previous_hash: previous, hash }).where('sequence', '=', row.sequence).execute()
    previous = hash
  }
  await database.db.updateTable('audit_head').set({ hash: previous }).execute()
}
