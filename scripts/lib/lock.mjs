import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, sha256 } from './project.mjs'

/** Runs work that two processes must not do to this folder at the same time, as two copies started at once would. */
export async function withLock(name, whenWaiting, work) {
  // Outside of the project: node_modules is removed by the very work.
  const file = path.join(os.tmpdir(), `sungrove-${name}-${process.getuid?.() ?? 'user'}-${sha256(root).slice(0, 12)}.lock`)
  let hasTold = false
  while (!(await take(file))) {
    if (!hasTold) console.log(whenWaiting)
    hasTold = true
    await sleep(300)
  }
  const release = () => fs.rmSync(file, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

async function take(file) {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isHeld(file)) return false
    // Its holder died. Two may come to this at once and each remove the other's: who is still there after a moment has it.
    fs.rmSync(file, { force: true })
    return false
  }
  await sleep(50)
  return holder(file) === process.pid
}

function holder(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}

function isHeld(file) {
  const pid = holder(file)
  // Made a moment ago, and not yet written.
  if (pid === 0) return Date.now() - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 2000
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
