import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The exit code of a process that ran out of memory, on systems that don't end it with a signal. */
const abortCode = 134
/** What Node prints when it can't allocate memory. */
const outOfMemoryPattern = /allocation failed|out of memory|invalid (array|string|typed array) length/i
const maxErrorLength = 16_000

/** Parsing the file took more time or memory than allowed, or crashed the process. */
export class ParsingTooLarge extends Error {
  override readonly name = 'ParsingTooLarge'
}

type Limits = {
  /** For JavaScript values, in megabytes. */
  maxHeap: number
  /** For the whole process, in megabytes. */
  maxMemory: number
  timeLimitMs: number
}

/**
 * Yields the lines that a program writes after reading `bytes` from its input. It runs in a child process, because a file may contain far
 * more than its size suggests and must not use up the server's time or memory. A thread, or messages with many rows, would use the server's
 * memory.
 * @throws ParsingTooLarge
 */
export async function* parseInProcess(program: URL, bytes: Buffer, { maxHeap, maxMemory, timeLimitMs }: Limits): AsyncGenerator<string> {
  const child = fork(fileURLToPath(program), [String(maxMemory)], {
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
    execArgv: [`--max-old-space-size=${maxHeap}`, `--import=${new URL('./memory-limit-worker.ts', import.meta.url).href}`],
    // Omits the server's environment, which contains secrets.
    env: { MALLOC_ARENA_MAX: '2', ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}) },
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeLimitMs)
  const ended = once(child, 'close')
  const { stdin, stdout, stderr } = child
  let errors = ''
  stderr?.on('data', (text: Buffer) => {
    if (errors.length < maxErrorLength) errors += text
  })
  try {
    // A process that stops early doesn't read all of its input.
    stdin?.on('error', () => {})
    stdin?.end(bytes)
    if (stdout) yield* createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY })
    const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
    if (code === 0) return
    // This process sent the signal, the system sent it for lack of memory, or the file caused a crash.
    if (signal !== null || code === abortCode || outOfMemoryPattern.test(errors)) throw new ParsingTooLarge()
    throw new Error(`The process that parses a file stopped with code ${code}.`, { cause: causeIn(errors) })
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** An uncaught error as Node writes it, for the log. Its message is omitted, because it may quote the file. */
function causeIn(errors: string): Error {
  const [, name = 'Error'] = /^([A-Z]\w*)(?: \[\w+\])?:/m.exec(errors) ?? []
  const places = errors.split('\n').filter((line) => /^ {4}at .*(?:file|node):\S+:\d+:\d+\)?$/.test(line))
  const cause = new Error('Left out, since it may quote the file.')
  cause.name = name
  cause.stack = [name, ...places].join('\n')
  return cause
}
