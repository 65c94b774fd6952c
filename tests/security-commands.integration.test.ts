import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectRoot } from '#server/config.ts'
import { connect, type Database } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit, verifyAudit } from '#server/features/audit/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { addPeople } from './support/people.ts'
import { preparedDataDir } from './support/prepared-cluster.ts'
import { node, startProcess, type TestProcess } from './support/processes.ts'

/** Runs the commands as an operator would, alongside a running server. */

let dataDir: string
let server: TestProcess
let database: Database

beforeAll(async () => {
  dataDir = preparedDataDir()
  server = startProcess('embedded-process.ts', [dataDir, 'server'])
  const url = (await server.waitFor('ready')).url as string
  database = connect(url, { databasePoolSize: 4, statementTimeoutMs: 10_000, lockTimeoutMs: 5_000 }, pino({ level: 'silent' }))
}, 60_000)
afterAll(async () => {
  await database?.close()
  await server?.end()
  fs.rmSync(dataDir, { recursive: true, force: true })
})

function run(command: string, ...args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(node, [`server/commands/${command}.ts`, ...args], {
      cwd: projectRoot,
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, DATA_DIR: dataDir },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk))
    child.on('close', (code) => resolve({ code, output }))
  })
}

async function add(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const entry = { at: new Date(), actorId: newId(), action: 'test.done', subjectType: 'test', subjectId: newId() } as const
    await inTransaction(database.db, (tx) => recordAudit(tx, entry))
  }
}

const execute = (statement: string) => sql.raw(statement).execute(database.db)

describe('npm run audit:verify', () => {
  it('prints the number of rows and a line to save, and checks a saved line against the log', async () => {
    await add(3)
    const { head, rows } = await verifyAudit(database.db)
    const whole = await run('verify-audit')
    expect(whole).toMatchObject({ code: 0, output: expect.stringContaining(`The audit log is intact: ${rows} rows.`) })
    expect(whole.output).toContain(`\n${rows}:${head.hash}`)
    await add(2)
    expect((await run('verify-audit', '--kept', `${rows}:${head.hash}`)).code).toBe(0)
    const other = await run('verify-audit', '--kept', `${rows}:${'0'.repeat(64)}`)
    expect(other).toMatchObject({ code: 1, output: expect.stringContaining(`Row ${rows} differs from the line you kept`) })
    expect(await run('verify-audit', '--kept', 'nonsense')).toMatchObject({ code: 1, output: expect.stringContaining('Usage: npm run') })
  })

  it('exits with 1 and names the row that was edited, deleted, or cut off', async () => {
    await execute(`delete from audit_log; update audit_head set sequence = 0, hash = ''`)
    await add(4)
    await execute('create table kept_log as select * from audit_log')
    for (const [statement, words] of [
      [`update audit_log set action = 'test.undone' where sequence = 2`, 'Row 2 was altered'],
      ['delete from audit_log where sequence = 2', 'Row 2 is missing'],
      ['delete from audit_log where sequence = 4', 'from row 4 on, rows were deleted'],
    ] as const) {
      await execute(statement)
      const answer = await run('verify-audit')
      expect(answer.output).toContain(words)
      expect(answer.code).toBe(1)
      await execute('delete from audit_log; insert into audit_log select * from kept_log')
      expect((await run('verify-audit')).code).toBe(0)
    }
    await execute('drop table kept_log')
  })
})

describe('npm run admin:reset-second-factor', () => {
  it('removes an account’s second factor and logs that, and reports a missing account or factor', async () => {
    const [id] = await addPeople(database.db, 1, { email: 'lost@example.com' })
    expect(await run('reset-second-factor')).toMatchObject({ code: 1, output: expect.stringContaining('Usage: npm run') })
    const unknown = await run('reset-second-factor', '--email', 'no-one@example.com')
    expect(unknown).toMatchObject({ code: 1, output: expect.stringContaining('no-one@example.com has no account.') })
    const none = await run('reset-second-factor', '--email', 'lost@example.com')
    expect(none).toMatchObject({ code: 1, output: expect.stringContaining('has no second factor. Nothing was changed.') })

    const factor = { user_id: id as string, secret: 'sealed', confirmed_at: new Date() }
    await database.db.insertInto('second_factors').values(factor).execute()
    const done = await run('reset-second-factor', '--email', 'Lost@Example.com')
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining("Removed lost@example.com's second factor") })
    expect(await database.db.selectFrom('second_factors').select('user_id').execute()).toEqual([])
    const entry = await database.db.selectFrom('audit_log').selectAll().where('action', '=', 'second_factor.reset').executeTakeFirst()
    expect(entry).toMatchObject({ actor_id: null, subject_id: id })
    const { rows } = await database.pool.query(`select data from pgboss.job where name = 'accounts.mail-second-factor'`)
    expect(rows).toEqual([{ data: { userId: id, change: 'reset' } }])
  })
})
