import type { Tx } from '../db/connect.ts'

/** Every job and its data. A feature adds its own by declaration merging: `declare module '…/kernel/jobs.ts'`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface JobData {}

export type JobName = keyof JobData

export type Jobs = {
  /** Queues a job; with `tx` it exists if and only if that transaction commits. */
  enqueue<Name extends JobName>(name: Name, data: JobData[Name], options?: { tx?: Tx; startAfterSeconds?: number }): Promise<void>
}

export type JobHandler<Name extends JobName> = (data: JobData[Name]) => Promise<void>
