import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectRoot } from '#server/config.ts'
import { temporaryDataDir } from '#tests/support/embedded-server.ts'
import { node, processesLike, startProcess } from '#tests/support/processes.ts'

let dataDir: string
beforeEach(() => {
  dataDir = temporaryDataDir()
})
afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }))

function command(env: Record<string, string> = {}): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(node, ['server/commands/migrate.ts'], { cwd: projectRoot, env: { ...process.env, DATA_DIR: dataDir, ...env } })
  let out = ''
  let err = ''
  child.stdout.on('data', (data) => (out += data))
  child.stderr.on('data', (data) => (err += data))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out: out.trim(), err: err.trim() })))
}

const postmasters = () => processesLike(`postgres -D ${dataDir}/pg `)

test('starts and stops the database for a command that runs without the server', async () => {
  expect(await command()).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/Applied \d+ migrations\.$/) })
  expect(postmasters()).toEqual([])
  expect(await command()).toEqual({ code: 0, err: '', out: 'The database is up to date.' })
})

test('uses a running server’s database and leaves it running', async () => {
  const server = startProcess('embedded-process.ts', [dataDir, 'server'])
  await server.waitFor('ready')
  const before = postmasters()
  expect(await command()).toMatchObject({ code: 0, err: '' })
  expect(postmasters()).toEqual(before)
  await server.end()
})

test('reports an error in one line', async () => {
  expect(await command({ LOG_LEVEL: 'loud' })).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^LOG_LEVEL is "loud", but it must be [^\n]*$/),
  })
  expect(await command({ DATABASE_URL: 'postgres://no-one:hush@127.0.0.1:1/nothing' })).toEqual({
    code: 1,
    out: '',
    err: "The database can't be reached (connect ECONNREFUSED 127.0.0.1:1). Check DATABASE_URL.",
  })
})
