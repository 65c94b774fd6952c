import type { JobData, JobHandlers, JobName, Jobs } from '../../kernel/jobs.ts'

type Waiting = { [Name in JobName]: { name: Name; data: JobData[Name] } }[JobName]

export type MemoryJobs = Jobs & {
  /** What waits, oldest first. */
  readonly waiting: readonly Waiting[]
  /** Does all that waits, and what that adds. A handler's error is the caller's. */
  run(handlers: JobHandlers): Promise<void>
}

/**
 * A queue for tests, in this process: jobs wait until `run` is called. It knows no transactions: a job that was queued
 * in one that failed is here all the same.
 */
export function createMemoryJobs(): MemoryJobs {
  const waiting: Waiting[] = []
  const runOne = <Name extends JobName>(handlers: JobHandlers, name: Name, data: JobData[Name]) => handlers[name](data)
  return {
    waiting,
    async enqueue(name, data) {
      waiting.push({ name, data } as Waiting)
    },
    async run(handlers) {
      for (let job = waiting.shift(); job; job = waiting.shift()) await runOne(handlers, job.name, job.data as never)
    },
  }
}
