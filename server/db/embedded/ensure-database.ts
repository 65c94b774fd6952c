import pg from 'pg'

/**
 * The application signs in as a role of its own, which owns the database of its name and nothing else.
 *
 * @param url the cluster that was just started, as its superuser
 */
export async function ensureDatabase(url: string, role: string, password: string): Promise<void> {
  const client = new pg.Client(url)
  // A connection that is lost between two statements, or in one, shows at the statement; without a listener it would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [role])
    if (rowCount) return
    await client.query(`drop role if exists ${role}`)
    await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`)
    await client.query(`create database ${role} owner ${role}`)
  } catch (error) {
    const isRefused = error instanceof pg.DatabaseError && error.severity !== 'FATAL'
    if (isRefused) throw error
    throw new Error(`The database stopped again while it was being started (${(error as Error).message}).`, { cause: error })
  } finally {
    await client.end().catch(() => {})
  }
}
