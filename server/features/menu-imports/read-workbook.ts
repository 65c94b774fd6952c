import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type FileRow, MenuFileRefused, type Table } from './menu-table.ts'

/** Excel workbooks are ZIP files. */
export const isWorkbook = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004'

/** In megabytes. A workbook that needs more is refused. */
const maxHeap = 192
const timeLimitMs = 60_000
/** The exit code of a process that ran out of memory. */
const abortCode = 134

/** A line of the process's output: a row, the end, or why the workbook can't be read. */
export type WorkbookLine = FileRow | { isDone: true } | { refused: string }

/**
 * Reads the rows of a workbook's first sheet, as text. Parsed in a child process: a workbook may contain far more than its size suggests,
 * and must not use up the server's time or memory. A thread, or messages with many rows, would use the server's memory.
 * @throws MenuFileRefused
 */
export async function readWorkbook(bytes: Buffer, table: Pick<Table, 'add'>): Promise<void> {
  const child = fork(fileURLToPath(new URL('./workbook-process.ts', import.meta.url)), {
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    execArgv: [`--max-old-space-size=${maxHeap}`],
    // Pass none of our environment, which contains secrets.
    env: { MALLOC_ARENA_MAX: '2', ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}) },
  })
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, timeLimitMs)
  const ended = once(child, 'exit')
  const { stdin, stdout } = child
  try {
    // A process that stops early doesn't read all of it.
    stdin?.on('error', () => {})
    stdin?.end(bytes)
    if (stdout) {
      for await (const text of createInterface({ input: stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
        const line = JSON.parse(text) as WorkbookLine
        if ('refused' in line) throw new MenuFileRefused(line.refused)
        if ('isDone' in line) return
        table.add(line.row, line.cells)
      }
    }
    const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
    if (!isLate && code !== abortCode && signal !== 'SIGABRT') throw new Error('The process that reads a workbook stopped.')
    throw new MenuFileRefused('This workbook is too large to read. Save the sheet as “CSV UTF-8” and upload that.')
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
