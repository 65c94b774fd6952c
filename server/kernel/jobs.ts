import type { Tx } from '#server/db/connect.ts'
import type { Page } from './keyset.ts'

/** For the operator. Excludes the data of jobs, which may be personal. */
export type JobAdmin = {
  queues(): Promise<QueueState[]>
  /** Latest first. `error` is unmodified, so it may contain personal data. */
  failed(query: { limit: number; cursor?: string | undefined }): Promise<Page<FailedJobRow>>
  /** Requeues failed jobs for one more attempt. Jobs in any other state don't change. @returns how many it requeued, by job name */
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
   * Queues a job. With `tx`, the job exists only if that transaction commits. The data is stored as JSON until the job is done, so it may
   * contain IDs and addresses, but never a password or a token.
   */
  enqueue<Name extends JobName>(name: Name, data: JobData[Name], options?: { tx?: Tx; startAfterSeconds?: number }): Promise<void>
  /**
   * Deletes every waiting or failed job about these addresses or IDs. Removes them from jobs for several people (`userIds`) and from errors,
   * and keeps cursors (`after`). Returns the number of deleted jobs.
   */
  forget(names: readonly string[]): Promise<number>
  readonly desk: JobAdmin
}

/** A job may run twice (after a crash or a lost connection), so it must read its subject again. Throwing retries it later. */
export type JobHandler<Name extends JobName> = (data: JobData[Name]) => Promise<void>

export type JobHandlers = { [Name in JobName]: JobHandler<Name> }

/** A job with a cron expression in UTC. Runs once each time, no matter how many processes there are. */
export type JobSchedule = { [Name in JobName]: { name: Name; cron: string; data: JobData[Name] } }[JobName]

/**
 * Jobs share their process's workers by lane, so a backlog of one kind doesn't delay others.
 * - `notify`: quick work that open pages wait for
 * - `send`: an email or push to one person
 * - `files`: an upload
 * - `outside`: calls to members' servers, which may be slow
 * - `bulk`: everything that no one waits for
 */
export type JobLane = 'notify' | 'send' | 'files' | 'outside' | 'bulk'

export type JobLanes = Record<JobName, JobLane>

/** The current name of each renamed job, by the name under which older releases queue it. */
export type RenamedJobs = Readonly<Record<string, JobName>>

/** A service that all jobs of a kind need is down. They wait for it, and the attempt doesn't count. */
export class ServiceUnavailableError extends Error {
  override readonly name = 'ServiceUnavailableError'
}
