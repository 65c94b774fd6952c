import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createScratch } from './test-run.mjs'

const scratch = (memory) => {
  const made = createScratch(memory)
  onTestFinished(made.remove)
  return made
}

test('uses the disk if there is no memory file system', () => {
  for (const memory of ['/nowhere', os.tmpdir() === '/dev/shm' ? '/' : '/proc']) {
    expect(path.dirname(scratch(memory).dir)).toBe(os.tmpdir())
  }
})

test('is accessible to other accounts and removed with its contents', () => {
  const { dir, remove } = scratch()
  expect(fs.statSync(dir).mode & 0o777).toBe(0o755)
  fs.mkdirSync(path.join(dir, 'a folder'))
  fs.writeFileSync(path.join(dir, 'a folder', 'file'), 'x')
  remove()
  expect(fs.existsSync(dir)).toBe(false)
})

test('removes the leftovers of a killed run but not of a running one', () => {
  const { dir } = scratch()
  const parent = path.dirname(dir)
  const gone = spawnSync(process.execPath, ['-e', '']).pid
  const left = fs.mkdtempSync(path.join(parent, `sungrove-tests-${gone}-`))
  fs.writeFileSync(path.join(left, 'file'), 'x')
  scratch()
  expect(fs.existsSync(left)).toBe(false)
  expect(fs.existsSync(dir)).toBe(true)
})
