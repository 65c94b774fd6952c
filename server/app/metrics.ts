import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { livePath } from '#contracts/live.ts'
import type { Reads } from '#server/db/replicas.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { JobAdmin } from '#server/kernel/jobs.ts'
import { release } from '#server/release.ts'
import type { Watch } from './watch.ts'

export const metricsPath = '/metrics'

const prefix = 'sungrove_'
/** In seconds. */
const requestBuckets = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5]
const jobBuckets = [0.05, 0.25, 1, 5, 15, 60, 300]
/** Minimum interval between counts of the queue, in ms. */
const queueAgeMs = 5_000
/** How long a scrape waits for the database, in ms. The process's own metrics matter more. */
const queueWaitMs = 2_000

export type Metrics = Watch & {
  onCacheResult(result: 'hit' | 'shared' | 'miss'): void
  onRefused(lane: string): void
  /** Observes every request of the app and serves /metrics to callers with the token. */
  addTo(app: FastifyInstance, token: string): void
}

/**
 * Metrics for Prometheus. Labels are only names from the code (route patterns, jobs, services), never a URL, an ID or user input. That
 * limits their number and excludes personal data.
 */
export function createMetrics(
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
  reads: Pick<Reads, 'replicas' | 'counts'>,
  desk: () => Pick<JobAdmin, 'queues'>,
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `${prefix}${name}`, help, labelNames, registers })
  const counter = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name: `${prefix}${name}`, help, labelNames, registers })
  const histogram = (name: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: `${prefix}${name}`, help, labelNames, buckets, registers })

  gauge('build_info', 'The release and its Node.js version. Always 1.', ['version', 'node']).set(
    { version: release, node: process.version },
    1,
  )
  const requests = histogram('http_request_seconds', 'Response time.', ['method', 'route', 'status'], requestBuckets)
  const inFlight = gauge('http_requests_in_flight', 'Requests in progress, without live streams.')
  const streams = gauge('live_streams_open', 'Open live streams.')
  const cache = counter('answer_cache_total', 'Cacheable responses by outcome: hit, shared with another request, or miss.', ['result'])
  const refused = counter('http_requests_refused_total', 'Requests rejected because of overload, by lane.', ['lane'])
  const jobs = histogram('job_seconds', 'Job run time.', ['name', 'outcome'], jobBuckets)
  const outside = counter('outside_calls_total', 'Calls to external services: mail, push, payments.', ['service', 'outcome'])
  const connections = gauge('database_connections', 'Database connections of this process.', ['state'])
  const waiting = gauge('database_waiting', 'Queries waiting for a connection.')
  const routed = counter('database_reads_total', 'Reads that a replica may serve, by server: the number of a replica, or primary.', [
    'server',
  ])
  const replicaUsed = gauge('replica_used', '1 if the replica serves reads.', ['replica'])
  const replicaLag = gauge('replica_lag_seconds', 'Age of the newest primary position that the replica has replayed.', ['replica'])
  const queue = gauge('jobs', 'Jobs in the queue, across all processes.', ['name', 'state'])
  const oldest = gauge('job_oldest_waiting_seconds', 'How long the oldest due job has been waiting.', ['name'])
  const queueKnown = gauge('jobs_known', '1 if the queue could be counted, 0 if the database did not respond.')

  let counting: Promise<void> | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  const countQueue = async () => {
    const states = await desk().queues()
    queue.reset()
    oldest.reset()
    for (const { name, waiting: due, retrying, running, failed, oldestWaitingAt } of states) {
      for (const [state, count] of Object.entries({ waiting: due, retrying, running, failed })) queue.set({ name, state }, count)
      oldest.set({ name }, oldestWaitingAt ? Math.max(0, (Date.now() - oldestWaitingAt.getTime()) / 1000) : 0)
    }
    countedAt = performance.now()
  }
  const refreshQueue = async () => {
    if (performance.now() - countedAt < queueAgeMs) return
    counting ??= countQueue().finally(() => {
      counting = undefined
    })
    const isCounted = await finishesInTime(counting, queueWaitMs)
    queueKnown.set(isCounted ? 1 : 0)
  }

  const timed = async <Answer>(run: () => Promise<Answer>, end: (outcome: 'done' | 'failed') => void): Promise<Answer> => {
    try {
      const answer = await run()
      end('done')
      return answer
    } catch (error) {
      end('failed')
      throw error
    }
  }

  return {
    job(name, run) {
      const stop = jobs.startTimer({ name })
      return timed(run, (outcome) => void stop({ outcome }))
    },
    outside: (service, run) => timed(run, (outcome) => outside.inc({ service, outcome })),
    onCacheResult: (result) => cache.inc({ result }),
    onRefused: (lane) => refused.inc({ lane }),
    addTo(app, token) {
      app.addHook('onRequest', async (request, reply) => {
        const open = request.routeOptions.url === livePath ? streams : inFlight
        open.inc()
        // Runs whether the request completes, is aborted, or is hijacked by a stream.
        reply.raw.once('close', () => open.dec())
      })
      app.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'none'
        if (route === livePath) return
        const status = `${Math.floor(reply.statusCode / 100)}xx`
        requests.observe({ method: request.method, route, status }, reply.elapsedTime / 1000)
      })
      app.get(metricsPath, { logLevel: 'silent', exposeHeadRoute: false }, async (request, reply) => {
        reply.header('cache-control', 'no-store')
        if (!isToken(request.headers.authorization, token)) return reply.status(401).header('www-authenticate', 'Bearer').send()
        connections.set({ state: 'idle' }, pool.idleCount)
        connections.set({ state: 'used' }, pool.totalCount - pool.idleCount)
        waiting.set(pool.waitingCount)
        routed.reset()
        for (const [server, count] of reads.counts()) routed.inc({ server }, count)
        for (const { name: replica, isUsed, lagMs } of reads.replicas()) {
          replicaUsed.set({ replica }, isUsed ? 1 : 0)
          replicaLag.set({ replica }, lagMs === null ? Number.NaN : lagMs / 1000)
        }
        await refreshQueue()
        return reply.type(registry.contentType).send(await registry.metrics())
      })
    },
  }
}

/** Without a token, the path doesn't exist, not even as a page. */
export function refuseMetrics(app: FastifyInstance): void {
  app.get(metricsPath, { exposeHeadRoute: false }, async () => {
    throw notFound()
  })
}

async function finishesInTime(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const done = work.then(
    () => true,
    () => false,
  )
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

/** Hashes make both sides the same length for a comparison in constant time. */
function isToken(header: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`))
}
