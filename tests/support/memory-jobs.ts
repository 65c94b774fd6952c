import type { Clock } from '#server/kernel/context.ts'
import type { FailedJobRow, JobData, JobHandlers, JobName, Jobs } from '#server/kernel/jobs.ts'
import { mentionsAny } from '#server/kernel/own-data.ts'

type Waiting = { [Name in JobName]: { name: Name; data: JobData[Name]; startAfter: number } }[JobName]

export type MemoryJobs = Jobs & {
  /** Oldest first. */
  readonly waiting: readonly Waiting[]
  readonly failed: FailedJobRow[]
  /** Runs all due jobs, including jobs that they queue. @throws a handler's error */
  run(handlers: JobHandlers): Promise<void>
}

/**
 * An in-process queue for tests: jobs wait until `run` is called. Ignores transactions, so a job of a failed transaction isn't removed.
 * Delayed jobs become due by `clock`; without one, every job is due immediately.
 */
export function createMemoryJobs(clock?: Clock): MemoryJobs {
  const waiting: Waiting[] = []
  const failed: FailedJobRow[] = []
  const runOne = <Name extends JobName>(handlers: JobHandlers, name: Name, data: JobData[Name]) => handlers[name](data)
  const time = () => clock?.now().getTime() ?? Number.POSITIVE_INFINITY
  const takeDue = (): Waiting | undefined => {
    const index = waiting.findIndex(({ startAfter }) => startAfter <= time())
    return index < 0 ? undefined : waiting.splice(index, 1)[0]
  }
  return {
    waiting,
    failed,
    desk: {
      queues: async () => queuesOf(waiting, failed),
      failed: async ({ limit }) => ({ items: failed.slice(0, limit), nextCursor: null }),
      async retry({ name, id }) {
        const isMeant = (job: FailedJobRow) => (name === undefined || job.name === name) && (id === undefined || job.id === id)
        const meant = failed.filter(isMeant)
        failed.splice(0, failed.length, ...failed.filter((job) => !isMeant(job)))
        return [...new Set(meant.map((job) => job.name))].map((each) => ({
          name: each,
          count: meant.filter((job) => job.name === each).length,
        }))
      },
    },
    async enqueue(name, data, { startAfterSeconds = 0 } = {}) {
      const startAfter = startAfterSeconds === 0 ? Number.NEGATIVE_INFINITY : time() + startAfterSeconds * 1000
      waiting.push({ name, data, startAfter } as Waiting)
    },
    async forget(names) {
      for (const { data } of waiting) {
        if ('userIds' in data && data.userIds.length > 1) data.userIds = data.userIds.filter((id) => !names.includes(id))
      }
      const isNamed = (job: unknown) =>
        mentionsAny(
          JSON.stringify(job, (key, value) => (key === 'after' ? undefined : value)),
          names,
        )
      const left = waiting.filter((job) => !isNamed(job))
      const leftFailed = failed.filter((job) => !isNamed(job))
      const forgotten = waiting.length - left.length + failed.length - leftFailed.length
      waiting.splice(0, waiting.length, ...left)
      failed.splice(0, failed.length, ...leftFailed)
      return forgotten
    },
    async run(handlers) {
      for (let job = takeDue(); job; job = takeDue()) await runOne(handlers, job.name, job.data as never)
    },
  }
}

function queuesOf(waiting: readonly Waiting[], failed: readonly FailedJobRow[]) {
  const names = [...new Set([...failed, ...waiting].map(({ name }) => name))]
  const count = (jobs: readonly { name: string }[], name: string) => jobs.filter((job) => job.name === name).length
  const idle = { retrying: 0, running: 0, oldestWaitingAt: null }
  return names.map((name) => ({ ...idle, name, waiting: count(waiting, name), failed: count(failed, name) }))
}
