import type { Page } from './keyset.ts'

/** What an operator sees of the queue. The data of a job is somebody's, and stays out of it. */
export type JobDesk = {
  queues(): Promise<QueueState[]>
  /** Failed for good, the latest first. `error` as it was thrown: may hold what is somebody's. */
  failed(query: { limit: number; cursor?: string | undefined }): Promise<Page<FailedJobRow>>
  /** Back into the queue, with one more try. @returns how many were failed until now; those that asked for something else are left alone */
  retry(which: { name?: string | undefined; id?: string | undefined }): Promise<{ name: string; count: number }[]>
}

export type QueueState = { name: string; waiting: number; retrying: number; running: number; failed: number; oldestWaitingAt: Date | null }
export type FailedJobRow = { id: string; name: string; queuedAt: Date; failedAt: Date; tries: number; error: string }
