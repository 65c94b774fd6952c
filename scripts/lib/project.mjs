// Shared by the scripts. Plain JavaScript for Node 18 or newer, without dependencies: it runs before anything is installed.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

/** For caches that `npm ci` may delete with node_modules. */
export const cacheDir = path.join(root, 'node_modules/.cache/sungrove')

/** A failure whose message is printed without a stack trace. */
export class ScriptError extends Error {}

export function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

export const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256')).digest('hex')

/** Node's name for this system, as in its packages' names. */
const platformName = process.platform === 'win32' ? 'win' : process.platform
const nodeProgram = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'

/** The npm packages with a Node for this system. package.json lists at most one of each kind, as an optional dependency. */
export const packagedNodes = ['node', 'node-bin'].map((name) => ({
  name: `${name}-${platformName}-${process.arch}`,
  program: nodeProgram,
}))

/** The oldest Node that runs TypeScript and that all our packages support. */
export const pinnedMajor = 24

/** The Node that package.json pins; otherwise this one, if it can run TypeScript. */
export function pinnedNode() {
  const candidates = packagedNodes.map(({ name, program }) => path.join(root, 'node_modules', name, program))
  const found = candidates.find((file) => fs.existsSync(file))
  if (found) return found
  if (Number(process.versions.node.split('.')[0]) >= pinnedMajor) return process.execPath
  throw new ScriptError(`There is no packaged Node.js for ${process.platform} on ${process.arch}. Run this with Node.js 24 or newer.`)
}

/** Caching compiled code saves a third of the startup time. */
export function nodeEnvironment(extra = {}) {
  return { ...process.env, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(cacheDir, 'compiled'), ...extra }
}

/** Runs a script. A failure is printed and sets the exit code 1. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    console.error(error instanceof ScriptError ? error.message : error)
    process.exit(1)
  }
}

/** Prevents work from running twice at the same time in this folder, as when two copies start together. */
export async function withLock(name, whenWaiting, work) {
  // The lock is outside the project, because the work deletes node_modules.
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
    // The owner died. Two processes may get here at the same time and each delete the other's lock. The one that still has its lock a
    // moment later wins.
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
  // The file may have just been created, without its content yet.
  if (pid === 0) return Date.now() - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < 2000
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Runs a program with the pinned Node in place of this process: it gets our terminal and our signals, and we exit with its exit
 * code. The IPC channel lets it notice when we exit.
 */
export function runInOurPlace(args, env = {}) {
  const child = spawn(pinnedNode(), args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: nodeEnvironment(env) })
  // A terminal also sends Ctrl-C to the child, so this process only has to outlive the child.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  whenOrphaned(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    console.error(error.message)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  return child
}

/** npm exits on SIGTERM without forwarding it, so this calls back when npm, or the shell it runs us in, has exited. */
export function whenOrphaned(callback) {
  if (!process.env.npm_lifecycle_event) return
  const lineage = ancestors()
  const timer = setInterval(() => {
    if (ancestors().join() === lineage.join()) return
    clearInterval(timer)
    callback()
  }, 500)
  timer.unref()
}

/** Our parent's ID and, if available, its parent's. */
function ancestors() {
  try {
    const stat = fs.readFileSync(`/proc/${process.ppid}/stat`, 'utf8')
    return [process.ppid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]
  } catch {
    return [process.ppid]
  }
}
