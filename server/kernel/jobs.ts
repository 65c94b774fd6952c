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
