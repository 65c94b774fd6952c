import type { Config } from '#server/config.ts'
import type { Logger } from '#server/log.ts'
import { type ConnectionSettings, connect, type Database } from './connect.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { assertNotHalfRestored, assertSafe, migrate } from './migrate.ts'

export type OpenDatabase = Database & {
  url: string
  migrated: string[]
}

/**
 * Opens the configured database: DATABASE_URL, or the embedded one (started or attached to). Checks that it is safe and migrates
 * it. `close` ends the pool and stops whatever was started.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  options: Pick<EmbeddedOptions, 'as' | 'onLost'> &
    Pick<ConnectionSettings, 'applicationName' | 'onQuery'> & {
      /** Retries steps interrupted by a lost database. The first contact isn't retried, because its failure means a wrong configuration. */
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
