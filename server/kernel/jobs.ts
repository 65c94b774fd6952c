import type { Tx } from '#server/db/connect.ts'
import type { Page } from './keyset.ts'

/** The operator's view of the queue. Excludes the data of jobs, which may be personal. */
export type JobDesk = {
  queues(): Promise<QueueState[]>
  /** Permanently failed jobs, latest first. `error` as it was thrown, so it may contain personal data. */
  failed(query: { limit: number; cursor?: string | undefined }): Promise<Page<FailedJobRow>>
  /** Requeues failed jobs for one more attempt and leaves others alone. @returns how many it requeued, by job name */
  retry(which: { name?: string | undefined; id?: string | undefined }): Promise<{ name: string; count: number }[]>
}

export type QueueState = { name: string; waiting: number; retrying: number; running: number; failed: number; oldestWaitingAt: Date | null }
export type FailedJobRow = { id: string; name: string; queuedAt: Date; failedAt: Date; tries: number; error: string }

/** All jobs and their data. Features add theirs by declaration merging: `declare module '…/kernel/jobs.ts'`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface JobData {}

export type JobName = keyof JobData

export type Jobs = {
  /**
   * Queues a job; with `tx`, it exists only if that transaction commits. The data is stored as JSON until the job is done, so it may
   * contain IDs and addresses, but never a password or a token.
   */
  enqueue<Name extends JobName>(name: Name, data: JobData[Name], options?: { tx?: Tx; startAfterSeconds?: number }): Promise<void>
  /** Deletes every waiting or failed job whose data or error contains one of these addresses or IDs. Returns the number. */
  forget(names: readonly string[]): Promise<number>
  readonly desk: JobDesk
}

/** Runs a job. It may run twice (after a crash or a lost connection), so it re-reads its subject. Throwing retries it later. */
export type JobHandler<Name extends JobName> = (data: JobData[Name]) => Promise<void>

export type JobHandlers = { [Name in JobName]: JobHandler<Name> }

/** A scheduled job with a cron expression in UTC; runs once for all processes. */
export type JobSchedule = { [Name in JobName]: { name: Name; cron: string; data: JobData[Name] } }[JobName]

/**
 * Jobs share their process's workers by lane, so that a backlog of one kind doesn't delay others: `notify` is quick work that open
 * pages wait for, `send` an email or push to one person, `files` an upload, `outside` calls to
 * servers of members, which may be slow, and `bulk` everything that no one waits for.
 */
export type JobLane = 'notify' | 'send' | 'files' | 'outside' | 'bulk'

export type JobLanes = Record<JobName, JobLane>

/** A service needed by all jobs of a kind is down. They wait for it, and the attempt doesn't count. */
export class ServiceAwayError extends Error {
  override readonly name = 'ServiceAwayError'
}
