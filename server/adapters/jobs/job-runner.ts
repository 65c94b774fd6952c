import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, PgBoss } from 'pg-boss'
import { type JobHandlers, type JobLane, type JobLanes, type JobName, ServiceAwayError } from '#server/kernel/jobs.ts'
import type { Logger } from '#server/log.ts'

/** Concurrent jobs of each lane in this process, and how many of them may have the same name. */
const lanes: Record<JobLane, { slots: number; perName: number }> = {
  notify: { slots: 4, perName: 3 },
  send: { slots: 6, perName: 3 },
  files: { slots: 3, perName: 2 },
  outside: { slots: 6, perName: 5 },
  bulk: { slots: 8, perName: 4 },
}

/** Jobs shorter than this are fetched several per slot, because fetching one takes as long as running it. */
const quickMs = 100
const takenAhead = 8

/** How often an idle process checks for due jobs. */
const lookEveryMs = 250
/** Delay before fetching a job queued by this process; by then its transaction has usually committed. */
const nudgeMs = 25
/** Delay after a database error. */
const troubleMs = 1000
/** How long jobs wait before one of them retries a service that is down. */
const awayMs = 5000

/** Heartbeat interval of a running job. Without one for `heartbeatSeconds`, the job counts as dead. */
const touchEveryMs = 6000
export const heartbeatSeconds = 20
/** A dead job is taken over when found twice, so that a process that lost its database connection can report first. */
const sweepEveryMs = 8000

/** How long to retry writing a job's outcome while the database is down. Afterwards, other processes find the job dead. */
const maxSettleMs = 120_000

// A subquery with a limit is one index lookup per name, even before the planner has statistics.
const readDue = `
  select name from unnest($1::text[]) as name
  where (
    select true from pgboss.job
    where job.name = name.name and job.state < 'active' and not job.blocked and job.start_after <= now()
    limit 1)`

// The attempt doesn't count, because nothing was done.
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

type Taken = { name: JobName; job: Job<object> }

export type JobRunner = {
  /** Looks soon for a job that this process queued. Other processes find it at their next check. */
  nudge(name: JobName): void
  /** Takes no more jobs and waits for running ones. After the timeout they are left to be retried elsewhere. */
  stop(timeoutMs: number): Promise<void>
}

/**
 * Runs jobs as fast as they come in. pg-boss's own workers pause per queue after every batch that isn't full. With a hundred
 * queues, that means either many idle queries per second or long delays for scheduled jobs.
 */
export function startJobRunner(parts: { boss: PgBoss; handlers: JobHandlers; laneOf: JobLanes; log: Logger }): JobRunner {
  const { boss, handlers, laneOf, log } = parts
  const names = Object.keys(handlers) as JobName[]
  const sql = <Row>(text: string, values: unknown[]): Promise<{ rows: Row[] }> => boss.getDb().executeSql(text, values)

  /** All jobs taken but not settled by this process: waiting for a slot, running, or ended. */
  const taken = new Set<Taken>()
  const waiting = new Set<Taken>()
  const running = new Set<Taken>()
  const settling = new Set<Promise<void>>()
  /** Names in the order in which they get the next free slot of their lane. */
  const due = new Set<JobName>()
  const quick = new Set<JobName>()
  const awayUntil = new Map<JobName, number>()
  let isStopping = false
  let isStopped = false
  let wake = () => {}
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Lanes in which a job has ended since the last check, since it may have queued the next one. */
  const movedLanes = new Set<JobLane>()

  const countOf = (jobs: Set<Taken>, test: (name: JobName) => boolean) => [...jobs].filter(({ name }) => test(name)).length
  const freeFor = (name: JobName): number => {
    const { slots, perName } = lanes[laneOf[name]]
    const inLane = slots - countOf(running, (other) => laneOf[other] === laneOf[name])
    return Math.min(inLane, perName - countOf(running, (other) => other === name))
  }
  /** How many to fetch now. Long jobs aren't fetched ahead, because another process may be free for them. */
  const wanted = (name: JobName): number => {
    const free = freeFor(name)
    const isAway = (awayUntil.get(name) ?? 0) > performance.now()
    if (isStopping || isAway || free <= 0 || countOf(waiting, (other) => other === name) > 0) return 0
    return quick.has(name) ? lanes[laneOf[name]].perName * takenAhead : free
  }

  async function look(): Promise<void> {
    const asked = names.filter((name) => !due.has(name) && wanted(name) > 0)
    lookedAt = performance.now()
    movedLanes.clear()
    if (asked.length === 0) return
    const { rows } = await sql<{ name: JobName }>(readDue, [asked])
    for (const { name } of rows) due.add(name)
  }

  async function take(): Promise<number> {
    let count = 0
    for (const name of [...due]) {
      const batchSize = wanted(name)
      if (batchSize === 0) continue
      const jobs = await boss.fetch<object>(name, { batchSize })
      due.delete(name)
      if (jobs.length === batchSize) due.add(name)
      for (const job of jobs) {
        const one = { name, job }
        taken.add(one)
        waiting.add(one)
      }
      begin()
      count += jobs.length
    }
    return count
  }

  function begin(): void {
    if (isStopping) return
    for (const one of waiting) {
      if (freeFor(one.name) <= 0) continue
      waiting.delete(one)
      running.add(one)
      void run(one).finally(() => {
        running.delete(one)
        movedLanes.add(laneOf[one.name])
        begin()
        wake()
      })
    }
  }

  async function run(one: Taken): Promise<void> {
    const { name, job } = one
    const startedAt = performance.now()
    try {
      await within(job.expireInSeconds, handlers[name](job.data as never))
      done(one)
    } catch (error) {
      if (error instanceof ServiceAwayError) {
        awayUntil.set(name, performance.now() + awayMs)
        log.warn({ job: name, reason: error.message }, 'a service is unavailable; its jobs wait')
        giveBack(one)
        for (const other of waiting) if (other.name === name) giveBack(other)
        return
      }
      // Job data may contain personal data, so it isn't logged.
      log.error({ err: error, job: name, id: job.id }, 'job failed')
      settle([one], () => boss.fail(name, job, error as object))
    } finally {
      if (performance.now() - startedAt < quickMs) quick.add(name)
      else quick.delete(name)
    }
  }

  /** Batches the deletion of jobs that end while others of their name are being deleted. */
  const ended = new Map<JobName, Taken[]>()
  function done(one: Taken): void {
    const batch = ended.get(one.name)
    if (batch) batch.push(one)
    else deleteNext(one.name, [one])
  }
  function deleteNext(name: JobName, jobs: Taken[]): void {
    if (jobs.length === 0) return void ended.delete(name)
    ended.set(name, [])
    const ids = jobs.map(({ job }) => job.id)
    settle(jobs, () => boss.deleteJob(name, ids)).then(() => deleteNext(name, ended.get(name) ?? []))
  }

  function giveBack(one: Taken): void {
    waiting.delete(one)
    const { name, job } = one
    settle([one], () => sql(putBack, [name, job.id, job.retryCount]))
  }

  /** A job whose outcome isn't written would run again, so this process keeps sending heartbeats until then. */
  function settle(jobs: readonly Taken[], write: () => Promise<unknown>): Promise<void> {
    const settled = persist(jobs[0]?.name, write).finally(() => {
      for (const one of jobs) taken.delete(one)
      settling.delete(settled)
    })
    settling.add(settled)
    return settled
  }
  async function persist(name: JobName | undefined, write: () => Promise<unknown>): Promise<void> {
    const giveUpAt = performance.now() + maxSettleMs
    for (let waitMs = 100; ; waitMs = Math.min(waitMs * 2, 2000)) {
      try {
        await write()
        return
      } catch (error) {
        if (isStopped) return
        if (performance.now() > giveUpAt) return log.error({ err: error, job: name }, 'the outcome of a job could not be saved')
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
        const hasMore = (lane: JobLane) =>
          countOf(waiting, (name) => laneOf[name] === lane) > 0 || [...due].some((name) => laneOf[name] === lane && wanted(name) > 0)
        const isDry = [...movedLanes].some((lane) => !hasMore(lane))
        if (isDry || performance.now() - lookedAt >= lookEveryMs) await look()
        if ((await take()) > 0) pauseMs = 0
        isTroubled = false
      } catch (error) {
        if (!isTroubled) log.error({ err: error }, 'jobs could not be fetched; retrying')
        isTroubled = true
        pauseMs = troubleMs
      }
      if (pauseMs > 0) await Promise.race([slept, sleep(pauseMs)])
    }
  }

  async function touch(): Promise<void> {
    const byName = Map.groupBy(taken, ({ name }) => name)
    for (const [name, jobs] of byName) {
      await boss.touch(
        name,
        jobs.map(({ job }) => job),
      )
    }
  }

  let seenDead = new Set<string>()
  async function sweep(): Promise<void> {
    const own = new Set([...taken].map(({ job }) => job.id))
    const { rows } = await sql<{ id: string; heartbeat_on: string }>(readDead, [names])
    const dead = rows.filter(({ id }) => !own.has(id))
    const seenBefore = seenDead
    const keyOf = (row: { id: string; heartbeat_on: string }) => `${row.id} ${row.heartbeat_on}`
    seenDead = new Set(dead.map(keyOf))
    const lost = dead.filter((row) => seenBefore.has(keyOf(row)))
    if (lost.length === 0) return
    const { rows: again } = await sql<{ name: string }>(takeOver, [lost.map(({ id }) => id), lost.map((row) => row.heartbeat_on)])
    if (again.length > 0) log.warn({ jobs: again.map(({ name }) => name) }, 'rerunning jobs of a process that died')
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
    every(touchEveryMs, 'running jobs could not send their heartbeat', touch),
    every(sweepEveryMs, 'jobs of dead processes could not be looked up', sweep),
  ]
  const working = work()

  const nudged = new Set<JobName>()
  return {
    nudge(name) {
      if (isStopping || nudged.has(name) || !(name in handlers)) return
      nudged.add(name)
      const timer = setTimeout(() => {
        nudged.delete(name)
        due.add(name)
        wake()
      }, nudgeMs)
      timer.unref()
    },
    async stop(timeoutMs) {
      isStopping = true
      wake()
      const idle = async () => {
        await working
        for (const one of waiting) giveBack(one)
        while (taken.size > 0) await (settling.size > 0 ? Promise.all(settling) : sleep(20, undefined, { ref: false }))
      }
      await Promise.race([idle(), sleep(timeoutMs, undefined, { ref: false })])
      isStopped = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}

/** Frees the slot of a hanging handler; its later outcome is ignored. */
async function within(seconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The job took longer than ${seconds} s.`)), seconds * 1000)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
