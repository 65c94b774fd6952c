import type { Config } from '../config.ts'
import { startEmbedded } from '../db/embedded.ts'
import type { Logger } from '../log.ts'

/**
 * The address of the configured database, with the embedded one started or attached to for as long as `work` takes. It is left at the
 * migrations that it has: a backup before an upgrade is of what was before, and a restore brings its own.
 */
export async function withBareDatabase<Answer>(config: Config, log: Logger, work: (url: string) => Promise<Answer>): Promise<Answer> {
  if (config.databaseUrl) return work(config.databaseUrl)
  const say = { info: (message: string) => log.info(message), warn: (message: string) => log.warn(message) }
  const embedded = await startEmbedded({ dataDir: config.dataDir, as: 'command', log: say })
  return work(embedded.url).finally(() => embedded.stop())
}
