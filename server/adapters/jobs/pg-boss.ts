import { fromKysely, PgBoss } from 'pg-boss'
import { createPool } from '../../db/pool.ts'
import type { JobHandlers, JobLanes, JobSchedule, Jobs } from '../../kernel/jobs.ts'
import { wholeName } from '../../kernel/whole-name.ts'
import type { Logger } from '../../log.ts'
import { heartbeatSeconds, type JobRunner, startJobRunner } from './job-runner.ts'
import { createJobDesk } from './pg-boss-desk.ts'

const forgetNamed = `
  delete from pgboss.job
  where state <> 'active'
    and exists (select from unnest($1::text[]) as name where concat_ws(' ', data::text, output::text) ~ name)
  returning id`

export type JobQueue = Jobs & {
  /** Connects and, on a new database, makes the queue's own tables. `enqueue` and `startWorkers` do it when needed. */
  start(): Promise<void>
  /** Makes the queues of these names where there are none. */
  prepare(names: readonly string[]): Promise<void>
  /** From now on this process does jobs, a few at a time in each lane, and the scheduled ones. */
  startWorkers(handlers: JobHandlers, schedules: readonly JobSchedule[], lanes: JobLanes): Promise<void>
  /** Takes no new jobs and waits for those that run; after the time they are left to be repeated elsewhere. */
  stop(options?: { timeoutMs?: number }): Promise<void>
}

const hour = 3600
const day = 24 * hour

/** Seven tries within about half an hour. What failed then stays for a week, to be looked at. */
const queueOptions = {
  retryLimit: 6,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: 30 * 60,
  expireInSeconds: 10 * 60,
  retentionSeconds: 3 * day,
  deleteAfterSeconds: 7 * day,
  heartbeatSeconds,
  // A NOTIFY would make every transaction that queues a job wait for all others at its commit.
  notify: false,
}

/**
 * The job queue in PostgreSQL, in a schema of its own (`pgboss`). A job that was queued in a transaction exists if and
 * only if it commits. A job that is done is deleted at once, and its data with it.
 */
export function createJobQueue({ connectionString, log }: { connectionString: string; log: Logger }): JobQueue {
  const pool = createPool(
    {
      connectionString,
      max: 4,
      application_name: 'sungrove jobs',
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    },
    log,
  )
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    // Looking after the queue's own tables; the defaults of a minute are for thousands of jobs a second.
    superviseIntervalSeconds: 5 * 60,
    monitorIntervalSeconds: 10 * 60,
    maintenanceIntervalSeconds: hour,
    queueCacheIntervalSeconds: 5 * 60,
    // No job waits for another one.
    flowIntervalSeconds: hour,
    monitorVacuum: false,
  })
  boss.on('error', (err) => log.error({ err }, 'job queue'))
  boss.on('warning', ({ message }) => log.warn({ warning: message }, 'job queue'))

  const known = new Map<string, Promise<void>>()
  let starting: Promise<void> | undefined
  let runner: JobRunner | undefined

  const start = () => {
    starting ??= boss.start().then(async () => {
      for (const { name, ...queue } of await boss.getQueues()) {
        known.set(name, Promise.resolve())
        // An older release made it.
        const isOld = queue.heartbeatSeconds !== heartbeatSeconds || queue.notify
        if (isOld && !name.startsWith('__')) await boss.updateQueue(name, queueOptions)
      }
    })
    // The next caller tries again, from the beginning.
    starting.catch(async () => {
      await boss.stop({ graceful: false }).catch(() => {})
      starting = undefined
    })
    return starting
  }

  const ensureQueue = async (name: string) => {
    await start()
    if (!known.has(name)) {
      const made = boss.createQueue(name, queueOptions)
      known.set(name, made)
      made.catch(() => known.delete(name))
    }
    await known.get(name)
  }

  return {
    start,
    async prepare(names) {
      await start()
      for (const name of names) await ensureQueue(name)
    },
    desk: createJobDesk(boss, start),
    async enqueue(name, data, { tx, startAfterSeconds } = {}) {
      await ensureQueue(name)
      await boss.send(name, data, {
        ...(tx ? { db: fromKysely(tx) } : {}),
        ...(startAfterSeconds ? { startAfter: startAfterSeconds } : {}),
      })
      if (!startAfterSeconds) runner?.nudge(name)
    },
    async forget(names) {
      await start()
      // One that is done at this moment deletes itself.
      const { rows } = await boss.getDb().executeSql(forgetNamed, [names.map(wholeName)])
      return rows.length
    },
    async startWorkers(handlers, schedules, lanes) {
      for (const name of Object.keys(handlers)) await ensureQueue(name)
      for (const { name, cron, data } of schedules) await boss.schedule(name, cron, data)
      runner ??= startJobRunner({ boss, handlers, laneOf: lanes, log })
    },
    async stop({ timeoutMs = 3_000 } = {}) {
      await starting?.catch(() => {})
      await runner?.stop(timeoutMs)
      // The runner has waited for the jobs.
      if (starting) await boss.stop({ graceful: false })
      if (!pool.ending) await pool.end()
    },
  }
}
