import pg from 'pg'
import { startEmbedded } from '#server/db/embedded.ts'
import type {} from '#server/features/accounts/accounts.jobs.ts'
import type { JobData, JobName } from '#server/kernel/jobs.ts'

/** Inserts a job whose last attempt failed, into the database of the server under test. */
export async function failJob<Name extends JobName>(name: Name, data: JobData[Name], message: string): Promise<void> {
  const dataDir = process.env.E2E_DATA_DIR as string
  const database = await startEmbedded({ dataDir, as: 'command', log: { info() {}, warn() {} } })
  const client = new pg.Client(database.url)
  try {
    await client.connect()
    await client.query(
      `insert into pgboss.job (name, policy, data, state, retry_count, retry_limit, created_on, started_on, completed_on, output)
       values ($1, 'standard', $2, 'failed', 6, 6, now() - interval '1 hour', now(), now(), $3)`,
      [name, JSON.stringify(data), JSON.stringify({ message })],
    )
  } finally {
    await client.end()
    await database.stop()
  }
}
