import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { buildApp } from './app/build-app.ts'
import { type Config, findDoubtfulSettings, loadConfig } from './config.ts'
import { isDatabaseUnavailable } from './db/connect.ts'
import { openDatabase } from './db/open-database.ts'
import { errorLine, UserFacingError } from './error-line.ts'
import { storeIssuers } from './features/accounts/index.ts'
import { warnOfUnreachable } from './features/billing/index.ts'
import { loadDemo } from './features/demo/index.ts'
import { checkRegisters, loadShippedDirectory } from './features/directory/index.ts'
import { computeTrends } from './features/home/index.ts'
import { endUnprovenVerifications } from './features/verification/index.ts'
import type { Context } from './kernel/context.ts'
import { createLog } from './log.ts'
import { storedSecret } from './secrets.ts'
import { onStopRequest } from './stop-request.ts'

/** Load balancers take a moment to notice that the server isn't ready. Until then, it accepts their requests. */
const graceMs = 1500
/**
 * Requests still running after this time are aborted. Together with the grace period and the database's stop, that takes less than ten
 * seconds.
 */
const maxDrainMs = 5500
const maxStopMs = 10_000

const undo: (() => Promise<unknown>)[] = []
let isStopping = false
let isStopRequested = false

const firstWaitMs = 250
const maxWaitMs = 5000

async function start(): Promise<void> {
  const config = loadConfig(process.env, storedSecret)
  const tracing = config.tracing && (await import('./tracing/index.ts')).createTracing(config.tracing)
  // On a terminal, logs only problems, unless LOG_LEVEL is set.
  const logLevel = process.stdout.isTTY && !process.env.LOG_LEVEL ? 'warn' : config.logLevel
  const log = createLog({ logLevel }, undefined, tracing?.logFields)
  if (tracing) {
    tracing.reportTo((err) => log.warn({ err }, "the trace collector isn't accepting traces"))
    undo.push(() => tracing.stop())
  }
  for (const doubt of findDoubtfulSettings(config)) log.warn(doubt)
  await checkRegisters(config.licenseRegisters)
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void stop(1)
  })

  // If the database was reachable before, the process doesn't exit but is unready until the database is reachable again.
  const persist = async <Answer>(step: () => Promise<Answer>): Promise<Answer> => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
      try {
        return await step()
      } catch (error) {
        if (isStopRequested || isStopping || !isDatabaseUnavailable(error)) throw error
        log.warn({ err: error, waitMs }, 'lost the database during startup; continuing when it is back')
      }
      await sleep(waitMs)
    }
  }

  await assertCanListen(config)
  const database = await openDatabase(config, log, {
    as: 'server',
    persist,
    onQuery: tracing?.onQuery,
    onLost(reason) {
      console.error(reason)
      void stop(1)
    },
  })
  undo.push(() => database.close())

  const { app, ctx, setPhase, startJobs } = await buildApp({ config, database, log, tracing })
  undo.push(() => drain(app, () => setPhase('draining'), config))
  setPhase('starting')
  await persist(() => fillNewDatabase(ctx, console.log))
  await persist(() => endUnprovenVerifications(ctx))
  await persist(() => storeIssuers(ctx))
  await persist(() => warnOfUnreachable(ctx))
  await listen(app, config)
  if (config.jobs !== 'off') await persist(startJobs)
  setPhase('serving')
  console.log(config.jobs === 'only' ? `${config.brandName} is ready to run jobs` : `${config.brandName} is ready at ${config.publicUrl}`)
}

/** Becomes unready first, then stops accepting connections, completes running requests, and stops what the app started. */
async function drain(app: FastifyInstance, setDraining: () => void, config: Config): Promise<void> {
  setDraining()
  // There is no load balancer in development or on a terminal.
  if (config.isProduction && !process.stdout.isTTY && app.server.listening) await sleep(graceMs)
  const cutOff = setTimeout(() => app.server.closeAllConnections(), maxDrainMs)
  await app.close()
  clearTimeout(cutOff)
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return
  isStopping = true
  limitStop()
  let code = exitCode
  for (const step of undo.toReversed()) {
    await step().catch((error: unknown) => {
      console.error(errorLine(error))
      code = 1
    })
  }
  process.exit(code)
}

/** Exits even if something hangs. The database has a watchdog that stops it afterward. */
function limitStop(): void {
  setTimeout(() => process.exit(1), maxStopMs).unref()
}

const hasDemo = async ({ db }: Context): Promise<boolean> =>
  (await db.selectFrom('users').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst()) !== undefined

/**
 * The queue of pending connections. During a burst, a shorter queue would drop some connections, and their clients would retry only after a
 * second.
 */
const backlog = 4096

const starting = start().catch((error: unknown) => {
  if (isStopRequested) return stop(0)
  console.error(errorLine(error))
  if (process.env.LOG_LEVEL === 'debug') console.error(error)
  return stop(1)
})
onStopRequest({
  first() {
    isStopRequested = true
    limitStop()
    void starting.then(() => stop(0))
  },
  again: () => process.exit(1),
})

type ListenAddress = Pick<Config, 'host' | 'port'>

/** Fails early, before the slow parts of startup, if the port can't be used. */
async function assertCanListen(place: ListenAddress): Promise<void> {
  await onUsableHost(place, ({ host, port }) => {
    const probe = net.createServer()
    return new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.listen({ host, port }, () => probe.close(() => resolve()))
    })
  })
}

async function listen(app: FastifyInstance, place: ListenAddress): Promise<void> {
  await onUsableHost(place, ({ host, port }) => app.listen({ host, port, backlog }))
}

/** @throws {UserFacingError} that explains how to fix it */
async function onUsableHost({ host, port }: ListenAddress, open: (place: ListenAddress) => Promise<unknown>): Promise<void> {
  try {
    await open({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // "::" means all addresses of the machine. Without IPv6, uses all IPv4 addresses.
    if (host === '::' && (code === 'EAFNOSUPPORT' || code === 'EADDRNOTAVAIL')) return onUsableHost({ host: '0.0.0.0', port }, open)
    if (code === 'EADDRINUSE')
      throw new UserFacingError(`Port ${port} is in use. Stop the program that uses it, or choose another one: PORT=${port + 1} npm start`)
    if (code === 'EACCES') throw new UserFacingError(`Port ${port} is not open to this user. Choose one above 1023: PORT=3000 npm start`)
    throw new UserFacingError(`Can't listen on ${host}, port ${port}: ${message}`)
  }
}

/**
 * Fills a new database with the bundled license register and, if enabled, the demo content before the first visit. The demo content is
 * loaded only into a database without businesses, so it doesn't come back after being removed.
 */
async function fillNewDatabase(ctx: Context, say: (line: string) => void): Promise<void> {
  const anyBusiness = await ctx.db.selectFrom('businesses').select('id').limit(1).executeTakeFirst()
  if (!anyBusiness) {
    if (ctx.config.demoData && ctx.config.isOnThisMachine) await loadDemo(ctx)
    else if (ctx.config.demoData)
      say('Not loading the demo content: its accounts have a public password, and PUBLIC_URL points beyond this machine.')
    // Trends are computed every 15 minutes, and the first visitor shouldn't wait for that.
    await computeTrends(ctx)
    say('Loading the license register…')
  }
  if (!ctx.config.isOnThisMachine && (await hasDemo(ctx))) {
    say(`Demo accounts can't sign in, because PUBLIC_URL points beyond this machine. Remove the demo content with "npm run demo:remove".`)
  }
  await loadShippedDirectory(ctx)
  // Autovacuum would take minutes to update the statistics. Until then, query plans would assume empty tables, and reading posts would take
  // twice as long.
  if (!anyBusiness) await sql`analyze`.execute(ctx.db)
}
