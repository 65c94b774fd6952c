import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, PgBoss } from 'pg-boss'
import { type JobHandlers, type JobLane, type JobLanes, type JobName, ServiceAwayError } from '../../kernel/jobs.ts'
import type { Logger } from '../../log.ts'

/** How many jobs of a lane run at once in this process, and how many of them may have the same name. */
const lanes: Record<JobLane, { slots: number; perName: number }> = {
  notify: { slots: 4, perName: 3 },
  send: { slots: 6, perName: 3 },
  files: { slots: 3, perName: 2 },
  bulk: { slots: 8, perName: 4 },
}

/** An idle process asks this often whether anything is due. */
const lookEveryMs = 250
/** After an error of the database. */
const troubleMs = 1000
/** Jobs whose service is away wait this long before one of them tries again. */
const awayMs = 5000

/** A running job says this often that it is alive. One that has not for `heartbeatSeconds` is dead or cut off. */
const touchEveryMs = 6000
export const heartbeatSeconds = 20
/** A dead job is taken over when it is found twice, so that a process which was cut off from the database can say so first. */
const sweepEveryMs = 8000

/** The outcome of a job is written even when the database goes away meanwhile. After this, others find the job dead. */
const longestSettleMs = 120_000

const readDue = `
  select name from unnest($1::text[]) as name
  where exists (
    select from pgboss.job
    where job.name = name.name and job.state < 'active' and not job.blocked and job.start_after <= now())`

// The try does not count: it ended before anything was done.
const putBack = `
  update pgboss.job set state = 'created', started_on = null, heartbeat_on = null
  where name = $1 and id = $2 and retry_count = $3 and state = 'active'`

const readDead = `
  select id::text, heartbeat_on::text from pgboss.job
  where state = 'active' and name = any($1) and retry_count < retry_limit
    and heartbeat_on + make_interval(secs => heartbeat_seconds) < now()`

const takeOver = `
  update pgboss.job set state = 'retry', start_after = now()
  from unnest($1::uuid[], $2::timestamptz[]) as dead (id, heartbeat_on)
  where job.id = dead.id and job.heartbeat_on = dead.heartbeat_on and job.state = 'active'
  returning job.name`

export type JobRunner = {
  /** Takes no more jobs, and waits for those that run. After the time they are left to be repeated elsewhere. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * Does jobs as fast as they come. pg-boss's own workers pause after every batch that is not full, each queue for itself: with
 * a hundred queues that is either many idle queries a second or a long wait for what becomes due by its start time.
 */
export function startJobRunner(parts: { boss: PgBoss; handlers: JobHandlers; laneOf: JobLanes; log: Logger }): JobRunner {
  const { boss, handlers, laneOf, log } = parts
  const names = Object.keys(handlers) as JobName[]
  const sql = <Row>(text: string, values: unknown[]): Promise<{ rows: Row[] }> => boss.getDb().executeSql(text, values)

  const running = new Map<Promise<void>, { name: JobName; job: Job }>()
  /** In the order in which they get the next free slot of their lane. */
  const due = new Set<JobName>()
  const awayUntil = new Map<JobName, number>()
  let isStopping = false
  let isStopped = false
  let wake = () => {}
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Where a job has ended since the last look: it may have queued the next one. */
  const movedLanes = new Set<JobLane>()

  const countRunning = (test: (name: JobName) => boolean) => [...running.values()].filter(({ name }) => test(name)).length
  const freeInLane = (lane: JobLane) => lanes[lane].slots - countRunning((name) => laneOf[name] === lane)
  const freeFor = (name: JobName): number => {
    if ((awayUntil.get(name) ?? 0) > performance.now()) return 0
    const { perName } = lanes[laneOf[name]]
    return Math.min(freeInLane(laneOf[name]), perName - countRunning((other) => other === name))
  }

  async function look(): Promise<void> {
    const asked = names.filter((name) => !due.has(name) && freeFor(name) > 0)
    lookedAt = performance.now()
    movedLanes.clear()
    if (asked.length === 0) return
    const { rows } = await sql<{ name: JobName }>(readDue, [asked])
    for (const { name } of rows) due.add(name)
  }

  /** @returns how many jobs were started */
  async function fill(): Promise<number> {
    let started = 0
    for (const name of [...due]) {
      const free = freeFor(name)
      if (free <= 0 || isStopping) continue
      const jobs = await boss.fetch<object>(name, { batchSize: free })
      due.delete(name)
      if (jobs.length === free) due.add(name)
      for (const job of jobs) begin(name, job)
      started += jobs.length
    }
    return started
  }

  function begin(name: JobName, job: Job): void {
    const ended = run(name, job).finally(() => {
      running.delete(ended)
      movedLanes.add(laneOf[name])
      wake()
    })
    running.set(ended, { name, job })
  }

  async function run(name: JobName, job: Job): Promise<void> {
    try {
      await within(job.expireInSeconds, handlers[name](job.data as never))
    } catch (error) {
      if (error instanceof ServiceAwayError) {
        awayUntil.set(name, performance.now() + awayMs)
        log.warn({ job: name, reason: error.message }, 'a service is away, and its jobs wait')
        return settle(name, () => sql(putBack, [name, job.id, job.retryCount]))
      }
      // The data may hold somebody's address, so it is not logged.
      log.error({ err: error, job: name, id: job.id }, 'job failed')
      return settle(name, () => boss.fail(name, job, error as object))
    }
    await settle(name, () => boss.deleteJob(name, job.id))
  }

  /** A job whose outcome is not written would be done once more. */
  async function settle(name: JobName, write: () => Promise<unknown>): Promise<void> {
    const giveUpAt = performance.now() + longestSettleMs
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2000)) {
      try {
        await write()
        return
      } catch (error) {
        if (isStopped) return
        if (performance.now() > giveUpAt) return log.error({ err: error, job: name }, 'the outcome of a job could not be written')
      }
      await sleep(waitMs, undefined, { ref: false })
    }
  }

  async function work(): Promise<void> {
    let isTroubled = false
    while (!isStopping) {
      const slept = new Promise<void>((resolve) => {
        wake = resolve
      })
      let pauseMs = lookEveryMs
      try {
        const isDry = [...movedLanes].some((lane) => ![...due].some((name) => laneOf[name] === lane && freeFor(name) > 0))
        if (isDry || performance.now() - lookedAt >= lookEveryMs) await look()
        if ((await fill()) > 0) pauseMs = 0
        isTroubled = false
      } catch (error) {
        if (!isTroubled) log.error({ err: error }, 'jobs cannot be taken, and are tried again')
        isTroubled = true
        pauseMs = troubleMs
      }
      if (pauseMs > 0) await Promise.race([slept, sleep(pauseMs)])
    }
  }

  async function touch(): Promise<void> {
    const byName = Map.groupBy(running.values(), ({ name }) => name)
    for (const [name, jobs] of byName) {
      await boss.touch(
        name,
        jobs.map(({ job }) => job),
      )
    }
  }

  let seenDead = new Set<string>()
  async function sweep(): Promise<void> {
    const own = new Set([...running.values()].map(({ job }) => job.id))
    const { rows } = await sql<{ id: string; heartbeat_on: string }>(readDead, [names])
    const dead = rows.filter(({ id }) => !own.has(id))
    const seenBefore = seenDead
    const keyOf = (row: { id: string; heartbeat_on: string }) => `${row.id} ${row.heartbeat_on}`
    seenDead = new Set(dead.map(keyOf))
    const lost = dead.filter((row) => seenBefore.has(keyOf(row)))
    if (lost.length === 0) return
    const taken = await sql<{ name: string }>(takeOver, [lost.map(({ id }) => id), lost.map((row) => row.heartbeat_on)])
    if (taken.rows.length > 0) log.warn({ jobs: taken.rows.map(({ name }) => name) }, 'jobs of a process that died are done again')
  }

  const every = (ms: number, what: string, task: () => Promise<void>) => {
    let isRunning = false
    const timer = setInterval(() => {
      if (isRunning) return
      isRunning = true
      task()
        .catch((error: unknown) => log.warn({ err: error }, what))
        .finally(() => {
          isRunning = false
        })
    }, ms)
    return timer.unref()
  }
  const timers = [
    every(touchEveryMs, 'running jobs cannot say that they are alive', touch),
    every(sweepEveryMs, 'jobs of dead processes cannot be looked for', sweep),
  ]
  const working = work()

  return {
    async stop(timeoutMs) {
      isStopping = true
      wake()
      const ended = working.then(() => Promise.all(running.keys()))
      await Promise.race([ended, sleep(timeoutMs, undefined, { ref: false })])
      isStopped = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}

/** A handler that hangs gives its slot back; what it does later is its own. */
async function within(seconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The job took longer than ${seconds} s.`)), seconds * 1000)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
