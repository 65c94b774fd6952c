import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const GiB = 1024 ** 3
/** The tests' databases and folders took 0.7 GiB at most; the browsers need memory, too. */
const minFreeBytes = 2 * GiB
const left = 4 * GiB
const prefix = 'sungrove-tests-'

/**
 * A temporary folder for tests, in memory if the system has a suitable place with room that allows executing programs: disk file
 * systems are slow to allocate when databases come and go, a fifth of the time of all integration tests. Otherwise in the
 * system's temporary folder. Deleted by `remove`, or by the next call if this process is killed.
 * @returns {{ dir: string, remove(): void }}
 */
export function createScratch(memory = '/dev/shm') {
  const parent = holds(memory) ? memory : os.tmpdir()
  removeLeftovers(parent)
  const dir = fs.mkdtempSync(path.join(parent, `${prefix}${process.pid}-`))
  // PostgreSQL's account needs access when root runs the tests.
  fs.chmodSync(dir, 0o755)
  return { dir, remove: () => fs.rmSync(dir, { recursive: true, force: true, maxRetries: 3 }) }
}

function holds(memory) {
  try {
    const { bavail, bsize } = fs.statfsSync(memory)
    const mount = fs
      .readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === memory)
    const [, , kind, options = ''] = mount?.split(' ') ?? []
    const isRunnable = kind === 'tmpfs' && !options.split(',').includes('noexec')
    return isRunnable && bavail * bsize >= minFreeBytes && os.freemem() >= left
  } catch {
    return false
  }
}

/** Deletes the remains of a killed run, which would stay in memory until a reboot. */
function removeLeftovers(parent) {
  for (const name of fs.readdirSync(parent)) {
    const [, pid] = /^sungrove-tests-(\d+)-/.exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    try {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true })
    } catch {
      // Owned by another user.
    }
  }
}

function isRunning(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}
