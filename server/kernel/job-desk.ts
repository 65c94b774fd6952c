import type { Page } from './keyset.ts'

/** The operator's view of the queue. Excludes the data of jobs, which may be personal. */
export type JobDesk = {
  queues(): Promise<QueueState[]>
  /** Permanently failed jobs, latest first. `error` as it was thrown, so it may contain personal data. */
  failed(query: { limit: number; cursor?: string | undefined }): Promise<Page<FailedJobRow>>
  /** Requeues jobs for one more attempt. @returns how many were actually failed; others are left alone */
  retry(which: { name?: string | undefined; id?: string | undefined }): Promise<{ name: string; count: number }[]>
}

export type QueueState = { name: string; waiting: number; retrying: number; running: number; failed: number; oldestWaitingAt: Date | null }
export type FailedJobRow = { id: string; name: string; queuedAt: Date; failedAt: Date; tries: number; error: string }
