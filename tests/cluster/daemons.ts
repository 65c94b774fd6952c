import { spawn } from 'node:child_process'
import fs from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Account } from '#server/db/embedded/binaries.ts'

export type Daemon = {
  pid: number
  hasEnded(): boolean
  /** Stops it, and kills it if it is still running after this time. */
  stop(withinMs?: number): Promise<void>
}

type Launch = { account: Account | undefined; home: string; env?: Record<string, string>; logFile: string }

/** Starts a long-running program whose output goes to a file. */
export function startDaemon(program: string, args: readonly string[], { account, home, env = {}, logFile }: Launch): Daemon {
  const log = fs.openSync(logFile, 'a')
  const child = spawn(program, args, {
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8', ...env },
    stdio: ['ignore', log, log],
  })
  fs.closeSync(log)
  let isOver = false
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  }).then(() => {
    isOver = true
  })
  return {
    pid: child.pid ?? 0,
    hasEnded: () => isOver,
    async stop(withinMs = 5000) {
      if (isOver) return
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(withinMs, undefined, { ref: false })])
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** These processes and all their descendants. */
export function withDescendants(pids: readonly number[]): number[] {
  const childrenOf = Map.groupBy(runningProcesses(), ({ parent }) => parent)
  const collect = (pid: number): number[] => [pid, ...(childrenOf.get(pid) ?? []).flatMap((child) => collect(child.pid))]
  return [...new Set(pids.flatMap(collect))]
}

/** Sends a signal to processes that may have ended. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

function runningProcesses(): { pid: number; parent: number }[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8')
      // The command's name, in parentheses, may contain spaces.
      return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }]
    } catch {
      return []
    }
  })
}

/** Repeats `test` until it returns a value other than null or false. @throws after `withinMs`, with the last attempt's error */
export async function until<Answer>(
  what: string,
  test: () => Promise<Answer | null | false>,
  { withinMs = 120_000, everyMs = 250 } = {},
): Promise<Answer> {
  let last: unknown
  for (const giveUpAt = performance.now() + withinMs; performance.now() < giveUpAt; await sleep(everyMs)) {
    try {
      const answer = await test()
      if (answer !== null && answer !== false) return answer
      last = undefined
    } catch (error) {
      last = error
    }
  }
  throw new Error(`${what}: not within ${withinMs / 1000} s.`, { cause: last })
}
