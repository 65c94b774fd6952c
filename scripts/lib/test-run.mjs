import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[] }} Count
 * `failures` has one line each: file, test, first line of the error.
 */

/** @returns {Count} */
export function countVitest(report, root) {
  const failures = []
  for (const file of report.testResults) {
    const name = file.name.startsWith(`${root}/`) ? file.name.slice(root.length + 1) : file.name
    let failed = false
    for (const test of file.assertionResults) {
      if (test.status !== 'failed') continue
      failed = true
      failures.push(line(name, test.fullName, test.failureMessages[0]))
    }
    // A file that fails before its first test has no test to count.
    if (file.status === 'failed' && !failed) failures.push(line(name, 'the file itself', file.message))
  }
  return {
    passed: report.numPassedTests,
    failed: failures.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
  }
}

/** @returns {Count} */
export function countPlaywright(report) {
  const { expected, unexpected, skipped } = report.stats
  const failures = specsOf(report.suites ?? []).flatMap(({ file, titles, spec }) =>
    spec.tests
      .filter((test) => test.status === 'unexpected')
      .map((test) => line(file, [...titles, spec.title].join(' › '), test.results.find(({ error }) => error)?.error.message)),
  )
  return { passed: expected, failed: unexpected, skipped, failures }
}

function specsOf(suites, file, titles = []) {
  return suites.flatMap((suite) => {
    // The outermost suite of each file is titled with the file's name.
    const inner = suite.title === suite.file ? titles : [...titles, suite.title]
    const of = suite.file ?? file
    return [...(suite.specs ?? []).map((spec) => ({ file: of, titles: inner, spec })), ...specsOf(suite.suites ?? [], of, inner)]
  })
}

function line(file, test, message = '') {
  // Playwright colors its messages.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: color codes begin with one
  const [first, ...rest] = message.replace(/\u001b\[\d+m/g, '').split('\n')
  const where = rest.find((frame) => /^ +at /.test(frame) && !frame.includes('node_modules'))
  return [`${file} › ${test}`, first && `: ${first.slice(0, 300)}`, where && ` (${where.trim()})`].filter(Boolean).join('')
}

const GiB = 1024 ** 3
/** The tests' databases and folders take up to 0.7 GiB, and the browsers also need memory. */
const minFreeBytes = 2 * GiB
const left = 4 * GiB
const prefix = 'sungrove-tests-'

/**
 * A temporary folder for tests, in memory if `memory` is a tmpfs with enough room that allows executing programs: disk file systems are
 * slow to allocate space when databases come and go, which costs a fifth of the integration tests' time. Otherwise in the system's
 * temporary folder. Deleted by `remove`, or by the next call if this process is killed.
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
