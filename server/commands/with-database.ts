import pino from 'pino'
import { type Config, loadConfig } from '../config.ts'
import { type OpenDatabase, openDatabase } from '../db/open-database.ts'
import { errorLine, ToldError } from '../error-line.ts'
import { createLog, type Logger } from '../log.ts'
import { keptSecret } from '../secrets.ts'
import { onStopRequest } from '../stop-request.ts'

export type CommandParts = {
  config: Config
  database: OpenDatabase
  db: OpenDatabase['db']
  pool: OpenDatabase['pool']
  log: Logger
  signal: AbortSignal
}

/** How long work may take to stop half-way. */
const patienceMs = 3000

/**
 * The frame of every command: reads the configuration, opens the database (attaching to a running server's, or starting
 * it for as long as the command runs), runs `work`, cleans up and sets the exit code. A failure is one line for people;
 * LOG_LEVEL=debug shows where it comes from. `signal` is aborted by SIGINT and SIGTERM, for work that can stop half-way.
 */
export async function withDatabase(work: (parts: CommandParts) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  let isDetailed = false
  let lost: string | undefined
  try {
    const config = loadConfig(process.env, keptSecret)
    isDetailed = ['debug', 'trace'].includes(config.logLevel)
    // A command speaks to a person on standard output; from the log only what goes wrong, and beside it.
    const log = createLog(isDetailed ? config : { logLevel: 'warn' }, pino.destination({ dest: 2, sync: true }))
    const database = await openDatabase(config, log, {
      as: 'command',
      applicationName: 'sungrove command',
      onLost: (reason) => {
        lost = reason
        stop.abort()
      },
    })
    onStopRequest({
      first() {
        stop.abort()
        // Work that does not look at the signal ends here; what it had not committed is undone.
        setTimeout(() => process.exit(130), patienceMs).unref()
      },
      again: () => process.exit(130),
    })
    try {
      await work({ config, database, db: database.db, pool: database.pool, log, signal: stop.signal })
    } finally {
      await database.close()
    }
    if (lost) throw new ToldError(lost)
    if (stop.signal.aborted) process.exitCode = 130
  } catch (error) {
    process.exitCode = 1
    console.error(lost ? `${lost} Run the command again.` : errorLine(error))
    if (isDetailed) console.error(error)
  }
}
