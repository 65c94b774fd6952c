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
import { keptSecret } from './secrets.ts'
import { onStopRequest } from './stop-request.ts'

/** A load balancer needs a moment to notice that we are not ready any more; until then we take its requests. */
const graceMs = 1500
/** What is still being answered then is cut off. With the grace and the database's stop this keeps within ten seconds. */
const longestDrainMs = 5500
const longestStopMs = 10_000

/** What to undo, the last first, when this process ends. */
const undo: (() => Promise<unknown>)[] = []
let isStopping = false
let isStopRequested = false

const firstWaitMs = 250
const longestWaitMs = 5000

async function start(): Promise<void> {
  const config = loadConfig(process.env, keptSecret)
  // A terminal is for people: only what goes wrong, unless they ask for more.
  const tracing = config.tracing && (await import('./tracing/index.ts')).createTracing(config.tracing)
  const logLevel = process.stdout.isTTY && !process.env.LOG_LEVEL ? 'warn' : config.logLevel
  const log = createLog({ logLevel }, undefined, tracing?.logFields)
  if (tracing) {
    tracing.reportTo((err) => log.warn({ err }, 'the collector of traces takes none'))
    undo.push(() => tracing.stop())
  }
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void stop(1)
  })

  // A database that was there once comes back: this process waits for it, unready, instead of ending.
  const persist = async <Answer>(step: () => Promise<Answer>): Promise<Answer> => {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      try {
        return await step()
      } catch (error) {
        if (isStopRequested || isStopping || !isDatabaseAway(error)) throw error
        log.warn({ err: error, waitMs }, 'the database went away during the start, which goes on when it is back')
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
  console.log(config.jobs === 'only' ? `${config.brandName} is ready to do jobs` : `${config.brandName} is ready at ${config.publicUrl}`)
}

/** Readiness first, then no new connections, then the rest of the answers, then all that the app started. */
async function drain(app: FastifyInstance, setDraining: () => void, config: Config): Promise<void> {
  setDraining()
  // Nobody balances the load of what runs in a terminal or for development.
  if (config.isProduction && !process.stdout.isTTY && app.server.listening) await sleep(graceMs)
  const cutOff = setTimeout(() => app.server.closeAllConnections(), longestDrainMs)
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

/** Should something not come to an end: the database has a watchdog, which stops it when we are gone. */
function limitStop(): void {
  setTimeout(() => process.exit(1), longestStopMs).unref()
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
