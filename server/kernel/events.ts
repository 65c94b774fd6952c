import type { Tx } from '../db/connect.ts'
import type { JobData, JobName, Jobs } from './jobs.ts'

/** Every event and what it carries: ids alone. A feature adds its own by declaration merging: `declare module '…/kernel/events.ts'`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the features
export interface EventData {}

export type EventName = keyof EventData

/** The jobs that do what follows from an event; each receives the event's data. */
export type Subscribers = { [Name in EventName]?: JobsFor<EventData[Name]>[] }

/** Jobs whose data is what the event carries. */
type JobsFor<Data> = { [Job in JobName]: Data extends JobData[Job] ? Job : never }[JobName]

export type Events = {
  /**
   * Tells the subscribers, by a job each in the same transaction: they hear of it if and only if it happened. They may hear of it
   * late or twice, so they re-read what it is about.
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
