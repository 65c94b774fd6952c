import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root, sha256 } from './project.mjs'

/** Runs work that must not run twice at once in this folder, as with two copies started together. */
export async function withLock(name, whenWaiting, work) {
  // Outside the project, because the work deletes node_modules.
  const file = path.join(os.tmpdir(), `sungrove-${name}-${process.getuid?.() ?? 'user'}-${sha256(root).slice(0, 12)}.lock`)
  let hasLogged = false
  while (!(await take(file))) {
    if (!hasLogged) console.log(whenWaiting)
    hasLogged = true
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
    if (isLocked(file)) return false
    // The owner died. Two processes may get here at once and each delete the other's lock: whichever still has it after a moment wins.
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

function isLocked(file) {
  const pid = holder(file)
  // Just created, and not yet written.
  if (pid === 0) return Date.now() - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 2000
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
