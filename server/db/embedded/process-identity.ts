import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

/** Identifies a process, even if its pid is reused later. */
export type ProcessIdentity = {
  pid: number
  /** When it started, in a system-specific form to compare. Empty if the system doesn't report it. */
  started: string
}

export const thisProcess = (): ProcessIdentity => ({ pid: process.pid, started: startOf(process.pid) })

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

export function isSameProcess({ pid, started }: ProcessIdentity): boolean {
  return isRunning(pid) && startOf(pid) === started
}

/** The command line of a process, or '' if it has ended or can't be read. */
export function commandLine(pid: number): string {
  return read(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? ps(pid, 'command=')
}

function startOf(pid: number): string {
  const stat = statFields(pid)
  if (!stat) return ps(pid, 'lstart=')
  // Field 22 counts from boot, so the boot ID is included.
  return `${read('/proc/sys/kernel/random/boot_id')?.slice(0, 8)}-${stat[19]}`
}

/** Killed but not reaped by its parent, which may never happen. No longer running. */
const isZombie = (pid: number) => statFields(pid)?.[0] === 'Z'

/** The fields of /proc/PID/stat after the name, which may contain spaces and brackets. */
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
