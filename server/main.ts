import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app/build-app.ts'
import { fillNewDatabase } from './app/first-start.ts'
import { type Config, loadConfig } from './config.ts'
import { openDatabase } from './db/open-database.ts'
import { isDatabaseAway } from './db/pool.ts'
import { errorLine } from './error-line.ts'
import { endUnprovenVerifications } from './features/verification/index.ts'
import { assertCanListen, listen } from './listen.ts'
import { createLog } from './log.ts'
import { storedSecret } from './secrets.ts'
import { onStopRequest } from './stop-request.ts'

/** Load balancers take a moment to notice that we aren't ready; until then we accept their requests. */
const graceMs = 1500
/** Requests still running after this are aborted. Together with the grace period and the database's stop, this stays within ten seconds. */
const maxDrainMs = 5500
const maxStopMs = 10_000

const undo: (() => Promise<unknown>)[] = []
let isStopping = false
let isStopRequested = false

const firstWaitMs = 250
const maxWaitMs = 5000

async function start(): Promise<void> {
  const config = loadConfig(process.env, storedSecret)
  // On a terminal, log only problems, unless LOG_LEVEL is set.
  const tracing = config.tracing && (await import('./tracing/index.ts')).createTracing(config.tracing)
  const logLevel = process.stdout.isTTY && !process.env.LOG_LEVEL ? 'warn' : config.logLevel
  const log = createLog({ logLevel }, undefined, tracing?.logFields)
  if (tracing) {
    tracing.reportTo((err) => log.warn({ err }, 'the trace collector accepts no traces'))
    undo.push(() => tracing.stop())
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void stop(1)
  })

  // If the database was reachable before, wait for it to come back, unready, instead of exiting.
  const persist = async <Answer>(step: () => Promise<Answer>): Promise<Answer> => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
      try {
        return await step()
      } catch (error) {
        if (isStopRequested || isStopping || !isDatabaseAway(error)) throw error
        log.warn({ err: error, waitMs }, 'lost the database during the start; continuing when it is back')
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

/** Exits even if something hangs. The database has a watchdog that stops it after us. */
function limitStop(): void {
  setTimeout(() => process.exit(1), maxStopMs).unref()
}

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
