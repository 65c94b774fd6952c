import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const GiB = 1024 ** 3
/** The tests' databases and folders took 0.7 GiB at most; the browsers beside them want memory, too. */
const most = 2 * GiB
const left = 4 * GiB
const prefix = 'sungrove-tests-'

/**
 * A folder for what the tests make and remove again. In memory, where the system has such a place with room and programs may run from
 * it: a file system on a disk looks long for free places when databases come and go, a fifth of the time of all integration tests.
 * Else where temporary files go. Both are left to `remove`, or to the next call when this process is killed.
 * @returns {{ dir: string, remove(): void }}
 */
export function createScratch(memory = '/dev/shm') {
  const parent = holds(memory) ? memory : os.tmpdir()
  removeLeftovers(parent)
  const dir = fs.mkdtempSync(path.join(parent, `${prefix}${process.pid}-`))
  // The account that PostgreSQL runs as when root tests has to get through.
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
    return isRunnable && bavail * bsize >= most && os.freemem() >= left
  } catch {
    return false
  }
}

/** What a killed run left behind, which in memory would be there until the machine starts anew. */
function removeLeftovers(parent) {
  for (const name of fs.readdirSync(parent)) {
    const [, pid] = /^sungrove-tests-(\d+)-/.exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    try {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true })
    } catch {
      // Somebody else's.
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
