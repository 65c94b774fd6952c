import pg from 'pg'
import type { Config } from '#server/config.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import type { Logger } from '#server/log.ts'

/**
 * The text form of values depends on session settings. With these it is the same on every server, and numbers and times lose no
 * precision.
 */
const settings = [
  `set client_encoding = 'UTF8'`,
  `set datestyle = 'ISO, YMD'`,
  `set intervalstyle = 'postgres'`,
  `set timezone = 'UTC'`,
  'set extra_float_digits = 1',
  `set bytea_output = 'hex'`,
  // No timeouts; files may be copied between two statements.
  'set statement_timeout = 0',
  'set idle_in_transaction_session_timeout = 0',
]

/** Runs `work` on a dedicated connection. */
export async function withSession<Answer>(url: string, work: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: url, application_name: 'sungrove backup', keepAlive: true })
  // A lost connection shows at the next query.
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
 * The URL of the configured database, starting or attaching to the embedded one while `work` runs. Runs no migrations: a backup
 * before an upgrade must be of the old state, and a restore brings its own.
 */
export async function withBareDatabase<Answer>(config: Config, log: Logger, work: (url: string) => Promise<Answer>): Promise<Answer> {
  if (config.databaseUrl) return work(config.databaseUrl)
  const say = { info: (message: string) => log.info(message), warn: (message: string) => log.warn(message) }
  const embedded = await startEmbedded({ dataDir: config.dataDir, as: 'command', log: say })
  return work(embedded.url).finally(() => embedded.stop())
}
