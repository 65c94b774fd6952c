import type { Config } from '#server/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import type { Logger } from '#server/log.ts'

/**
 * The URL of the configured database, starting or attaching to the embedded one while `work` runs. Runs no migrations: a backup
 * before an upgrade must be of the old state, and a restore brings its own.
 */
export async function withBareDatabase<Answer>(config: Config, log: Logger, work: (url: string) => Promise<Answer>): Promise<Answer> {
  if (config.databaseUrl) return work(config.databaseUrl)
  const say = { info: (message: string) => log.info(message), warn: (message: string) => log.warn(message) }
  const embedded = await startEmbedded({ dataDir: config.dataDir, as: 'command', log: say })
  return work(embedded.url).finally(() => embedded.stop())
}
