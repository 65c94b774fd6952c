import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const root = path.resolve(import.meta.dirname, '..')

export type RunningServer = { origin: string; pid: number; stop(): Promise<void> }

/** A temporary folder for a benchmark's databases, or `kept`, which stays for the next run. */
export function benchFolder(name: string, kept?: string): { folder: string; removeFolder(): void } {
  const folder = kept ? path.resolve(kept) : fs.mkdtempSync(path.join(os.tmpdir(), `sungrove-bench-${name}-`))
  fs.mkdirSync(folder, { recursive: true })
  // PostgreSQL's account needs access; otherwise, a database started as root is created elsewhere and left behind.
  fs.chmodSync(folder, 0o711)
  return {
    folder,
    removeFolder() {
      if (!kept) fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Until the server is ready, it runs at `priority`: see `os.setPriority`. */
type StartOptions = { preload?: string; priority?: number }

/** Starts Sungrove, from this checkout by default, and waits until it is ready. */
export const startSungrove = (
  env: Record<string, string>,
  { checkout = root, ...options }: StartOptions & { checkout?: string } = {},
): Promise<RunningServer> =>
  startServer(path.join(checkout, 'server/main.ts'), [], env, (line) => /ready at (http:\S+)/.exec(line)?.[1] ?? null, options)

/** Starts a server script and waits for the line that contains its address. */
export async function startServer(
  script: string,
  args: string[],
  env: Record<string, string>,
  addressOf: (line: string) => string | null,
  { preload, priority = 0 }: StartOptions = {},
): Promise<RunningServer> {
  const preloads = preload ? ['--import', path.resolve(root, preload)] : []
  const child = spawn(process.execPath, [...preloads, path.resolve(root, script), ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = child.pid as number
  os.setPriority(pid, priority)
  const origin = await waitForLine(child, addressOf)
  for (const thread of priority === 0 ? [] : fs.readdirSync(`/proc/${pid}/task`)) os.setPriority(Number(thread), 0)
  return {
    origin,
    pid,
    stop() {
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
      child.kill('SIGTERM')
      return gone
    },
  }
}

function waitForLine(child: ChildProcess, addressOf: (line: string) => string | null): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)))
    const lines = readline.createInterface({ input: child.stdout as NodeJS.ReadableStream })
    lines.on('line', (line) => {
      const address = addressOf(line)
      if (address) resolve(address)
    })
  })
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port'))))
    })
  })
}

const ticksPerSecond = 100

/** CPU time in microseconds of a process and its descendants, including ended ones; null if /proc doesn't provide it. */
export function processorTime(pid: number): number | null {
  try {
    return [pid, ...descendants(pid)].reduce((sum, each) => sum + ownProcessorTime(each) + endedChildrenTime(each), 0)
  } catch {
    return null
  }
}

/** CPU time in microseconds of a single process. @throws if /proc doesn't provide it */
export const ownProcessorTime = (pid: number): number => times(pid, 11)

const endedChildrenTime = (pid: number): number => times(pid, 13)

/** Sums user and system time, which start at this field after the command's name. */
function times(pid: number, field: number): number {
  // The command's name, in parentheses, may contain spaces; the fields after it don't.
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return ((Number(fields[field]) + Number(fields[field + 1])) / ticksPerSecond) * 1e6
}

export type Resources = { megabytes: number; files: number }

/** Memory and open files of a server's process, and of its database's processes together; their shared memory counts once. */
export function resourcesOf(pid: number): { node: Resources; database: Resources } {
  const isDatabase = (each: number) => fs.readFileSync(`/proc/${each}/comm`, 'utf8').trim() === 'postgres'
  const database = { megabytes: 0, files: 0 }
  for (const each of descendants(pid)) {
    try {
      if (!isDatabase(each)) continue
      // Proportional: divides shared pages among the processes that use them.
      database.megabytes += kilobytes(`/proc/${each}/smaps_rollup`, 'Pss') / 1024
      database.files += openFiles(each)
    } catch (error) {
      // The process has ended. PostgreSQL starts and ends one for each connection.
      if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    }
  }
  return { node: { megabytes: residentMegabytes(pid), files: openFiles(pid) }, database }
}

export const residentMegabytes = (pid: number): number => kilobytes(`/proc/${pid}/status`, 'VmRSS') / 1024

const openFiles = (pid: number): number => fs.readdirSync(`/proc/${pid}/fd`).length

const kilobytes = (file: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(fs.readFileSync(file, 'utf8'))?.[1] ?? 0)

const settledShare = 0.05
const settledAfterMs = 3_000
/** A server takes minutes to index 10⁶ products, and half an hour for 10⁷ posts. */
const maxSettlingMs = 3_600_000

/** Waits until a new server has finished its initial work, such as the search index, which would compete with the measurement. */
export async function waitUntilSettled(pid: number): Promise<void> {
  const end = performance.now() + maxSettlingMs
  let before = processorTime(pid)
  while (performance.now() < end) {
    await sleep(settledAfterMs)
    const after = processorTime(pid)
    if (before === null || after === null || (after - before) / 1000 / settledAfterMs < settledShare) return
    before = after
  }
  throw new Error(`The server was still busy ${maxSettlingMs / 1000} seconds after it started.`)
}

function descendants(pid: number): number[] {
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return children.flatMap((child) => [child, ...descendants(child)])
}
