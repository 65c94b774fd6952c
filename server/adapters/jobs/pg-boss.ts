import { fromKysely, PgBoss } from 'pg-boss'
import { createPool } from '#server/db/pool.ts'
import type { JobHandlers, JobLanes, JobSchedule, Jobs } from '#server/kernel/jobs.ts'
import { wholeName } from '#server/kernel/whole-name.ts'
import type { Logger } from '#server/log.ts'
import { heartbeatSeconds, type JobRunner, startJobRunner } from './job-runner.ts'
import { createJobDesk } from './pg-boss-desk.ts'

const forgetNamed = `
  delete from pgboss.job
  where state <> 'active'
    and exists (select from unnest($1::text[]) as name where concat_ws(' ', data::text, output::text) ~ name)
  returning id`

export type JobQueue = Jobs & {
  /** Connects and, in a new database, creates the queue's tables. `enqueue` and `startWorkers` do this when needed. */
  start(): Promise<void>
  /** Creates missing queues. */
  prepare(names: readonly string[]): Promise<void>
  /** Starts running jobs, a few at a time in each lane, and scheduled ones. */
  startWorkers(handlers: JobHandlers, schedules: readonly JobSchedule[], lanes: JobLanes): Promise<void>
  /** Takes no new jobs and waits for running ones. After the timeout they are left to be retried elsewhere. */
  stop(options?: { timeoutMs?: number }): Promise<void>
}

const hour = 3600
const day = 24 * hour

/** Seven attempts within about 30 minutes. Failed jobs are kept for a week for inspection. */
const queueOptions = {
  retryLimit: 6,
  retryDelay: 30,
  retryBackoff: true,
  retryDelayMax: 30 * 60,
  expireInSeconds: 10 * 60,
  retentionSeconds: 3 * day,
  deleteAfterSeconds: 7 * day,
  heartbeatSeconds,
  // With NOTIFY, every transaction that queues a job would wait for all others at commit.
  notify: false,
}

/**
 * The job queue in PostgreSQL, in its own schema (`pgboss`). A job queued in a transaction exists only if that commits. Finished
 * jobs are deleted immediately, together with their data.
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
    // Maintenance of the queue's tables. The defaults of a minute are meant for thousands of jobs per second.
    superviseIntervalSeconds: 5 * 60,
    monitorIntervalSeconds: 10 * 60,
    maintenanceIntervalSeconds: hour,
    queueCacheIntervalSeconds: 5 * 60,
    // Jobs don't depend on each other.
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
        // Created by an older release.
        const isOld = queue.heartbeatSeconds !== heartbeatSeconds || queue.notify
        if (isOld && !name.startsWith('__')) await boss.updateQueue(name, queueOptions)
      }
    })
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
      // Running jobs delete themselves when they finish.
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
      // The runner has already waited for running jobs.
      if (starting) await boss.stop({ graceful: false })
      if (!pool.ending) await pool.end()
    },
  }
}
