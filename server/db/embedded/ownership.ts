import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'

/** How to reach the running cluster: a folder with a socket, or a loopback address. */
export type Address = { host: string; port: number }

/**
 * Guests may use the cluster while it is `ready`. `starting` and `stopping` are temporary. `left`: the owner ended while there were guests,
 * so the cluster is still running for the next owner. `stopped`: the cluster isn't running.
 */
export type OwnerState = 'starting' | 'ready' | 'stopping' | 'left' | 'stopped'

type User = ProcessIdentity & {
  /** The cluster's folder. A copied folder contains the same records, but the processes they name don't use the copy. */
  home: string
}

export type Owner = User & {
  state: OwnerState
  address?: Address
}

type Generation = { number: number; owner: Owner | undefined }

/**
 * Ownership of the cluster. Each owner takes the next number by creating `owner.<number>.json`, which only one process can do. The next
 * file is created only after the previous owner has ended. Numbers are never reused, so no process can take over from an owner that already
 * has a successor.
 */
export type Claim = {
  update(state: OwnerState, address?: Address): void
}

export function claimOwnership(home: string): { claim: Claim; previous: Owner | undefined } | { owner: Owner } {
  for (;;) {
    const latest = latestGeneration(home)
    if (latest?.owner && isLive(home, latest.owner)) return { owner: latest.owner }
    const number = (latest?.number ?? 0) + 1
    if (!make(home, number)) continue
    // If this process was slow, the number that it created may no longer be the latest.
    if (latestGeneration(home)?.number !== number) {
      fs.rmSync(fileOf(home, number), { force: true })
      continue
    }
    for (const old of generations(home)) if (old < number) fs.rmSync(fileOf(home, old), { force: true })
    return { claim: { update: (state, address) => rewrite(home, number, state, address) }, previous: latest?.owner }
  }
}

export function latestOwner(home: string): { owner: Owner | undefined; isLive: boolean } {
  const owner = latestGeneration(home)?.owner
  return { owner, isLive: owner !== undefined && isLive(home, owner) }
}

/**
 * Registers this process as a guest and returns a function that undoes it. An owner first writes `stopping` and then looks for guests. A
 * guest first registers and then looks for `ready`. So at least one sees the other.
 */
export function becomeGuest(home: string): () => void {
  const file = path.join(home, `guest.${process.pid}.json`)
  fs.writeFileSync(file, JSON.stringify({ ...thisProcess(), home } satisfies User), { mode: 0o600 })
  return () => fs.rmSync(file, { force: true })
}

export function hasGuests(home: string): boolean {
  return fs.readdirSync(home).some((name) => {
    if (!/^guest\.\d+\.json$/.test(name)) return false
    const file = path.join(home, name)
    const guest = readJson<User>(file)
    if (guest?.pid === process.pid) return false
    if (guest && isRunningHere(home, guest)) return true
    fs.rmSync(file, { force: true })
    return false
  })
}

const isRunningHere = (home: string, user: User) => user.home === home && isSameProcess(user)

const isLive = (home: string, owner: Owner) => owner.state !== 'stopped' && owner.state !== 'left' && isRunningHere(home, owner)

const fileOf = (home: string, number: number) => path.join(home, `owner.${number}.json`)

function generations(home: string): number[] {
  return fs.readdirSync(home).flatMap((name) => {
    const number = /^owner\.(\d+)\.json$/.exec(name)?.[1]
    return number ? [Number(number)] : []
  })
}

function latestGeneration(home: string): Generation | undefined {
  const numbers = generations(home)
  if (numbers.length === 0) return undefined
  const number = Math.max(...numbers)
  return { number, owner: readJson<Owner>(fileOf(home, number)) }
}

function readJson<Content>(file: string): Content | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Content
  } catch (error) {
    // This process can't read the file, but the process that wrote it may still be running.
    if ((error as NodeJS.ErrnoException).code === 'EACCES') {
      const home = path.dirname(file)
      throw new Error(`The database in ${home} belongs to another user. Start as that user, or choose another DATA_DIR.`, { cause: error })
    }
    return undefined
  }
}

/** Creates the file atomically by writing a draft and linking it. */
function make(home: string, number: number): boolean {
  const draft = writeDraft(home, number, 'starting')
  try {
    fs.linkSync(draft, fileOf(home, number))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

function rewrite(home: string, number: number, state: OwnerState, address: Address | undefined): void {
  fs.renameSync(writeDraft(home, number, state, address), fileOf(home, number))
}

function writeDraft(home: string, number: number, state: OwnerState, address?: Address): string {
  const draft = path.join(home, `owner.draft-${process.pid}-${number}`)
  const owner: Owner = { ...thisProcess(), home, state, ...(address ? { address } : {}) }
  fs.writeFileSync(draft, JSON.stringify(owner), { mode: 0o600 })
  return draft
}

/** Identifies a process even if its pid is reused later. */
type ProcessIdentity = {
  pid: number
  /** When the process started, in a system-specific form, only for comparison. Empty if the system doesn't report it. */
  started: string
}

const thisProcess = (): ProcessIdentity => ({ pid: process.pid, started: startOf(process.pid) })

export function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function isSameProcess({ pid, started }: ProcessIdentity): boolean {
  return isRunning(pid) && startOf(pid) === started
}

/** Empty if the process has ended or can't be read. */
export function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ps(pid, 'command=')
}

function startOf(pid: number): string {
  const stat = statFields(pid)
  if (!stat) return ps(pid, 'lstart=')
  // Field 22 is the start time since boot, so the boot ID is included.
  return `${read('/proc/sys/kernel/random/boot_id')?.slice(0, 8)}-${stat[19]}`
}

/** Whether the process has ended but its parent hasn't reaped it, and may never do so. */
const isZombie = (pid: number) => statFields(pid)?.[0] === 'Z'

/** The fields of /proc/PID/stat after the name, which may contain spaces and parentheses. */
function statFields(pid: number): string[] | undefined {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(file: string): string | undefined {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function ps(pid: number, column: string): string {
  if (process.platform === 'win32' || process.platform === 'linux') return ''
  try {
    return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}
