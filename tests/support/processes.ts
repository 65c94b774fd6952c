import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import readline from 'node:readline'
import { projectRoot } from '#server/config.ts'

type Event = { event: string; [field: string]: unknown }

export type TestProcess = {
  child: ChildProcess
  pid: number
  events: Event[]
  /** The first event with this name, past or future. Rejects if the process ends without it. */
  waitFor(event: string): Promise<Event>
  /** Sends a signal and waits until the process exits. Returns its exit code. */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/** The project's pinned Node, regardless of which one runs the tests. */
export const node = path.join(projectRoot, 'node_modules/.bin/node')

/** Starts a script from tests/support that prints events as lines of JSON. */
export function startProcess(script: string, args: string[], options: SpawnOptions = {}): TestProcess {
  const child = spawn(node, [path.join(import.meta.dirname, script), ...args], { stdio: ['ignore', 'pipe', 'inherit'], ...options })
  const events: Event[] = []
  const waiting = new Set<() => void>()
  const wake = () => {
    for (const check of [...waiting]) check()
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  let isOver = false
  void ended.then(() => {
    isOver = true
    wake()
  })
  readline.createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    events.push(JSON.parse(line) as Event)
    wake()
  })
  return {
    child,
    pid: child.pid as number,
    events,
    waitFor: (name) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = events.find(({ event }) => event === name)
          if (!found && !isOver) return
          waiting.delete(check)
          if (found) resolve(found)
          else reject(new Error(`The process ended without reporting "${name}": ${JSON.stringify(events)}`))
        }
        waiting.add(check)
        check()
      }),
    async end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Processes whose command line contains the text, which must be unique to this test, such as a folder. */
export function processesLike(text: string, parents?: number[]): number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const command = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return command.includes(text) && (!parents || parents.includes(parentOf(name))) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

function parentOf(pid: string): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Kills a process that may have exited already. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
