import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const lockModule = path.join(import.meta.dirname, 'project.mjs')
let dir
let name

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-lock-'))
  name = `test-${path.basename(dir)}`
})
afterEach(() => {
  fs.rmSync(dir, { recursive: true })
  for (const file of lockFiles()) fs.rmSync(file)
})

const lockFiles = () =>
  fs
    .readdirSync(os.tmpdir())
    .filter((file) => file.includes(name))
    .map((file) => path.join(os.tmpdir(), file))

function worker(ms) {
  const script = `
    import fs from 'node:fs'
    import { withLock } from ${JSON.stringify(lockModule)}
    const note = (word) => fs.appendFileSync(${JSON.stringify(path.join(dir, 'notes'))}, word + ' ')
    await withLock(${JSON.stringify(name)}, 'waiting', async () => {
      note('in')
      await new Promise((resolve) => setTimeout(resolve, ${ms}))
      note('out')
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  return { child, ended: new Promise((resolve) => child.once('close', resolve)) }
}

const notes = () => {
  try {
    return fs.readFileSync(path.join(dir, 'notes'), 'utf8').trim()
  } catch {
    return ''
  }
}

test('runs one process at a time and leaves no lock files', async () => {
  await Promise.all([worker(100), worker(100), worker(100)].map(({ ended }) => ended))
  expect(notes()).toBe('in out in out in out')
  expect(lockFiles()).toEqual([])
})

test('frees the lock of a killed process', async () => {
  const first = worker(60_000)
  await expect.poll(notes, { timeout: 10_000 }).toBe('in')
  first.child.kill('SIGKILL')
  await first.ended
  await Promise.all([worker(50), worker(50)].map(({ ended }) => ended))
  expect(notes()).toBe('in in out in out')
})
