import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { type ConnectionSettings, connect, type Database } from './connect.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { assertNotHalfRestored, assertSafe } from './safety.ts'

export type OpenDatabase = Database & {
  url: string
  /** The migrations that opening it applied. */
  migrated: string[]
}

/**
 * The configured database, ready for use: DATABASE_URL, or the embedded one started or attached to; found safe, and
 * migrated. `close` ends the pool and stops what was started.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  options: Pick<EmbeddedOptions, 'as' | 'onLost'> &
    Pick<ConnectionSettings, 'applicationName' | 'onQuery'> & {
      /** Repeats what a database that went away broke off. Only the first contact is not repeated: it shows a wrong configuration. */
      persist?: <Answer>(step: () => Promise<Answer>) => Promise<Answer>
    },
): Promise<OpenDatabase> {
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbedded({
        dataDir: config.dataDir,
        as: options.as,
        log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
        ...(options.onLost ? { onLost: options.onLost } : {}),
      })
  const url = config.databaseUrl ?? (embedded?.url as string)
  const { applicationName, onQuery, persist = (step) => step() } = options
  const database = connect(url, { ...config, ...(applicationName ? { applicationName } : {}), onQuery }, log)
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  try {
    await assertNotHalfRestored(database.db)
    await persist(() => assertSafe(database.db))
    const migrated = await persist(() => migrate(url))
    for (const name of migrated) log.info({ migration: name }, 'migrated')
    return { ...database, url, migrated, close }
  } catch (error) {
    await close()
    throw error
  }
}
