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

/** Jobs shorter than this are fetched several slots' worth at a time: fetching one takes as long as doing it. */
const quickMs = 100
const takenAhead = 8

/** An idle process asks this often whether anything is due. */
const lookEveryMs = 250
/** A job that this process queued is looked for after this: its transaction has mostly committed then. */
const nudgeMs = 25
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

// A subquery with a limit is one step in the index for each name, also before the database knows how many jobs there are.
const readDue = `
  select name from unnest($1::text[]) as name
  where (
    select true from pgboss.job
    where job.name = name.name and job.state < 'active' and not job.blocked and job.start_after <= now()
    limit 1)`

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

type Taken = { name: JobName; job: Job<object> }

export type JobRunner = {
  /** A job of this name was queued by this process. Others find it the next time they look. */
  nudge(name: JobName): void
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

  /** Every job that this process has taken and not settled: those that wait for a slot, run, or have ended. */
  const taken = new Set<Taken>()
  const waiting = new Set<Taken>()
  const running = new Set<Taken>()
  const settling = new Set<Promise<void>>()
  /** In the order in which they get the next free slot of their lane. */
  const due = new Set<JobName>()
  const quick = new Set<JobName>()
  const awayUntil = new Map<JobName, number>()
  let isStopping = false
  let isStopped = false
  let wake = () => {}
  let lookedAt = Number.NEGATIVE_INFINITY
  /** Where a job has ended since the last look: it may have queued the next one. */
  const movedLanes = new Set<JobLane>()

  const countOf = (jobs: Set<Taken>, test: (name: JobName) => boolean) => [...jobs].filter(({ name }) => test(name)).length
  const freeFor = (name: JobName): number => {
    const { slots, perName } = lanes[laneOf[name]]
    const inLane = slots - countOf(running, (other) => laneOf[other] === laneOf[name])
    return Math.min(inLane, perName - countOf(running, (other) => other === name))
  }
  /** How many to take now. Long jobs are not taken ahead: another process may be free for them. */
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

  /** @returns how many jobs were taken */
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

  /** Gives the free slots to those that wait. */
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
        log.warn({ job: name, reason: error.message }, 'a service is away, and its jobs wait')
        giveBack(one)
        for (const other of waiting) if (other.name === name) giveBack(other)
        return
      }
      // The data may hold a person's address, so it isn't logged.
      log.error({ err: error, job: name, id: job.id }, 'job failed')
      settle([one], () => boss.fail(name, job, error as object))
    } finally {
      if (performance.now() - startedAt < quickMs) quick.add(name)
      else quick.delete(name)
    }
  }

  /** Those that end while others of their name are deleted are deleted together. */
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

  /** A job whose outcome is not written would be done once more. Until then this process says that it is alive. */
  function settle(jobs: readonly Taken[], write: () => Promise<unknown>): Promise<void> {
    const settled = persist(jobs[0]?.name, write).finally(() => {
      for (const one of jobs) taken.delete(one)
      settling.delete(settled)
    })
    settling.add(settled)
    return settled
  }
  async function persist(name: JobName | undefined, write: () => Promise<unknown>): Promise<void> {
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
        const hasMore = (lane: JobLane) =>
          countOf(waiting, (name) => laneOf[name] === lane) > 0 || [...due].some((name) => laneOf[name] === lane && wanted(name) > 0)
        const isDry = [...movedLanes].some((lane) => !hasMore(lane))
        if (isDry || performance.now() - lookedAt >= lookEveryMs) await look()
        if ((await take()) > 0) pauseMs = 0
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
    if (again.length > 0) log.warn({ jobs: again.map(({ name }) => name) }, 'jobs of a process that died are done again')
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

/** A handler that hangs gives its slot back; what it does later is its own. */
async function within(seconds: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`The job took longer than ${seconds} s.`)), seconds * 1000)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
