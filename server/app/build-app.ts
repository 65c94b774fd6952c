import path from 'node:path'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { makeBrand } from '../../contracts/brand.ts'
import { livePath } from '../../contracts/live.ts'
import { type Config, projectRoot } from '../config.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import { createAnswerCache } from '../kernel/answer-cache.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { AppError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { readJsonBodies } from '../kernel/json-body.ts'
import { createRateLimiter } from '../kernel/rate-limit.ts'
import type { Logger } from '../log.ts'
import type { Tracing } from '../tracing/index.ts'
import { addApiDocs } from './api-docs.ts'
import { addDevMail } from './dev-mail.ts'
import { type Features, type Replacements, wireFeatures } from './features.ts'
import { addHealth, type Phase } from './health.ts'
import { answerErrors } from './http-errors.ts'
import { createMetrics, refuseMetrics } from './metrics.ts'
import { createOverloadGuard } from './overload.ts'
import { addPages } from './pages.ts'
import { addSecurityHeaders } from './security-headers.ts'
import { addSecurityTxt } from './security-txt.ts'
import { addStaticFiles } from './static-files.ts'
import { watchedBy } from './watch.ts'

const maxBodyBytes = 1024 * 1024
const requestTimeoutMs = 30_000

export type AppParts = {
  config: Config
  database: Pick<OpenDatabase, 'db' | 'pool' | 'url'>
  log: Logger
  clock?: Clock
  distDir?: string
  /** Called before the first route is registered, for tests that watch what is. */
  prepare?: (app: FastifyInstance) => void
  replacements?: Replacements
  tracing?: Tracing | undefined
}

export type App = Pick<Features, 'ctx' | 'jobHandlers' | 'startJobs'> & { app: FastifyInstance; setPhase(phase: Phase): void }

/** Puts the whole server together; nothing listens yet. */
export async function buildApp({ config, database, log, clock = systemClock, prepare, tracing, ...parts }: AppParts): Promise<App> {
  const distDir = parts.distDir ?? path.join(projectRoot, 'dist')
  const overload = createOverloadGuard(config, (lane) => metrics?.onRefused(lane))
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    trustProxy: config.trustProxy,
    bodyLimit: maxBodyBytes,
    requestTimeout: requestTimeoutMs,
    serverFactory: overload.serverFactory,
    // A request that arrives on an open connection while we drain is still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
  // Fastify takes it as a string by itself; every call is JSON or bytes.
  app.removeContentTypeParser('text/plain')
  prepare?.(app)
  const metrics = config.metricsToken ? createMetrics(database.pool, () => features.ctx.jobs.desk) : undefined
  tracing?.addTo(app)
  if (config.metricsToken) metrics?.addTo(app, config.metricsToken)
  else refuseMetrics(app)
  let phase: Phase = 'serving'
  logRequests(app, log)
  app.addHook('onRequest', async (_request, reply) => {
    if (phase === 'draining') reply.header('connection', 'close')
  })
  readJsonBodies(app)
  answerErrors(app)
  await addSecurityHeaders(app, config)
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip', 'identity'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  addHealth(app, database.db, () => phase)

  const brand = makeBrand({ name: config.brandName, supportEmail: config.supportEmail, year: clock.now().getUTCFullYear() })
  const base = {
    db: database.db,
    config,
    brand,
    log,
    clock,
    cache: createAnswerCache(undefined, metrics?.onAnswerKept),
    rateLimiter: createRateLimiter(
      {
        scale: config.rateLimitScale,
        store: config.rateLimitStore === 'postgres' ? { kind: 'postgres', pool: database.pool } : { kind: 'memory' },
      },
      log,
    ),
  }
  const watch = watchedBy([tracing, metrics].filter((each) => each !== undefined))
  const features = wireFeatures(base, database, parts.replacements, watch)
  const { ctx } = features
  app.addHook('onClose', async () => {
    overload.stop()
    await features.stop()
  })
  // Whoever does jobs alone is asked for nothing but its health.
  if (config.jobs !== 'only') {
    features.register(app)
    await addApiDocs(app, ctx)
    await addStaticFiles(app, config, distDir)
    addSecurityTxt(app, ctx)
    addDevMail(app, ctx)
    const { errorPageOf } = addPages(app, ctx, distDir)
    overload.setBusyPage(errorPageOf(new AppError('unavailable')))
  }
  return {
    app,
    ctx,
    jobHandlers: features.jobHandlers,
    startJobs: features.startJobs,
    setPhase(next) {
      phase = next
    },
  }
}

/** Unique across processes and restarts by its first part, cheap to make by its second. */
function requestIds(): () => string {
  const start = newId()
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}

const slowMs = 1000

/** One line for a request that failed, was slow or wrote something; the many quick reads stay silent unless debugging. */
function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', async (request, reply) => {
    const { statusCode, elapsedTime } = reply
    // A live stream is meant to last.
    const isSlow = elapsedTime > slowMs && request.routeOptions.url !== livePath
    const level = statusCode >= 500 ? 'error' : isSlow ? 'warn' : request.method === 'GET' ? 'debug' : 'info'
    if (!log.isLevelEnabled(level)) return
    request.log[level](
      // The route's pattern, not the address: a query string can hold what a person typed.
      { method: request.method, route: request.routeOptions.url ?? 'none', status: statusCode, ms: Math.round(elapsedTime) },
      'request',
    )
  })
}
