import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { assertRestoreComplete } from '#server/db/migrate.ts'
import { readStoredSecrets, storedVapidKeys } from '#server/secrets.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { createEmptyDatabase } from '#tests/support/empty-database.ts'
import { addPeople } from '#tests/support/people.ts'
import { node } from '#tests/support/processes.ts'

const secret = 'a secret for tests that is long enough'

let folder: string
let database: TestDatabase
let backup: string

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-backup-'))
  database = await createTestDatabase()
  await addPeople(database.db, 4000)
  const made = await ended(command(`backup.ts ${path.join(folder, 'good.backup')}`, database.url))
  expect(made, made.err).toMatchObject({ code: 0, err: '' })
  backup = path.join(folder, 'good.backup')
})
afterAll(async () => {
  await database.drop()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** Runs a command as an operator would. `limit` is the maximum file size in blocks of 1024 bytes. */
function command(
  line: string,
  databaseUrl: string,
  { dataDir = path.join(folder, 'data'), limit = 'unlimited', temporary = os.tmpdir(), sessionSecret = secret } = {},
): ChildProcess {
  return spawn('bash', ['-c', `ulimit -f ${limit}; exec "${node}" server/commands/${line}`], {
    cwd: projectRoot,
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SESSION_SECRET: sessionSecret, TMPDIR: temporary },
  })
}

function ended(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let out = ''
  let err = ''
  child.stdout?.on('data', (data) => (out += data))
  child.stderr?.on('data', (data) => (err += data))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out: out.trim(), err: err.trim() })))
}

const until = async (isSo: () => boolean | Promise<boolean>) => {
  for (const giveUpAt = Date.now() + 30_000; Date.now() < giveUpAt; await new Promise((resolve) => setTimeout(resolve, 2))) {
    if (await isSo()) return
  }
  throw new Error('It did not come to that.')
}

test('leaves no file that looks like a backup on a full disk', async () => {
  const place = path.join(folder, 'full')
  const { code, err } = await ended(command(`backup.ts ${place}/half.backup`, database.url, { limit: '40' }))
  expect(code).toBe(1)
  expect(err).toContain(`There is not enough space for the backup in ${place}. The unfinished file was removed.`)
  expect(fs.readdirSync(place)).toEqual([])
})

test('leaves no file that looks like a backup when killed', async () => {
  const place = path.join(folder, 'killed')
  const child = command(`backup.ts ${place}/half.backup`, database.url)
  const over = ended(child)
  await until(() => fs.existsSync(place) && fs.readdirSync(place).some((name) => name.endsWith('.part')))
  child.kill('SIGKILL')
  await over
  expect(fs.readdirSync(place).filter((name) => name.endsWith('.backup'))).toEqual([])
})

test('refuses a half-restored database after a restore is killed, and lets the restore be repeated', { timeout: 120_000 }, async () => {
  const target = await createEmptyDatabase()
  const client = new pg.Client(target.url)
  await client.connect()
  const has = async (table: string) => (await client.query('select to_regclass($1) is not null as found', [table])).rows[0].found as boolean
  try {
    const child = command(`restore-backup.ts ${backup}`, target.url)
    const over = ended(child)
    await until(() => has('users'))
    child.kill('SIGKILL')
    await over
    const { db, close } = connect(target.url, { databasePoolSize: 1, statementTimeoutMs: 5_000, lockTimeoutMs: 5_000 }, { warn() {} })
    await expect(assertRestoreComplete(db)).rejects.toThrow('did not finish')
    await close()

    expect(await ended(command(`restore-backup.ts ${backup}`, target.url))).toMatchObject({ code: 0, err: '' })
    expect(await has('unfinished_restore')).toBe(false)
    expect((await client.query('select count(*)::int as count from users')).rows[0].count).toBe(4000)
  } finally {
    await client.end()
    await target.drop()
  }
})

test('rejects a damaged backup before writing anything', async () => {
  const target = await createEmptyDatabase()
  const damaged = path.join(folder, 'damaged.backup')
  const bytes = fs.readFileSync(backup)
  bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
  fs.writeFileSync(damaged, bytes)
  const dataDir = path.join(folder, 'untouched')
  const { code, out, err } = await ended(command(`restore-backup.ts ${damaged}`, target.url, { dataDir }))
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toMatch(/^The backup is damaged: [^\n]+$/)
  const client = new pg.Client(target.url)
  await client.connect()
  const { rows } = await client.query(`select from pg_class where relnamespace = 'public'::regnamespace`)
  await client.end()
  await target.drop()
  expect(rows).toEqual([])
  expect(fs.existsSync(dataDir)).toBe(false)
})

test('takes the session secret from the backup if the data folder has only VAPID keys', { timeout: 120_000 }, async () => {
  const made = await ended(command(`backup.ts ${path.join(folder, 'with-secrets.backup')} --with-secrets`, database.url))
  expect(made).toMatchObject({ code: 0, err: '' })
  const restore = async (dataDir: string, more = '') => {
    const target = await createEmptyDatabase()
    const line = `restore-backup.ts ${path.join(folder, 'with-secrets.backup')} ${more}`
    const result = await ended(command(line, target.url, { dataDir, sessionSecret: '' }))
    await target.drop()
    return result
  }
  const copied = path.join(folder, 'copied')
  fs.mkdirSync(copied)
  fs.copyFileSync(path.join(folder, 'data', 'vapid.json'), path.join(copied, 'vapid.json'))
  expect(await restore(copied)).toMatchObject({ code: 0, err: '' })
  expect(readStoredSecrets(copied)).toEqual({ ...readStoredSecrets(path.join(folder, 'data')), sessionSecret: secret })

  const other = path.join(folder, 'other')
  const vapid = storedVapidKeys(other)
  expect((await restore(other)).err).toContain('different VAPID keys')
  expect(readStoredSecrets(other)).toEqual({ sessionSecret: null, vapid })
  expect(await restore(other, '--other-secrets')).toMatchObject({ code: 0, err: '' })
  expect(readStoredSecrets(other)).toEqual({ sessionSecret: secret, vapid })
})

test('takes the VAPID keys from the backup if only the session secret is set, and stops if neither has them', {
  timeout: 120_000,
}, async () => {
  const withSecrets = path.join(folder, 'with-all-secrets.backup')
  expect(await ended(command(`backup.ts ${withSecrets} --with-secrets`, database.url))).toMatchObject({ code: 0, err: '' })
  const restore = async (dataDir: string, line: string) => {
    const target = await createEmptyDatabase()
    const result = await ended(command(`restore-backup.ts ${line}`, target.url, { dataDir }))
    await target.drop()
    return result
  }
  const { vapid } = readStoredSecrets(path.join(folder, 'data'))
  const empty = path.join(folder, 'empty')
  expect(await restore(empty, withSecrets)).toMatchObject({ code: 0, err: '' })
  expect(readStoredSecrets(empty)).toEqual({ sessionSecret: null, vapid })

  const without = path.join(folder, 'without-keys')
  expect((await restore(without, backup)).err).toContain('No VAPID keys are set here')
  expect(readStoredSecrets(without).vapid).toBeNull()
})

test('confirms a good backup in a rehearsal', { timeout: 120_000 }, async () => {
  const { code, out, err } = await ended(command(`verify-backup.ts ${backup}`, database.url))
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/users +4,000 +4,000 +the same/)
  expect(out).toMatch(/The backup is good\.$/)
})

test('leaves nothing behind when a rehearsal is stopped', { timeout: 60_000 }, async () => {
  const temporary = path.join(folder, 'rehearsals')
  fs.mkdirSync(temporary)
  // PostgreSQL's account needs access.
  for (const each of [folder, temporary]) fs.chmodSync(each, 0o711)
  const child = command(`verify-backup.ts ${backup}`, database.url, { temporary })
  const over = ended(child)
  await until(() => fs.readdirSync(temporary, { recursive: true, encoding: 'utf8' }).some((name) => name.endsWith('postmaster.pid')))
  child.kill('SIGINT')
  expect(await over).toMatchObject({ code: 130, err: 'Stopped.' })
  expect(fs.readdirSync(temporary)).toEqual([])
})
