import pino from 'pino'
import { type Config, loadConfig } from '../config.ts'
import { errorLine } from '../error-line.ts'
import { createLog, type Logger } from '../log.ts'
import { onStopRequest } from '../stop-request.ts'

/** How long work may take to stop half-way. */
const patienceMs = 3000

export type CommandFrame = { config: Config; log: Logger; signal: AbortSignal }

/**
 * The frame of a command that opens the database in its own way: reads the configuration, runs `work`, and tells a failure in one
 * line (LOG_LEVEL=debug shows where it comes from). `signal` is aborted by SIGINT and SIGTERM.
 */
export async function runCommand(keptSecret: (dataDir: string) => string, work: (frame: CommandFrame) => Promise<void>): Promise<void> {
  const stop = new AbortController()
  onStopRequest({
    first() {
      stop.abort()
      setTimeout(() => process.exit(130), patienceMs).unref()
    },
    again: () => process.exit(130),
  })
  let isDetailed = false
  try {
    const config = loadConfig(process.env, keptSecret)
    isDetailed = ['debug', 'trace'].includes(config.logLevel)
    const log = createLog(isDetailed ? config : { logLevel: 'warn' }, pino.destination({ dest: 2, sync: true }))
    await work({ config, log, signal: stop.signal })
    if (stop.signal.aborted) process.exitCode = 130
  } catch (error) {
    process.exitCode = stop.signal.aborted ? 130 : 1
    console.error(stop.signal.aborted ? 'Stopped. Nothing was kept.' : errorLine(error))
    if (isDetailed) console.error(error)
  }
}
