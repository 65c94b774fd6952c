import type { Clock } from '../../kernel/clock.ts'
import type { JobData, JobHandlers, JobName, Jobs } from '../../kernel/jobs.ts'

type Waiting = { [Name in JobName]: { name: Name; data: JobData[Name]; startAfter: number } }[JobName]

export type MemoryJobs = Jobs & {
  /** What waits, oldest first. */
  readonly waiting: readonly Waiting[]
  /** Does all that is due, and what that adds. A handler's error is the caller's. */
  run(handlers: JobHandlers): Promise<void>
}

/**
 * A queue for tests, in this process: jobs wait until `run` is called. It knows no transactions: a job that was queued
 * in one that failed is here all the same. A job for later is due by `clock`; without one, everything is due at once.
 */
export function createMemoryJobs(clock?: Clock): MemoryJobs {
  const waiting: Waiting[] = []
  const runOne = <Name extends JobName>(handlers: JobHandlers, name: Name, data: JobData[Name]) => handlers[name](data)
  const time = () => clock?.now().getTime() ?? Number.POSITIVE_INFINITY
  const takeDue = (): Waiting | undefined => {
    const index = waiting.findIndex(({ startAfter }) => startAfter <= time())
    return index < 0 ? undefined : waiting.splice(index, 1)[0]
  }
  return {
    waiting,
    async enqueue(name, data, { startAfterSeconds = 0 } = {}) {
      const startAfter = startAfterSeconds === 0 ? Number.NEGATIVE_INFINITY : time() + startAfterSeconds * 1000
      waiting.push({ name, data, startAfter } as Waiting)
    },
    async run(handlers) {
      for (let job = takeDue(); job; job = takeDue()) await runOne(handlers, job.name, job.data as never)
    },
  }
}
