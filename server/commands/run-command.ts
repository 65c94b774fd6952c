import pino from 'pino'
import { type Config, loadConfig } from '#server/config.ts'
import { type OpenDatabase, openDatabase } from '#server/db/open-database.ts'
import { errorLine, UserFacingError } from '#server/error-line.ts'
import { createLog, type Logger } from '#server/log.ts'
import { storedSecret } from '#server/secrets.ts'
import { onStopRequest } from '#server/stop-request.ts'

/** How long interrupted work may take to stop, in ms. */
const gracePeriodMs = 3000

export type CommandFrame = { config: Config; log: Logger; signal: AbortSignal }

export type CommandOptions = {
  /** Returns a data folder's session secret if SESSION_SECRET is unset. */
  secretOf?: (dataDir: string) => string
  stopped?: string
}

/**
 * Runs a command: reads the configuration, runs `work`, and sets the exit code. Prints errors as one line, or with the stack if
 * LOG_LEVEL=debug. SIGINT and SIGTERM abort `signal`, for work that can stop early. The process exits a moment later.
 */
export async function runCommand(work: (frame: CommandFrame) => Promise<void>, options: CommandOptions = {}): Promise<void> {
  const { secretOf = storedSecret, stopped = 'Stopped.' } = options
  const stop = new AbortController()
  const endStopped = () => {
    console.error(stopped)
    process.exit(130)
  }
  onStopRequest({
    first() {
      stop.abort(new UserFacingError(stopped))
      setTimeout(endStopped, gracePeriodMs).unref()
    },
    again: endStopped,
  })
  let isDetailed = false
  try {
    const config = loadConfig(process.env, secretOf)
    isDetailed = ['debug', 'trace'].includes(config.logLevel)
    // Commands write to standard output. The log goes to standard error and contains only problems.
    const log = createLog(isDetailed ? config : { logLevel: 'warn' }, pino.destination({ dest: 2, sync: true }))
    await work({ config, log, signal: stop.signal })
    if (stop.signal.aborted) process.exitCode = 130
  } catch (error) {
    process.exitCode = stop.signal.aborted ? 130 : 1
    console.error(stop.signal.aborted ? stopped : errorLine(error))
    if (isDetailed) console.error(error)
  }
}

type CommandParts = CommandFrame & {
  database: OpenDatabase
  db: OpenDatabase['db']
  pool: OpenDatabase['pool']
}

/**
 * Runs a command that needs the database: opens it (attaching to a running server's, or starting it while the command runs), migrates it,
 * runs `work`, and closes it. Losing the database also aborts `signal`.
 */
export const withDatabase = (work: (parts: CommandParts) => Promise<void>): Promise<void> =>
  runCommand(async ({ config, log, signal }) => {
    const gone = new AbortController()
    const database = await openDatabase(config, log, {
      as: 'command',
      applicationName: 'sungrove command',
      onLost: (reason) => gone.abort(new UserFacingError(`${reason} Run the command again.`)),
    })
    try {
      await work({ config, log, database, db: database.db, pool: database.pool, signal: AbortSignal.any([signal, gone.signal]) })
    } catch (error) {
      // The lost database explains more than the error it caused.
      gone.signal.throwIfAborted()
      throw error
    } finally {
      await database.close()
    }
    gone.signal.throwIfAborted()
  })
