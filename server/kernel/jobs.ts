import type { Tx } from '../db/connect.ts'
import type { JobDesk } from './job-desk.ts'

/** Every job and its data. A feature adds its own by declaration merging: `declare module '…/kernel/jobs.ts'`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface JobData {}

export type JobName = keyof JobData

export type Jobs = {
  /**
   * Queues a job; with `tx` it exists if and only if that transaction commits.
   * The data is stored as JSON until the job is done, so it holds ids and addresses, never a password or a token.
   */
  enqueue<Name extends JobName>(name: Name, data: JobData[Name], options?: { tx?: Tx; startAfterSeconds?: number }): Promise<void>
  /** Removes every job, waiting or failed, whose data or error names somebody by their address or id; answers how many. */
  forget(names: readonly string[]): Promise<number>
  /** For the operator's eyes. */
  readonly desk: JobDesk
}

/** Does one job. It may run twice (a crash, a lost connection), so it re-reads what it is about. Throwing means: again, later. */
export type JobHandler<Name extends JobName> = (data: JobData[Name]) => Promise<void>

export type JobHandlers = { [Name in JobName]: JobHandler<Name> }

/** A job that comes by itself, by a cron expression in UTC; once for all processes. */
export type JobSchedule = { [Name in JobName]: { name: Name; cron: string; data: JobData[Name] } }[JobName]

/**
 * What a job shares its process's workers with, so that a backlog of one kind holds up no other: `notify` is quick work that
 * open pages wait for, `send` a mail or push to one person, `files` an upload, and `bulk` everything that no one watches.
 */
export type JobLane = 'notify' | 'send' | 'files' | 'bulk'

export type JobLanes = Record<JobName, JobLane>

/** The service that all jobs of a kind need is away. They wait for it, and the try doesn't count. */
export class ServiceAwayError extends Error {
  override readonly name = 'ServiceAwayError'
}
