import pg from 'pg'

const inUse = '55006'
const maxTries = 6

/** Runs statements on the maintenance database, such as creating or dropping a database. */
export async function administer(url: string, work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client(url)
  await admin.connect()
  await work(admin).finally(() => admin.end())
}

/**
 * Drops a database that the same role may still be connected to. Doesn't use `with (force)`, which fails while an autovacuum worker is
 * active, because only a superuser may terminate it. A plain drop asks the worker to stop and waits five seconds for it.
 */
export async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user and pid <> pg_backend_pid()',
      [name],
    )
    try {
      await admin.query(`drop database if exists ${name}`)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== inUse || attempt === maxTries) throw error
    }
  }
}
