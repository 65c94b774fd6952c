import fs from 'node:fs'
import path from 'node:path'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import fastifyStatic from '@fastify/static'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { makeBrand } from '#contracts/brand.ts'
import { livePath } from '#contracts/live.ts'
import { providerPages } from '#server/adapters/payments/index.ts'
import { type Config, projectRoot } from '#server/config.ts'
import type { OpenDatabase } from '#server/db/open-database.ts'
import { primaryOnly } from '#server/db/replicas.ts'
import { createAnswerCache } from '#server/kernel/answer-cache.ts'
import { type Clock, systemClock } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { readJsonBodies } from '#server/kernel/json-body.ts'
import { createRateLimiter } from '#server/kernel/rate-limit.ts'
import type { Logger } from '#server/log.ts'
import type { Tracing } from '#server/tracing/index.ts'
import { type Features, type Replacements, wireFeatures } from './features.ts'
import { answerErrors } from './http-errors.ts'
import { addMapTiles } from './map-tiles.ts'
import { createMetrics, refuseMetrics } from './metrics.ts'
import { createOverloadGuard } from './overload.ts'
import { addPages } from './pages.ts'
import { addApiDocs, addDevMail, addHealth, addSecurityTxt, type Phase } from './plain-routes.ts'
import { combineWatches } from './watch.ts'

const maxBodyBytes = 1024 * 1024
const requestTimeoutMs = 30_000

export type AppParts = {
  config: Config
  database: Pick<OpenDatabase, 'db' | 'pool' | 'url'> & Partial<Pick<OpenDatabase, 'reads'>>
  log: Logger
  clock?: Clock
  distDir?: string
  /** Called before the first route is registered, so tests can add hooks. */
  prepare?: (app: FastifyInstance) => void
  replacements?: Replacements
  tracing?: Tracing | undefined
}

export type App = Pick<Features, 'ctx' | 'jobHandlers' | 'startJobs'> & { app: FastifyInstance; setPhase(phase: Phase): void }

/** Assembles the server without listening. */
export async function buildApp({ config, database, log, clock = systemClock, prepare, tracing, ...parts }: AppParts): Promise<App> {
  const { reads = primaryOnly(database.db) } = database
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
    // Requests on open connections are still handled while draining.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
  // Fastify parses text by default, but all calls are JSON or bytes.
  app.removeContentTypeParser('text/plain')
  prepare?.(app)
  const metrics = config.metricsToken ? createMetrics(database.pool, reads, () => features.ctx.jobs.desk) : undefined
  tracing?.addTo(app)
  if (config.metricsToken) metrics?.addTo(app, config.metricsToken)
  else refuseMetrics(app)
  let phase: Phase = 'serving'
  logRequests(app, log)
  // The request hooks in this file use a callback, because a promise costs more than the hook.
  app.addHook('onRequest', (_request, reply, done) => {
    if (phase === 'draining') reply.header('connection', 'close')
    done()
  })
  readJsonBodies(app)
  answerErrors(app)
  await addSecurityHeaders(app, config, clock)
  await app.register(compress, {
    threshold: 1024,
    encodings: ['br', 'gzip', 'identity'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  })
  addHealth(app, { db: database.db, reads }, () => phase)

  const brand = makeBrand({ name: config.brandName, supportEmail: config.supportEmail, year: clock.now().getUTCFullYear() })
  const base = {
    db: database.db,
    reads,
    config,
    brand,
    log,
    clock,
    cache: createAnswerCache(undefined, metrics?.onCacheResult),
    rateLimiter: createRateLimiter(
      {
        scale: config.rateLimitScale,
        store: config.rateLimitStore === 'postgres' ? { kind: 'postgres', pool: database.pool } : { kind: 'memory' },
      },
      log,
    ),
  }
  const watch = combineWatches([tracing, metrics].filter((each) => each !== undefined))
  const features = wireFeatures(base, database, parts.replacements, watch)
  const { ctx } = features
  app.addHook('onClose', async () => {
    overload.stop()
    await features.stop()
  })
  // A process that only runs jobs serves only health checks and metrics.
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

/** The prefix makes IDs unique across processes and restarts; the counter is cheap. */
function requestIds(): () => string {
  const start = newId()
  let count = 0
  return () => `${start}-${(++count).toString(36)}`
}

const slowMs = 1000

/** Logs server errors, slow requests and writes. Other reads are logged only at debug level. */
function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode, elapsedTime } = reply
    // Live streams are long by design, so they don't count as slow.
    const isSlow = elapsedTime > slowMs && request.routeOptions.url !== livePath
    const level = statusCode >= 500 ? 'error' : isSlow ? 'warn' : request.method === 'GET' ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) {
      request.log[level](
        // Logs the route's pattern instead of the URL, whose query string may contain user input.
        { method: request.method, route: request.routeOptions.url ?? 'none', status: statusCode, ms: Math.round(elapsedTime) },
        'request',
      )
    }
    done()
  })
}

const yearInSeconds = 31_536_000

/** Serves the built web app. Hashed files are cached for a year, and most others for an hour. Prefers precompressed copies. */
async function addStaticFiles(app: FastifyInstance, config: Config, distDir: string): Promise<void> {
  if (fs.existsSync(distDir)) {
    await app.register(fastifyStatic, {
      root: distDir,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      // Templates and compressed copies can't be requested by name.
      globIgnore: ['assets/**', 'index.html*', 'static-page.html*', '.vite/**', '.static-pages/**', '.built', '**/*.br', '**/*.gz'],
      setHeaders(reply, file) {
        // The URL changes with the content, so it can be cached for a year.
        const isVersioned = /[\\/]assets[\\/]/.test(file) || file.endsWith('.pmtiles')
        // Browsers check for a new worker at each visit, and a cached one would keep the whole app outdated.
        const isWorker = path.basename(file) === 'sw.js'
        reply.header(
          'cache-control',
          isWorker ? 'no-cache' : isVersioned ? `public, max-age=${yearInSeconds}, immutable` : 'public, max-age=3600',
        )
      },
    })
    addAssets(app, path.join(distDir, 'assets'))
    addMapTiles(app, config)
  }
}

const isAssetName = (name: string): boolean => /^[\w-][\w.-]*$/.test(name) && !/\.(br|gz)$/.test(name)

/** One route for all assets. The plugin would register two for each of a thousand files, which takes a tenth of the startup time. */
function addAssets(app: FastifyInstance, folder: string): void {
  const names = new Set(fs.existsSync(folder) ? fs.readdirSync(folder).filter(isAssetName) : [])
  app.get<{ Params: { name: string } }>('/assets/:name', async ({ params: { name } }, reply) => {
    // A newer build may have replaced the folder, and nodes that have already restarted send pages that need the new files.
    if (!names.has(name) && isAssetName(name) && fs.existsSync(path.join(folder, name))) names.add(name)
    return names.has(name) ? reply.sendFile(name, folder) : reply.callNotFound()
  })
}

type Headers = Record<string, string>

/** Security headers for every response. API responses except the docs get a policy that allows nothing. */
async function addSecurityHeaders(app: FastifyInstance, config: Config, clock: Clock): Promise<void> {
  const forPages = await pageHeaders(config, clock)
  const forFiles = plainHeaders(forPages)
  const forCalls = { ...forFiles, 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request
    if (url.startsWith('/api/') && !url.startsWith('/api/docs')) reply.headers(forCalls)
    else reply.headers(isPartOfPage(url) ? forFiles : forPages)
    done()
  })
}

/** The page's policy covers its assets except workers, which get their policy with their script. */
const isPartOfPage = (url: string) => url.startsWith('/assets/') && !url.includes('worker')

function plainHeaders(forPages: Headers): Headers {
  const names = [
    'strict-transport-security',
    'x-content-type-options',
    'x-frame-options',
    'referrer-policy',
    'cross-origin-resource-policy',
  ]
  return Object.fromEntries(Object.entries(forPages).filter(([name]) => names.includes(name)))
}

/** Captured once, because Helmet would rebuild its constant headers for every response. */
async function pageHeaders(config: Config, clock: Clock): Promise<Headers> {
  const once = Fastify()
  await registerHelmet(once, config, clock)
  once.get('/', async () => '')
  const { headers } = await once.inject('/')
  await once.close()
  const ofTheAnswer = ['content-length', 'content-type', 'date', 'connection']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheAnswer.includes(name))) as Headers
}

/** Allows no inline scripts, no eval, and nothing from other origins except the operator's map tiles and the payment providers' buttons. */
async function registerHelmet(app: FastifyInstance, config: Config, clock: Clock): Promise<void> {
  const tileOrigins = [config.map.tileUrl, config.map.pmtiles]
    .filter((url) => url !== undefined && URL.canParse(url))
    .map((url) => new URL(url as string).origin)
  const providers = providerPages(config, clock)
  const providerOrigins = providers.flatMap(({ origins }) => origins)
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...providerOrigins],
        styleSrc: ["'self'", ...(providers.some(({ writesStyles }) => writesStyles) ? ["'unsafe-inline'"] : [])],
        imgSrc: ["'self'", 'data:', 'blob:', ...tileOrigins, ...providerOrigins],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...tileOrigins, ...providerOrigins],
        ...(providers.length > 0 ? { frameSrc: providerOrigins } : {}),
        workerSrc: ["'self'"],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(config.isHttps ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: config.isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: providers.some(({ opensWindow }) => opensWindow) ? 'same-origin-allow-popups' : 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    // With this policy, the operator's tile server would have to opt in.
    crossOriginEmbedderPolicy: false,
  })
}
