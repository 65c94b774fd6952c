import { createRequire } from 'node:module'
import { sql } from 'kysely'
import type { Health } from '../../../contracts/admin.ts'
import type { Db } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

/** How the system is: figures, and nothing of anybody's. */
export async function getHealth({ db, clock, config, jobs, payments }: Context): Promise<Health> {
  const [database, queues, media, lastImport, counts] = await Promise.all([
    databaseState(db),
    jobs.desk.queues(),
    mediaState(db),
    lastLicenseImport(db),
    countThings(db, clock.now()),
  ])
  const sum = (of: (queue: (typeof queues)[number]) => number) => queues.reduce((total, queue) => total + of(queue), 0)
  const oldest = queues.flatMap(({ oldestWaitingAt }) => oldestWaitingAt ?? []).sort((a, b) => a.getTime() - b.getTime())[0]
  return {
    version,
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    node: process.version,
    memoryBytes: process.memoryUsage.rss(),
    database,
    jobs: {
      waiting: sum(({ waiting, retrying }) => waiting + retrying),
      running: sum(({ running }) => running),
      failed: sum(({ failed }) => failed),
      oldestWaitingAt: oldest?.toISOString() ?? null,
    },
    media: { storage: config.s3 ? 's3' : 'folder', ...media },
    mail: config.smtpUrl ? 'smtp' : 'outbox',
    payments: [...payments.offered],
    lastLicenseImport: lastImport,
    counts,
  }
}

async function databaseState(db: Db): Promise<Health['database']> {
  const { rows } = await sql<{
    version: string
    bytes: number
    connections: number
    most: number
    migrations: number
    last: string | null
  }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as most,
      (select count(*)::int from kysely_migration) as migrations, (select max(name) from kysely_migration) as last`.execute(db)
  const [row] = rows as [(typeof rows)[number]]
  const { version, bytes, connections, migrations } = row
  return { version, bytes: Number(bytes), connections, maxConnections: row.most, migrations, lastMigration: row.last }
}

async function mediaState(db: Db): Promise<Omit<Health['media'], 'storage'>> {
  const { rows } = await sql<Omit<Health['media'], 'storage'>>`
    select count(*) filter (where status = 'ready')::int as files, coalesce(sum(byte_size) filter (where status = 'ready'), 0)::float8 as bytes,
      count(*) filter (where status in ('receiving', 'processing'))::int as unfinished, count(*) filter (where status = 'failed')::int as failed
    from media`.execute(db)
  return rows[0] as Omit<Health['media'], 'storage'>
}

async function lastLicenseImport(db: Db): Promise<Health['lastLicenseImport']> {
  const row = await db
    .selectFrom('license_imports')
    .select(['source', 'started_at', 'finished_at', 'rows_read', 'rows_refused'])
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { source, rows_read: rowsRead, rows_refused: rowsRefused } = row
  return { source, startedAt: row.started_at.toISOString(), finishedAt: row.finished_at?.toISOString() ?? null, rowsRead, rowsRefused }
}

async function countThings(db: Db, now: Date): Promise<Health['counts']> {
  const { rows } = await sql<Health['counts']>`
    select (select count(*)::int from users) as people, (select count(*)::int from businesses) as businesses,
      (select count(*)::int from communities where visibility <> 'private') as communities,
      (select count(*)::int from sessions where expires_at > ${now}::timestamptz) as sessions`.execute(db)
  return rows[0] as Health['counts']
}
