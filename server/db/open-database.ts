import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { connect, type Database } from './connect.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'
import { assertSafe } from './safety.ts'

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
  options: Pick<EmbeddedOptions, 'as' | 'onLost'> & { applicationName?: string },
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
  const database = connect(url, { ...config, ...(options.applicationName ? { applicationName: options.applicationName } : {}) }, log)
  const close = async () => {
    await database.close()
    await embedded?.stop()
  }
  try {
    await assertSafe(database.db)
    const migrated = await migrate(url)
    for (const name of migrated) log.info({ migration: name }, 'migrated')
    return { ...database, url, migrated, close }
  } catch (error) {
    await close()
    throw error
  }
}
