import pg from 'pg'

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
