import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { livePath } from '../../contracts/live.ts'
import { notFound } from '../kernel/errors.ts'
import type { JobDesk } from '../kernel/job-desk.ts'
import { release } from '../release.ts'
import type { Watch } from './watch.ts'

export const metricsPath = '/metrics'

const prefix = 'sungrove_'
/** Seconds; the page's budget is in the middle of them. */
const requestBuckets = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5]
const jobBuckets = [0.05, 0.25, 1, 5, 15, 60, 300]
/** A queue is counted at most so often, however many ask. */
const queueAgeMs = 5_000
/** A scrape waits so long for the database; what it says of the process matters more. */
const queueWaitMs = 2_000

export type Metrics = Watch & {
  onAnswerKept(result: 'hit' | 'shared' | 'miss'): void
  onRefused(lane: string): void
  /** Looks on every request of the app, and answers /metrics to whoever has the token. */
  addTo(app: FastifyInstance, token: string): void
}

/**
 * Numbers for Prometheus. Labels are names of our own — routes' patterns, jobs, services — never an address, an id or a word of
 * somebody's, so that there are few of them and nothing personal in them.
 */
export function createMetrics(
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>,
  desk: () => Pick<JobDesk, 'queues'>,
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

  gauge('build_info', 'Always 1; which release runs on which Node.', ['version', 'node']).set(
    { version: release, node: process.version },
    1,
  )
  const requests = histogram('http_request_seconds', 'How long answers took.', ['method', 'route', 'status'], requestBuckets)
  const inFlight = gauge('http_requests_in_flight', 'Requests that are being answered, without live streams.')
  const streams = gauge('live_streams_open', 'Pages that are told what is new.')
  const cache = counter('answer_cache_total', 'Answers that may be kept, by whether one was: hit, shared with another reader, or miss.', [
    'result',
  ])
  const refused = counter('http_requests_refused_total', 'Requests that found no place, by the lane that was full.', ['lane'])
  const jobs = histogram('job_seconds', 'How long jobs took.', ['job', 'outcome'], jobBuckets)
  const outside = counter('outside_calls_total', "Calls to others' services: mail, push, payments.", ['service', 'outcome'])
  const connections = gauge('database_connections', 'Connections of this process.', ['state'])
  const waiting = gauge('database_waiting', 'Queries that wait for a connection.')
  const queue = gauge('jobs', 'Jobs in the queue of all processes.', ['job', 'state'])
  const oldest = gauge('job_oldest_waiting_seconds', 'For how long the oldest job that is due has waited.', ['job'])
  const queueKnown = gauge('jobs_known', '1 when the queue could be counted; 0 when the database did not answer.')

  let counting: Promise<void> | undefined
  let countedAt = Number.NEGATIVE_INFINITY
  const countQueue = async () => {
    const states = await desk().queues()
    queue.reset()
    oldest.reset()
    for (const { name, waiting: due, retrying, running, failed, oldestWaitingAt } of states) {
      for (const [state, count] of Object.entries({ waiting: due, retrying, running, failed })) queue.set({ job: name, state }, count)
      oldest.set({ job: name }, oldestWaitingAt ? Math.max(0, (Date.now() - oldestWaitingAt.getTime()) / 1000) : 0)
    }
    countedAt = performance.now()
  }
  const refreshQueue = async () => {
    if (performance.now() - countedAt < queueAgeMs) return
    counting ??= countQueue().finally(() => {
      counting = undefined
    })
    const isCounted = await inTime(counting, queueWaitMs)
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
      const stop = jobs.startTimer({ job: name })
      return timed(run, (outcome) => void stop({ outcome }))
    },
    outside: (service, run) => timed(run, (outcome) => outside.inc({ service, outcome })),
    onAnswerKept: (result) => cache.inc({ result }),
    onRefused: (lane) => refused.inc({ lane }),
    addTo(app, token) {
      app.addHook('onRequest', async (request, reply) => {
        const open = request.routeOptions.url === livePath ? streams : inFlight
        open.inc()
        // However it ends: answered, broken off, or taken over by a stream.
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
        await refreshQueue()
        return reply.type(registry.contentType).send(await registry.metrics())
      })
    },
  }
}

/** Where nobody has a token, there is no such address: not even the page's. */
export function refuseMetrics(app: FastifyInstance): void {
  app.get(metricsPath, { exposeHeadRoute: false }, async () => {
    throw notFound()
  })
}

/** Whether it came to a good end in time. */
async function inTime(work: Promise<void>, ms: number): Promise<boolean> {
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

/** Hashes are of one length, and compared in one time. */
function isToken(header: string | undefined, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`))
}
