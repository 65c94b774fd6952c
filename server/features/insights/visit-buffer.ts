import type { Context } from '../../kernel/context.ts'
import { addVisits, type Visit } from './visits.queries.ts'

const flushMs = 1000
const batchSize = 500
/** While the database is away, no more than this waits; what comes beyond it is not counted. */
const mostWaiting = 20_000

export type VisitBuffer = {
  add(visits: readonly Visit[]): void
  /** Writes what waits, and what comes meanwhile. */
  flush(): Promise<void>
}

/**
 * Gathers visits and writes them in batches, so that a request waits for no insert. A process that is killed loses at most the last
 * second of counts; one that ends in order writes them all.
 */
export function createVisitBuffer({ db, log }: Pick<Context, 'db' | 'log'>): VisitBuffer {
  let waiting: Visit[] = []
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      await addVisits(db, batch)
      waiting = waiting.slice(batch.length)
    }
  }
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    // One after the other, so that a repeat in the next batch finds the first.
    writing = writing.then(writeAll).catch((error: unknown) => {
      log.error({ err: error, waiting: waiting.length }, 'visits could not be written; they are tried again with the next ones')
    })
    return writing
  }
  return {
    add(visits) {
      waiting.push(...visits.slice(0, Math.max(0, mostWaiting - waiting.length)))
      if (waiting.length >= batchSize) void flush()
      else timer ??= setTimeout(() => void flush(), flushMs)
    },
    flush,
  }
}
