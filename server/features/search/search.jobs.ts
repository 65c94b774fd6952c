import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../../db/transaction.ts'
import type { JobHandlers, JobSchedule } from '../../kernel/jobs.ts'
import { askForSearchPass } from '../../kernel/search.ts'
import { type IndexParts, indexNext } from './index-subjects.ts'

declare module '../../kernel/jobs.ts' {
  interface JobData {
    'search.index': Record<string, never>
    'search.refresh': Record<string, never>
  }
}

const busyMs = 100

/** Does all that waits, a pass over everything included, or waits until others have done it. */
export async function indexAll(parts: IndexParts, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted) {
    const step = await indexNext(parts)
    if (step === 'idle') return
    if (step === 'busy') await sleep(busyMs)
  }
}

const searchJobs = (parts: IndexParts, signal: AbortSignal) =>
  ({
    'search.index': () => indexAll(parts, signal),
    /** What counts in the order grows and ages without a mark, and a mark that was forgotten is made good. */
    async 'search.refresh'() {
      await inTransaction(parts.db, askForSearchPass)
      await parts.index.prune()
    },
  }) satisfies Partial<JobHandlers>

export const searchSchedules: JobSchedule[] = [
  // The indexer is there much sooner; this is for a night on which nobody runs one.
  { name: 'search.index', cron: '*/10 * * * *', data: {} },
  { name: 'search.refresh', cron: '17 9 * * *', data: {} },
]

const idleMs = 1000
/** Between the steps of a pass, for those who wait for the same processor. */
const breathMs = 20

export type SearchIndexer = {
  /** They end between two steps once the indexer is stopped. */
  jobs: ReturnType<typeof searchJobs>
  start(): void
  stop(): Promise<void>
}

/** Follows what is written, within about a second; the first time it fills the index, while the server answers already. */
export function createSearchIndexer(parts: IndexParts): SearchIndexer {
  const end = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const run = async () => {
    while (!end.signal.aborted) {
      const step = await indexNext(parts).catch((error: unknown) => {
        parts.log.error({ err: error }, 'the search index could not be written; it is tried again')
        return 'idle' as const
      })
      await sleep(step === 'more' ? breathMs : idleMs, undefined, { signal: end.signal }).catch(() => {})
    }
  }
  return {
    jobs: searchJobs(parts, end.signal),
    start() {
      running = run()
    },
    async stop() {
      end.abort()
      await running
    },
  }
}
