import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '#server/config.ts'
import type { Logger } from '#server/log.ts'
import { type ConnectionSettings, connect, type Database } from './connect.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { assertRestoreComplete, assertSafe, isLockTimeout, migrate, warnOfMissingLimits } from './migrate.ts'
import { createReads, primaryOnly, type Reads } from './replicas.ts'

export type OpenDatabase = Database & {
  url: string
  reads: Reads
  migrated: string[]
}

/** The wait between attempts to migrate while a table is in use. Each attempt delays the queries queued behind it. */
const lockedWaitMs = 60_000

/** A server waits until a table is free, for example until a backup ends. Commands fail instead. */
async function migrateWhenFree(url: string, log: Logger, as: EmbeddedOptions['as']): Promise<string[]> {
  for (;;) {
    try {
      return await migrate(url)
    } catch (error) {
      if (as !== 'server' || !isLockTimeout(error)) throw error
      log.warn({ err: error, waitMs: lockedWaitMs }, 'a table that a migration changes is in use; trying again')
    }
    await sleep(lockedWaitMs)
  }
}

/**
 * Opens the configured database: DATABASE_URL, or the embedded one (started or attached to). Checks that it is safe and migrates it.
 * `close` ends the pool and stops whatever was started.
 */
export async function openDatabase(
  config: Config,
  log: Logger,
  options: Pick<EmbeddedOptions, 'as' | 'onLost'> &
    Pick<ConnectionSettings, 'applicationName' | 'onQuery'> & {
      /**
       * Retries steps that a lost database interrupted. The first contact isn't retried, so that a wrong configuration is reported at once.
       */
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
  const settings = { ...config, ...(applicationName ? { applicationName } : {}), onQuery }
  const database = connect(url, settings, log)
  let reads = primaryOnly(database.db)
  const close = async () => {
    await reads.close()
    await database.close()
    await embedded?.stop()
  }
  try {
    await assertRestoreComplete(database.db)
    await persist(() => assertSafe(database.db))
    await persist(() => warnOfMissingLimits(database.db, config, log))
    const migrated = await persist(() => migrateWhenFree(url, log, options.as))
    for (const name of migrated) log.debug({ migration: name }, 'migrated')
    // The first start applies all migrations, and their names would fill the screen.
    if (migrated.length > 0) log.info({ migrations: migrated.length, last: migrated.at(-1) }, 'the database was migrated')
    // Only a server that answers requests uses replicas, because no one waits for the reads of commands and jobs. From here on, replicas
    // are compared with the primary, so they have the migrations.
    const urls = options.as === 'server' && config.jobs !== 'only' ? config.databaseReplicaUrls : []
    if (urls.length > 0) {
      reads = createReads({ urls, primary: { url, database }, settings, log })
      // Replicas serve only after they have been compared with the primary. If the primary were lost before that, none could ever serve.
      await reads.position()
    }
    return { ...database, url, reads, migrated, close }
  } catch (error) {
    await close()
    throw error
  }
}
