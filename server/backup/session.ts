import pg from 'pg'
import type { Config } from '#server/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import type { Logger } from '#server/log.ts'

/**
 * The text form of values depends on session settings. These settings make it the same on every server and preserve the precision of
 * numbers and times.
 */
const settings = [
  `set client_encoding = 'UTF8'`,
  `set datestyle = 'ISO, YMD'`,
  `set intervalstyle = 'postgres'`,
  `set timezone = 'UTC'`,
  'set extra_float_digits = 1',
  `set bytea_output = 'hex'`,
  // No timeouts, because copying a large table or rebuilding its indexes takes a long time.
  'set statement_timeout = 0',
  'set idle_in_transaction_session_timeout = 0',
]

export async function withSession<Answer>(url: string, work: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: url, application_name: 'sungrove backup', keepAlive: true })
  // The next query reports a lost connection.
  client.on('error', () => {})
  await client.connect()
  try {
    for (const setting of settings) await client.query(setting)
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Provides the URL of the configured database, starting or attaching to the embedded one while `work` runs. Runs no migrations, because a
 * backup before an upgrade must contain the old state and a restore runs its own.
 */
export async function withBareDatabase<Answer>(config: Config, log: Logger, work: (url: string) => Promise<Answer>): Promise<Answer> {
  if (config.databaseUrl) return work(config.databaseUrl)
  const say = { info: (message: string) => log.info(message), warn: (message: string) => log.warn(message) }
  const embedded = await startEmbedded({ dataDir: config.dataDir, as: 'command', log: say })
  return work(embedded.url).finally(() => embedded.stop())
}
