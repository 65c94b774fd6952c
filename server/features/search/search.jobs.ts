import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '#server/db/transaction.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { askForSearchPass } from '#server/kernel/search.ts'
import { type IndexParts, indexNext } from './index-subjects.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'search.index': Record<string, never>
    'search.refresh': Record<string, never>
  }
}

const busyMs = 100

/** Processes everything pending, including a full pass, or waits until another process has. */
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
    /** A nightly pass: ranking data ages without marks, and it repairs missed marks. */
    async 'search.refresh'() {
      await inTransaction(parts.db, askForSearchPass)
      await parts.index.prune()
    },
  }) satisfies Partial<JobHandlers>

export const searchSchedules: JobSchedule[] = [
  // A fallback; normally the indexer is much faster.
  { name: 'search.index', cron: '*/10 * * * *', data: {} },
  { name: 'search.refresh', cron: '17 9 * * *', data: {} },
]

const idleMs = 1000
/** A pause between the steps of a pass, to yield the CPU. */
const breathMs = 20

export type SearchIndexer = {
  /** Stopping the indexer ends these between two steps. */
  jobs: ReturnType<typeof searchJobs>
  start(): void
  stop(): Promise<void>
}

/** Indexes changes within about a second. On first start, it fills the index while the server is already running. */
export function createSearchIndexer(parts: IndexParts): SearchIndexer {
  const end = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const run = async () => {
    while (!end.signal.aborted) {
      const step = await indexNext(parts).catch((error: unknown) => {
        parts.log.error({ err: error }, 'the search index could not be updated; retrying')
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
