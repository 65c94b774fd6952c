import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './binaries.ts'
import { type Cluster, cannotRun, run, serverEnvironment } from './cluster.ts'
import type { Address } from './ownership.ts'
import { commandLine, isRunning } from './process-identity.ts'
import { stopWithUs } from './watchdog.ts'

export type Postmaster = {
  address: Address
  /** Resolves when the process is gone, for whatever reason. */
  gone: Promise<void>
  stop(): Promise<void>
  /** Lets it outlive this process. */
  leave(): void
}

type Start = {
  cluster: Cluster
  binaries: Binaries
  settings: Record<string, string>
  /** Where it was reached before, if possible again. */
  preferred: Address | undefined
}

const longestStartMs = 60_000

/** A path of a Unix socket ends in a structure of 104 bytes on macOS and 108 on Linux. */
const longestSocketPath = 100
const socketPort = 5432
const mostLogBytes = 10_000_000

/** PostgreSQL's fast and immediate shutdown, the system's, and how long each is given. */
const stopSignals = [['SIGINT', 6000] as const, ['SIGQUIT', 3000] as const, ['SIGKILL', 1000] as const]

/**
 * Starts PostgreSQL and waits until it accepts connections: on a socket in the cluster's own folder, which is a fifth
 * faster than TCP and closed to other users, or on a loopback port where the path is too long for one.
 */
export async function startPostmaster(start: Start): Promise<Postmaster> {
  const { cluster } = start
  const deadline = Date.now() + longestStartMs
  for (let preferred = start.preferred; ; preferred = undefined) {
    const attempt = await tryStart(start, await listenAddress(cluster, preferred), deadline)
    if ('stop' in attempt) return attempt
    // A killed postmaster's last children hold its shared memory for a moment; a free port may be taken before we use it.
    const isPassing = /still in use|could not bind|Address already in use/.test(attempt.said)
    if (!isPassing || Date.now() > deadline)
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
    // A list: quoted, so that a comma or a space in a path is part of it.
    unix_socket_directories: isSocket ? `"${address.host.replaceAll('"', '""')}"` : '',
    unix_socket_permissions: '0700',
    // What goes wrong in a statement is told to us, with the values; the log keeps what happens to the server itself.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
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
      // A session of its own: a terminal's Ctrl-C reaches only us, and we stop it last.
      detached: process.platform !== 'win32',
      stdio: ['ignore', log.fd, log.fd],
    },
  )
  fs.closeSync(log.fd)
  const callOff = child.pid === undefined ? () => {} : stopWithUs(child.pid)
  let failure: Error | undefined
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      failure = cannotRun(binaries.postgres, error)
      resolve()
    })
  }).then(callOff)
  const hasEnded = () => failure !== undefined || child.exitCode !== null || child.signalCode !== null
  const stop = () => stopPostmaster(cluster, binaries, child.pid as number)
  while (!hasEnded() && Date.now() < deadline) {
    // The eighth line of the pid file says how far the start has come.
    const lines = pidFileLines(cluster.data)
    if (Number(lines?.[0]) === child.pid && lines?.[7]?.trim() === 'ready') {
      child.unref()
      return { address, gone, stop, leave: callOff }
    }
    await Promise.race([gone, sleep(10)])
  }
  if (failure) throw failure
  if (!hasEnded()) await stop()
  return { said: fs.readFileSync(cluster.logFile, 'utf8').slice(log.size) }
}

/** Takes charge of the server that an earlier owner left running, if there is one. */
export function adoptPostmaster(cluster: Cluster, binaries: Binaries, address: Address): Postmaster | undefined {
  const pid = Number(pidFileLines(cluster.data)?.[0])
  if (!isPostmasterOf(pid, cluster.data)) return undefined
  const callOff = stopWithUs(pid)
  return { address, gone: whenGone(cluster, pid).then(callOff), stop: () => stopPostmaster(cluster, binaries, pid), leave: callOff }
}

async function whenGone({ data }: Cluster, pid: number): Promise<void> {
  while (isPostmasterOf(pid, data)) await sleep(200, undefined, { ref: false })
}

/** Makes way for a start when the last owner died: stops the server that it left running, and makes its pid file harmless. */
export async function clearLeftovers(cluster: Cluster, binaries: Binaries, say: (message: string) => void): Promise<void> {
  const pid = Number(pidFileLines(cluster.data)?.[0])
  if (isPostmasterOf(pid, cluster.data)) {
    say(`stopping the database that an earlier process left running (process ${pid})`)
    await stopPostmaster(cluster, binaries, pid)
  }
  // The number may now belong to another process, or to a dead one that nobody has collected, and PostgreSQL would take
  // either for itself and refuse. Only the number is replaced, by one that no process has: by the rest of the file
  // PostgreSQL makes sure that no child of a killed server still uses the data.
  const lines = pidFileLines(cluster.data)
  if (lines) fs.writeFileSync(path.join(cluster.data, 'postmaster.pid'), [String(2 ** 31 - 1), ...lines.slice(1)].join('\n'))
}

/** Ends a server by ever harder means. Even the hardest is safe: the next start recovers from the log. */
async function stopPostmaster(cluster: Cluster, binaries: Binaries, pid: number): Promise<void> {
  // There a signal would end the process without a shutdown.
  if (process.platform === 'win32') return run(binaries.pgCtl, ['stop', '-D', cluster.data, '-m', 'fast'], cluster)
  for (const [signal, ms] of stopSignals) {
    kill(pid, signal)
    for (const until = Date.now() + ms; Date.now() < until; await sleep(20)) if (!isPostmasterOf(pid, cluster.data)) return
  }
  throw new Error(`The database (process ${pid}) cannot be stopped.`)
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** By its command line, which names the data directory: the number alone may be another process's, or another cluster's. */
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
  if (process.platform === 'win32' || Buffer.byteLength(path.join(host, `.s.PGSQL.${socketPort}`)) > longestSocketPath) {
    return preferred ?? { host: '127.0.0.1', port: await freePort() }
  }
  // The folder is ours alone and no server of ours runs: a killed one's socket and its lock file are of no use.
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
  if (size > mostLogBytes) fs.renameSync(file, `${file}.old`)
  return { fd: fs.openSync(file, 'a', 0o600), size: size > mostLogBytes ? 0 : size }
}
