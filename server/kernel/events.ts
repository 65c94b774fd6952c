import type { Tx } from '#server/db/connect.ts'
import type { JobData, JobName, Jobs } from './jobs.ts'

/** All events and their data. Features add theirs by declaration merging: `declare module '…/kernel/events.ts'`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface EventData {}

export type EventName = keyof EventData

/** The jobs that each event triggers. Each job gets the event's data. */
export type Subscribers = { [Name in EventName]?: JobsFor<EventData[Name]>[] }

type JobsFor<Data> = { [Job in JobName]: Data extends JobData[Job] ? Job : never }[JobName]

export type Events = {
  /**
   * Queues a job for each subscriber in the same transaction, so the jobs run only if it commits. They may run late or twice, so they must
   * read their subject again.
   */
  publish<Name extends EventName>(tx: Tx, name: Name, data: EventData[Name]): Promise<void>
}

export function createEvents(jobs: Jobs, subscribers: Subscribers): Events {
  return {
    async publish(tx, name, data) {
      for (const job of (subscribers[name] ?? []) as JobName[]) await jobs.enqueue(job, data as never, { tx })
    },
  }
}
