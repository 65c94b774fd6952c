import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { type Cluster, cannotRun, run, serverEnvironment } from './cluster.ts'
import { type Address, commandLine, isRunning } from './ownership.ts'

export type Postmaster = {
  address: Address
  /** Resolves when the process has ended, for any reason. */
  gone: Promise<void>
  stop(): Promise<void>
  leave(): void
}

type Start = {
  cluster: Cluster
  binaries: Binaries
  settings: Record<string, string>
  preferred: Address | undefined
}

const maxStartMs = 60_000

/** Unix socket paths are limited to 104 bytes on macOS and 108 on Linux. */
const maxSocketPathLength = 100
const socketPort = 5432
const maxLogBytes = 10_000_000

/** PostgreSQL's fast shutdown, its immediate shutdown, and a kill, each with its timeout in ms. */
const stopSignals = [['SIGINT', 6000] as const, ['SIGQUIT', 3000] as const, ['SIGKILL', 1000] as const]

/**
 * Starts PostgreSQL and waits until it accepts connections. Uses a socket in the cluster's folder, which is faster than TCP and closed to
 * other users, or a loopback port on Windows or if the path is too long for a socket.
 */
export async function startPostmaster(start: Start): Promise<Postmaster> {
  const { cluster } = start
  const deadline = Date.now() + maxStartMs
  for (let preferred = start.preferred; ; preferred = undefined) {
    const attempt = await tryStart(start, await listenAddress(cluster, preferred), deadline)
    if ('stop' in attempt) return attempt
    // Children of a killed postmaster occupy its shared memory for a moment, and a free port may be taken before PostgreSQL uses it.
    const isTransient = /still in use|could not bind|Address already in use/.test(attempt.said)
    if (!isTransient || Date.now() > deadline)
      throw new Error(`PostgreSQL did not start (its log is ${cluster.logFile}):\n${attempt.said.trim()}`)
    await sleep(100)
  }
}

async function tryStart(
  { cluster, binaries, settings }: Start,
  address: Address,
  deadline: number,
): Promise<Postmaster | { said: string }> {
  const isSocket = path.isAbsolute(address.host)
  const options = {
    listen_addresses: isSocket ? '' : address.host,
    // The setting is a list, so the path is quoted, and a comma or a space in it is taken literally.
    unix_socket_directories: isSocket ? `"${address.host.replaceAll('"', '""')}"` : '',
    unix_socket_permissions: '0700',
    // The log leaves out statement errors, because clients receive them anyway and they may contain values.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
    // The default of 4 is for spinning disks. It makes PostgreSQL scan small tables instead of using their indexes.
    random_page_cost: '1.1',
    ...settings,
  }
  const log = openLog(cluster.logFile)
  const { account } = cluster
  const child = spawn(
    binaries.postgres,
    ['-D', cluster.data, '-p', String(address.port), ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
      env: serverEnvironment(),
      cwd: cluster.home,
      // In its own session, so Ctrl-C in a terminal reaches only this process, which stops PostgreSQL last.
      detached: process.platform !== 'win32',
      stdio: ['ignore', log.fd, log.fd],
    },
  )
  fs.closeSync(log.fd)
  const cancelWatchdog = child.pid === undefined ? () => {} : stopOnOwnExit(child.pid)
  let failure: Error | undefined
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      failure = cannotRun(binaries.postgres, error)
      resolve()
    })
  }).then(cancelWatchdog)
  const hasEnded = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null
  const stop = () => stopPostmaster(cluster, binaries, child.pid as number)
  while (!hasEnded() && Date.now() < deadline) {
    // Line 8 of the pid file is the startup status.
    const lines = pidFileLines(cluster.data)
    if (Number(lines?.[0]) === child.pid && lines?.[7]?.trim() === 'ready') {
      child.unref()
      return { address, gone, stop, leave: cancelWatchdog }
    }
    await Promise.race([gone, sleep(10)])
  }
  if (failure) throw failure
  if (!hasEnded()) await stop()
  return { said: fs.readFileSync(cluster.logFile, 'utf8').slice(log.size) }
}

export function adoptPostmaster(cluster: Cluster, binaries: Binaries, address: Address): Postmaster | undefined {
  const pid = Number(pidFileLines(cluster.data)?.[0])
  if (!isPostmasterOf(pid, cluster.data)) return undefined
  const callOff = stopOnOwnExit(pid)
  return { address, gone: waitForExit(cluster, pid).then(callOff), stop: () => stopPostmaster(cluster, binaries, pid), leave: callOff }
}

async function waitForExit({ data }: Cluster, pid: number): Promise<void> {
  while (isPostmasterOf(pid, data)) await sleep(200, undefined, { ref: false })
}

/** Stops the server that a dead owner left running, and neutralizes its pid file. */
export async function clearLeftovers(cluster: Cluster, binaries: Binaries, say: (message: string) => void): Promise<void> {
  const pid = Number(pidFileLines(cluster.data)?.[0])
  if (isPostmasterOf(pid, cluster.data)) {
    say(`stopping the database that an earlier process left running (process ${pid})`)
    await stopPostmaster(cluster, binaries, pid)
  }
  // The pid may now belong to another process or to a zombie. PostgreSQL would mistake either for a running server and refuse to start.
  // Only the pid is replaced, with one that can't exist: PostgreSQL uses the rest of the file to ensure that no child of a killed server
  // still uses the data.
  const lines = pidFileLines(cluster.data)
  if (lines) fs.writeFileSync(path.join(cluster.data, 'postmaster.pid'), [String(2 ** 31 - 1), ...lines.slice(1)].join('\n'))
}

/** Stops a server with increasing force. Even a kill is safe, because the next start recovers from the WAL. */
async function stopPostmaster(cluster: Cluster, binaries: Binaries, pid: number): Promise<void> {
  // On Windows, a signal would end the process without a shutdown.
  if (process.platform === 'win32') return run(binaries.pgCtl, ['stop', '-D', cluster.data, '-m', 'fast'], cluster)
  for (const [signal, ms] of stopSignals) {
    kill(pid, signal)
    for (const until = Date.now() + ms; Date.now() < until; await sleep(20)) if (!isPostmasterOf(pid, cluster.data)) return
  }
  throw new Error(`The database (process ${pid}) can't be stopped.`)
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Checks the command line, which names the data directory, because the pid may belong to another process or cluster. */
function isPostmasterOf(pid: number, data: string): boolean {
  return isRunning(pid) && commandLine(pid).includes(`postgres -D ${data} `)
}

function pidFileLines(data: string): string[] | undefined {
  try {
    return fs.readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
}

async function listenAddress({ home, account }: Cluster, preferred: Address | undefined): Promise<Address> {
  const host = path.join(home, 'socket')
  if (process.platform === 'win32' || Buffer.byteLength(path.join(host, `.s.PGSQL.${socketPort}`)) > maxSocketPathLength) {
    return preferred ?? { host: '127.0.0.1', port: await freePort() }
  }
  // Only this cluster uses the folder and no server runs, so a killed server's socket and lock file can be deleted.
  fs.rmSync(host, { recursive: true, force: true })
  fs.mkdirSync(host, { mode: 0o700 })
  if (account) fs.chownSync(host, account.uid, account.gid)
  return { host, port: socketPort }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

function openLog(file: string): { fd: number; size: number } {
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size > maxLogBytes) fs.renameSync(file, `${file}.old`)
  return { fd: fs.openSync(file, 'a', 0o600), size: size > maxLogBytes ? 0 : size }
}

/**
 * Stops a process if this one dies without doing so (kill -9): a shell in its own session waits for this end of a pipe to close. Returns a
 * function that cancels it.
 */
function stopOnOwnExit(pid: number): () => void {
  if (process.platform === 'win32') return () => {}
  // SIGINT is PostgreSQL's fast shutdown.
  const shell = spawn('/bin/sh', ['-c', 'read -r _; kill -INT "$0"', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
  })
  shell.on('error', () => {})
  shell.unref()
  ;(shell.stdin as unknown as net.Socket).unref()
  return () => shell.kill('SIGKILL')
}
