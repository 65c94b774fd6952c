import { Worker } from 'node:worker_threads'
import { type FileRow, MenuFileRefused } from './menu-table.ts'

/** Excel workbooks are ZIP files. */
export const isWorkbook = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 4) === 'PK\u0003\u0004'

/** In megabytes. A workbook that needs more is refused. */
const maxWorkerHeap = 192
const timeLimitMs = 60_000

export type WorkbookOutcome = { rows: FileRow[] } | { refused: string }

/**
 * The rows of a workbook's first sheet, as text. Parsed in a worker thread: a workbook may contain far more than its size suggests, which must
 * take neither the server's time nor its memory.
 * @throws MenuFileRefused
 */
export function readWorkbook(bytes: Buffer): Promise<FileRow[]> {
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), {
    workerData: new Uint8Array(bytes),
    resourceLimits: { maxOldGenerationSizeMb: maxWorkerHeap },
    execArgv: [],
    env: {},
  })
  return new Promise<FileRow[]>((resolve, reject) => {
    const tooLarge = () => reject(new MenuFileRefused('This workbook is too large to read. Save the sheet as "CSV UTF-8" and send that.'))
    const timer = setTimeout(tooLarge, timeLimitMs)
    worker.once('message', (outcome: WorkbookOutcome) => {
      if ('rows' in outcome) resolve(outcome.rows)
      else reject(new MenuFileRefused(outcome.refused))
    })
    worker.once('error', (error: NodeJS.ErrnoException) => (error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : reject(error)))
    worker.once('exit', () => {
      clearTimeout(timer)
      // Without effect if there was an outcome.
      reject(new Error('The worker that reads a workbook stopped.'))
    })
  }).finally(() => worker.terminate())
}
