import { type OpenDatabase, openDatabase } from '../db/open-database.ts'
import { ToldError } from '../error-line.ts'
import { type CommandFrame, runCommand } from './run-command.ts'

export type CommandParts = CommandFrame & {
  database: OpenDatabase
  db: OpenDatabase['db']
  pool: OpenDatabase['pool']
}

/**
 * The frame of a command that works on the database: opens it (attaching to a running server's, or starting it for as long as the
 * command runs), brings it up to date, runs `work`, and closes it. `signal` is aborted, too, when the database goes.
 */
export const withDatabase = (work: (parts: CommandParts) => Promise<void>): Promise<void> =>
  runCommand(async ({ config, log, signal }) => {
    const gone = new AbortController()
    const database = await openDatabase(config, log, {
      as: 'command',
      applicationName: 'sungrove command',
      onLost: (reason) => gone.abort(new ToldError(`${reason} Run the command again.`)),
    })
    try {
      await work({ config, log, database, db: database.db, pool: database.pool, signal: AbortSignal.any([signal, gone.signal]) })
    } catch (error) {
      // What failed because of it says less.
      gone.signal.throwIfAborted()
      throw error
    } finally {
      await database.close()
    }
    gone.signal.throwIfAborted()
  })
