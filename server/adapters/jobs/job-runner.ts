import { setTimeout as sleep } from 'node:timers/promises'
import type { Job, PgBoss } from 'pg-boss'
import {
  type JobHandlers,
  type JobLane,
  type JobLanes,
  type JobName,
  type RenamedJobs,
  ServiceUnavailableError,
} from '#server/kernel/jobs.ts'
import type { Logger } from '#server/log.ts'

/** How many jobs each lane runs concurrently in this process, in total and with the same name. */
const lanes: Record<JobLane, { slots: number; perName: number }> = {
  notify: { slots: 4, perName: 3 },
  send: { slots: 6, perName: 3 },
  files: { slots: 3, perName: 2 },
  outside: { slots: 6, perName: 5 },
  bulk: { slots: 8, perName: 4 },
}

/** Jobs shorter than this are fetched several at a time per slot, because fetching one takes as long as running it. */
const quickMs = 100
const prefetchFactor = 8

/** How often an idle process checks for due jobs. */
const pollIntervalMs = 250
/** Delay before fetching a job queued by this process, whose transaction has usually committed by then. */
const nudgeMs = 25
/** Delay after a database error. */
const errorRetryMs = 1000
/** How long jobs wait before they retry a service that was down. */
const unavailablePauseMs = 5000

/** A running job sends heartbeats at this interval. If none arrives for `heartbeatSeconds`, the job counts as dead. */
const heartbeatIntervalMs = 6000
export const heartbeatSeconds = 20
/** A job is taken over only if two checks find it dead, so a process that lost its database connection can write the outcome first. */
const sweepEveryMs = 8000

/** How long to retry writing a job's outcome while the database is down. After that, the job counts as dead. */
const maxSettleMs = 120_000

// A subquery with a limit is one index lookup per name, even before the planner has statistics.
const dueJobsSql = `
  select name from unnest($1::text[]) as name
  where (
    select true from pgboss.job
    where job.name = name.name and job.state < 'active' and not job.blocked and job.start_after <= now()
    limit 1)`

// The attempt doesn't count, because nothing was done.
const releaseJobSql = `
  update pgboss.job set state = 'created', started_on = null, heartbeat_on = null
  where name = $1 and id = $2 and retry_count = $3 and state = 'active'`

const deadJobsSql = `
  select id::text, heartbeat_on::text from pgboss.job
  where state = 'active' and name = any($1) and retry_count < retry_limit
    and heartbeat_on + make_interval(secs => heartbeat_seconds) < now()`

const takeOverSql = `
  update pgboss.job set state = 'retry', start_after = now()
  from unnest($1::uuid[], $2::timestamptz[]) as dead (id, heartbeat_on)
  where job.id = dead.id and job.heartbeat_on = dead.heartbeat_on and job.state = 'active'
  returning job.name`

const renameSql = `
  update pgboss.job set name = renamed.name from unnest($1::text[], $2::text[]) as renamed (former, name)
  where job.name = renamed.former and job.state < 'active'`

type ClaimedJob = { name: JobName; job: Job<object> }

export type JobRunner = {
  /** Checks soon for a job that this process queued. Other processes find it at their next check. */
  nudge(name: JobName): void
  /** Takes no more jobs and waits for running ones. After the timeout, other processes retry them. */
  stop(timeoutMs: number): Promise<void>
}

type Parts = { boss: PgBoss; handlers: JobHandlers; laneOf: JobLanes; renamed: RenamedJobs; log: Logger }

/**
 * Runs jobs as fast as they arrive. pg-boss's own workers pause after every batch that isn't full, separately for each queue. With a
 * hundred queues, that means either many idle queries per second or long delays for scheduled jobs.
 */
export function startJobRunner({ boss, handlers, laneOf, renamed, log }: Parts): JobRunner {
  const names = Object.keys(handlers) as JobName[]
  const sql = <Row>(text: string, values: unknown[]): Promise<{ rows: Row[] }> => boss.getDb().executeSql(text, values)

  /** Jobs that this process took and hasn't settled: waiting for a slot, running, or ended. */
  const claimed = new Set<ClaimedJob>()
  const waiting = new Set<ClaimedJob>()
  const running = new Set<ClaimedJob>()
  const settling = new Set<Promise<void>>()
  /** Names of due jobs, in the order in which they get their lane's next free slot. */
  const due = new Set<JobName>()
  const quick = new Set<JobName>()
  const unavailableUntil = new Map<JobName, number>()
  let isStopping = false
  let isStopped = false
  let wake = () => {}
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Lanes in which a job has ended since the last check and may have queued the next one. */
  const movedLanes = new Set<JobLane>()

  const countOf = (jobs: Set<ClaimedJob>, test: (name: JobName) => boolean) => [...jobs].filter(({ name }) => test(name)).length
  const freeFor = (name: JobName): number => {
    const { slots, perName } = lanes[laneOf[name]]
    const inLane = slots - countOf(running, (other) => laneOf[other] === laneOf[name])
    return Math.min(inLane, perName - countOf(running, (other) => other === name))
  }
  /** How many to fetch now. Long jobs aren't fetched ahead, because another process may be free for them. */
  const fetchCount = (name: JobName): number => {
    const free = freeFor(name)
    const isAway = (unavailableUntil.get(name) ?? 0) > performance.now()
    if (isStopping || isAway || free <= 0 || countOf(waiting, (other) => other === name) > 0) return 0
    return quick.has(name) ? lanes[laneOf[name]].perName * prefetchFactor : free
  }

  async function findDueJobs(): Promise<void> {
    const asked = names.filter((name) => !due.has(name) && fetchCount(name) > 0)
    lookedAt = performance.now()
    movedLanes.clear()
    if (asked.length === 0) return
    const { rows } = await sql<{ name: JobName }>(dueJobsSql, [asked])
    for (const { name } of rows) due.add(name)
  }

  async function take(): Promise<number> {
    let count = 0
    for (const name of [...due]) {
      const batchSize = fetchCount(name)
      if (batchSize === 0) continue
      const jobs = await boss.fetch<object>(name, { batchSize })
      due.delete(name)
      if (jobs.length === batchSize) due.add(name)
      for (const job of jobs) {
        const one = { name, job }
        claimed.add(one)
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

  async function run(one: ClaimedJob): Promise<void> {
    const { name, job } = one
    const startedAt = performance.now()
    try {
      await withTimeout(job.expireInSeconds, handlers[name](job.data as never))
      done(one)
    } catch (error) {
      if (error instanceof ServiceUnavailableError) {
        unavailableUntil.set(name, performance.now() + unavailablePauseMs)
        log.warn({ job: name, reason: error.message }, 'a service is unavailable; pausing its jobs')
        releaseJob(one)
        for (const other of waiting) if (other.name === name) releaseJob(other)
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

  /** Batches deletions: jobs that end while others with their name are being deleted go into the next batch. */
  const ended = new Map<JobName, ClaimedJob[]>()
  function done(one: ClaimedJob): void {
    const batch = ended.get(one.name)
    if (batch) batch.push(one)
    else deleteNext(one.name, [one])
  }
  function deleteNext(name: JobName, jobs: ClaimedJob[]): void {
    if (jobs.length === 0) return void ended.delete(name)
    ended.set(name, [])
    const ids = jobs.map(({ job }) => job.id)
    settle(jobs, () => boss.deleteJob(name, ids)).then(() => deleteNext(name, ended.get(name) ?? []))
  }

  function releaseJob(one: ClaimedJob): void {
    waiting.delete(one)
    const { name, job } = one
    settle([one], () => sql(releaseJobSql, [name, job.id, job.retryCount]))
  }

  /** Sends heartbeats until the outcome is written, because the job would run again without them. */
  function settle(jobs: readonly ClaimedJob[], write: () => Promise<unknown>): Promise<void> {
    const settled = persist(jobs[0]?.name, write).finally(() => {
      for (const one of jobs) claimed.delete(one)
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
      let pauseMs = pollIntervalMs
      try {
        const hasMore = (lane: JobLane) =>
          countOf(waiting, (name) => laneOf[name] === lane) > 0 || [...due].some((name) => laneOf[name] === lane && fetchCount(name) > 0)
        const isDry = [...movedLanes].some((lane) => !hasMore(lane))
        if (isDry || performance.now() - lookedAt >= pollIntervalMs) await findDueJobs()
        if ((await take()) > 0) pauseMs = 0
        isTroubled = false
      } catch (error) {
        if (!isTroubled) log.error({ err: error }, 'jobs could not be fetched; retrying')
        isTroubled = true
        pauseMs = errorRetryMs
      }
      if (pauseMs > 0) await Promise.race([slept, sleep(pauseMs)])
    }
  }

  async function touch(): Promise<void> {
    const byName = Map.groupBy(claimed, ({ name }) => name)
    for (const [name, jobs] of byName) {
      await boss.touch(
        name,
        jobs.map(({ job }) => job),
      )
    }
  }

  let seenDead = new Set<string>()
  async function sweep(): Promise<void> {
    const own = new Set([...claimed].map(({ job }) => job.id))
    const { rows } = await sql<{ id: string; heartbeat_on: string }>(deadJobsSql, [names])
    const dead = rows.filter(({ id }) => !own.has(id))
    const seenBefore = seenDead
    const keyOf = (row: { id: string; heartbeat_on: string }) => `${row.id} ${row.heartbeat_on}`
    seenDead = new Set(dead.map(keyOf))
    const lost = dead.filter((row) => seenBefore.has(keyOf(row)))
    if (lost.length === 0) return
    const { rows: again } = await sql<{ name: string }>(takeOverSql, [lost.map(({ id }) => id), lost.map((row) => row.heartbeat_on)])
    if (again.length > 0) log.warn({ jobs: again.map(({ name }) => name) }, 'rerunning the jobs of a dead process')
  }

  /** Runs repeatedly, because during a rolling upgrade, older processes still queue jobs by their former names. */
  async function rename(): Promise<void> {
    await sql(renameSql, [Object.keys(renamed), Object.values(renamed)])
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
    every(heartbeatIntervalMs, 'running jobs could not send their heartbeat', touch),
    every(sweepEveryMs, 'jobs of dead processes could not be looked up', sweep),
    every(sweepEveryMs, 'jobs by former names could not be renamed', rename),
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
        for (const one of waiting) releaseJob(one)
        while (claimed.size > 0) await (settling.size > 0 ? Promise.all(settling) : sleep(20, undefined, { ref: false }))
      }
      await Promise.race([idle(), sleep(timeoutMs, undefined, { ref: false })])
      isStopped = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}

/** Frees a hanging handler's slot. Its later outcome is ignored. */
async function withTimeout(seconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The job took longer than ${seconds} s.`)), seconds * 1000)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
