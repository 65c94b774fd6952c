import pino from 'pino'
import { type Config, loadConfig } from '../config.ts'
import { errorLine, ToldError } from '../error-line.ts'
import { createLog, type Logger } from '../log.ts'
import { keptSecret } from '../secrets.ts'
import { onStopRequest } from '../stop-request.ts'

/** How long work may take to stop half-way. */
const patienceMs = 3000

export type CommandFrame = { config: Config; log: Logger; signal: AbortSignal }

export type CommandOptions = {
  /** Answers the session secret of a data folder, where SESSION_SECRET is unset. */
  secretOf?: (dataDir: string) => string
  /** What to tell whoever stops the command. */
  stopped?: string
}

/**
 * The frame of every command: reads the configuration, runs `work`, and sets the exit code. A failure is one line for people;
 * LOG_LEVEL=debug shows where it comes from. `signal` is aborted by SIGINT and SIGTERM, for work that can stop half-way; what does
 * not look at it is ended a moment later.
 */
export async function runCommand(work: (frame: CommandFrame) => Promise<void>, options: CommandOptions = {}): Promise<void> {
  const { secretOf = keptSecret, stopped = 'Stopped.' } = options
  const stop = new AbortController()
  const endStopped = () => {
    console.error(stopped)
    process.exit(130)
  }
  onStopRequest({
    first() {
      stop.abort(new ToldError(stopped))
      setTimeout(endStopped, patienceMs).unref()
    },
    again: endStopped,
  })
  let isDetailed = false
  try {
    const config = loadConfig(process.env, secretOf)
    isDetailed = ['debug', 'trace'].includes(config.logLevel)
    // A command speaks to a person on standard output; from the log only what goes wrong, and beside it.
    const log = createLog(isDetailed ? config : { logLevel: 'warn' }, pino.destination({ dest: 2, sync: true }))
    await work({ config, log, signal: stop.signal })
    if (stop.signal.aborted) process.exitCode = 130
  } catch (error) {
    process.exitCode = stop.signal.aborted ? 130 : 1
    console.error(stop.signal.aborted ? stopped : errorLine(error))
    if (isDetailed) console.error(error)
  }
}
