import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { createRowDigest } from './row-digest.ts'

/** The migrator's own: a restored database has them from its migrations. */
const notCopied = ['kysely_migration', 'kysely_migration_lock']

export type TableColumns = { name: string; columns: string[] }

/**
 * Our tables with the columns that are written; what the database computes by itself it computes again. A table of partitions is one:
 * its rows arrive in the partition that the migrations made, and the job that makes the months' partitions moves them on.
 */
export async function ownTables(client: pg.Client): Promise<TableColumns[]> {
  const { rows } = await client.query<TableColumns>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1)
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by c.relname order by c.relname`,
    [notCopied],
  )
  return rows
}

export const jobsTable = 'pgboss.job'

/**
 * What of a job says what is to be done and when. The rest is the queue's own bookkeeping, differs between its releases, and has
 * defaults.
 */
const jobColumns = [
  'id',
  'name',
  'priority',
  'data',
  'state',
  'retry_limit',
  'retry_count',
  'retry_delay',
  'retry_backoff',
  'start_after',
  'created_on',
  'started_on',
  'completed_on',
  'output',
]

/** The queue's own jobs begin with two underscores, and come by themselves. */
const ourJobs = `state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%'`

/** The jobs that wait, run, or failed for good; null where the queue has never been used. */
export async function waitingJobs(client: pg.Client): Promise<(TableColumns & { queues: string[] }) | null> {
  const known = await client.query<{ known: boolean }>(`select to_regclass('pgboss.job') is not null as known`)
  if (!known.rows[0]?.known) return null
  const { rows } = await client.query<{ name: string }>(`select distinct name from ${jobsTable} where ${ourJobs} order by name`)
  return { name: jobsTable, columns: jobColumns, queues: rows.map((row) => row.name) }
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ')
const tableName = (name: string) => (name === jobsTable ? jobsTable : quoted([name]))

export const copyInto = ({ name, columns }: TableColumns): string => `copy ${tableName(name)} (${quoted(columns)}) from stdin`

/** The rows of a table in COPY's text format, as they are read. */
export function readRows(client: pg.Client, { name, columns }: TableColumns): AsyncIterable<Buffer> {
  const which = name === jobsTable ? ` where ${ourJobs}` : ''
  return client.query(copyTo(`copy (select ${quoted(columns)} from ${tableName(name)}${which}) to stdout`)) as AsyncIterable<Buffer>
}

/** Counts a table's rows and sums up their hashes. */
export async function digestTable(client: pg.Client, table: TableColumns): Promise<{ rows: number; digest: string }> {
  const digest = createRowDigest()
  for await (const chunk of readRows(client, table)) digest.update(chunk)
  return digest.value()
}

export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const known = await client.query<{ known: boolean }>(`select to_regclass('kysely_migration') is not null as known`)
  if (!known.rows[0]?.known) return []
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name')
  return rows.map((row) => row.name)
}
