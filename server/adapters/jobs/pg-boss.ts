import { fromKysely, PgBoss } from 'pg-boss'
import { createPool } from '#server/db/connect.ts'
import type { FailedJobRow, JobAdmin, JobHandlers, JobLanes, JobSchedule, Jobs, QueueState, RenamedJobs } from '#server/kernel/jobs.ts'
import { decodeCursor, toPage } from '#server/kernel/keyset.ts'
import { wholeWordPattern } from '#server/kernel/own-data.ts'
import type { Logger } from '#server/log.ts'
import { heartbeatSeconds, type JobRunner, startJobRunner } from './job-runner.ts'

const isNamedIn = (text: string) => `exists (select from unnest($1::text[]) as name where ${text} ~ name)`

// A cursor (`after`) only marks where a job for other people continues. Once the account is deleted, the ID in it refers to no one.
const isAboutPerson = `
  ${isNamedIn(`(data - 'after' - 'userIds')::text`)}
  or (jsonb_array_length(data -> 'userIds') > 0 and (data -> 'userIds') - $2::text[] = '[]')`

const forgetNamed = `delete from pgboss.job where state <> 'active' and (${isAboutPerson}) returning id`

// The remaining jobs also concern other people, or name the person only in an error.
const removeNamed = `
  update pgboss.job set
    data = case when data ? 'userIds' then jsonb_set(data, '{userIds}', (data -> 'userIds') - $2::text[]) else data end,
    output = case when ${isNamedIn('output::text')} then null else output end
  where state <> 'active' and ((data -> 'userIds') ?| $2::text[] or ${isNamedIn('output::text')})`

export type JobQueue = Jobs & {
  /** Connects and, in a new database, creates the queue's tables. The other methods call it when needed. */
  start(): Promise<void>
  prepare(names: readonly string[]): Promise<void>
  startWorkers(handlers: JobHandlers, schedules: readonly JobSchedule[], lanes: JobLanes, renamed?: RenamedJobs): Promise<void>
  /** Takes no more jobs and waits for running ones. After the timeout, other processes retry them. */
  stop(options?: { timeoutMs?: number }): Promise<void>
}

const hour = 3600
const day = 24 * hour

/** Seven attempts within 30 to 60 minutes. Failed jobs remain for a week for inspection. */
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
const optionNames = Object.keys(queueOptions) as (keyof typeof queueOptions)[]

/**
 * The job queue in PostgreSQL, in its own schema (`pgboss`). A job queued in a transaction exists only if the transaction commits. Finished
 * jobs are deleted immediately, along with their data.
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
    // How often the queue's tables are maintained. The default of a minute is meant for thousands of jobs per second.
    superviseIntervalSeconds: 5 * 60,
    monitorIntervalSeconds: 10 * 60,
    maintenanceIntervalSeconds: hour,
    queueCacheIntervalSeconds: 5 * 60,
    // Only for jobs that depend on other jobs. None do.
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
        // Updates queues that an older release created.
        const isOld = optionNames.some((option) => queue[option] !== queueOptions[option])
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
    desk: createJobAdmin(boss, start),
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
      // Running jobs are deleted when they finish.
      const patterns = names.map(wholeWordPattern)
      const { rows } = await boss.getDb().executeSql(forgetNamed, [patterns, names])
      await boss.getDb().executeSql(removeNamed, [patterns, names])
      return rows.length
    },
    async startWorkers(handlers, schedules, lanes, renamed = {}) {
      for (const name of Object.keys(handlers)) await ensureQueue(name)
      for (const name of Object.keys(renamed)) await boss.unschedule(name)
      // If a job was due while no process was running, it runs once.
      for (const { name, cron, data } of schedules) await boss.schedule(name, cron, data, { missed: 'once' })
      runner ??= startJobRunner({ boss, handlers, laneOf: lanes, renamed, log })
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

/** The maximum per retry request. A second request retries the remaining jobs. */
const maxRetried = 10_000

// The names of pg-boss's internal queues start with two underscores.
const ours = `name not like '\\_\\_%'`

const readQueues = `
  select name, count(*) filter (where state = 'created')::int as waiting, count(*) filter (where state = 'retry')::int as retrying,
    count(*) filter (where state = 'active')::int as running, count(*) filter (where state = 'failed')::int as failed,
    min(greatest(created_on, start_after)) filter (where state in ('created', 'retry') and start_after <= now()) as oldest
  from pgboss.job where state in ('created', 'retry', 'active', 'failed') and ${ours}
  group by name order by failed desc, waiting desc, name`

const readFailed = `
  select id, name, created_on, completed_on, retry_count, coalesce(output ->> 'message', output ->> 'value', output::text, '') as error
  from pgboss.job
  where state = 'failed' and completed_on is not null and ${ours}
    and ($1::timestamptz is null or (date_trunc('milliseconds', completed_on), id) < ($1, $2::uuid))
  order by date_trunc('milliseconds', completed_on) desc, id desc limit $3`

const readRetried = `
  select name, array_agg(id::text) as ids from (
    select name, id from pgboss.job
    where state = 'failed' and ${ours} and ($1::text is null or name = $1) and ($2::uuid is null or id = $2)
    order by completed_on limit ${maxRetried}
  ) as failed group by name order by name`

type QueueRow = { name: string; waiting: number; retrying: number; running: number; failed: number; oldest: Date | null }
type FailedRow = { id: string; name: string; created_on: Date; completed_on: Date; retry_count: number; error: string }

/** Reads pg-boss's tables directly; they are small because finished jobs are deleted. `ready` creates them in a new database. */
function createJobAdmin(boss: PgBoss, ready: () => Promise<unknown>): JobAdmin {
  const rowsOf = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    await ready()
    return (await boss.getDb().executeSql(text, values)).rows as Row[]
  }
  return {
    async queues() {
      const rows = await rowsOf<QueueRow>(readQueues)
      return rows.map(({ oldest, ...row }): QueueState => ({ ...row, oldestWaitingAt: oldest }))
    },
    async failed({ limit, cursor }) {
      const after = decodeCursor(cursor, ['time', 'id'])
      const rows = await rowsOf<FailedRow>(readFailed, [after?.[0] ?? null, after?.[1] ?? null, limit + 1])
      const page = toPage(rows, limit, (row) => [new Date(row.completed_on).toISOString(), row.id])
      return { ...page, items: page.items.map(toFailed) }
    },
    async retry({ name, id }) {
      const found = await rowsOf<{ name: string; ids: string[] }>(readRetried, [name ?? null, id ?? null])
      const retried: { name: string; count: number }[] = []
      for (const queue of found) {
        // pg-boss's types omit the return value.
        const { affected } = (await boss.retry(queue.name, queue.ids)) as { affected: number }
        if (affected > 0) retried.push({ name: queue.name, count: affected })
      }
      return retried
    },
  }
}

const toFailed = (row: FailedRow): FailedJobRow => ({
  id: row.id,
  name: row.name,
  queuedAt: row.created_on,
  failedAt: row.completed_on,
  tries: row.retry_count + 1,
  error: row.error,
})
