import { hash } from 'node:crypto'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Manifest, tablesOf } from './format.ts'

/** The migrator's own tables. A restore fills them by running the migrations. */
const notCopied = ['kysely_migration', 'kysely_migration_lock']

export type TableColumns = { name: string; columns: string[] }

/**
 * The application's tables with their stored columns. Generated columns are computed again. A partitioned table counts as one: its rows
 * go to the partition that the migrations created, and the job that creates monthly partitions moves them.
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

/** The columns that define a job and its time. All others are pg-boss's bookkeeping, differ between its releases, and have defaults. */
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

/** Excludes pg-boss's internal jobs, whose names start with two underscores. */
const ourJobs = `state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_%'`

/** Waiting, running and permanently failed jobs. Null if the queue has never been used. */
export async function waitingJobs(client: pg.Client): Promise<(TableColumns & { queues: string[] }) | null> {
  const known = await client.query<{ known: boolean }>(`select to_regclass('pgboss.job') is not null as known`)
  if (!known.rows[0]?.known) return null
  const { rows } = await client.query<{ name: string }>(`select distinct name from ${jobsTable} where ${ourJobs} order by name`)
  return { name: jobsTable, columns: jobColumns, queues: rows.map((row) => row.name) }
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ')
const tableName = (name: string) => (name === jobsTable ? jobsTable : quoted([name]))

export const copyInto = ({ name, columns }: TableColumns): string => `copy ${tableName(name)} (${quoted(columns)}) from stdin`

export function readRows(client: pg.Client, { name, columns }: TableColumns): AsyncIterable<Buffer> {
  const which = name === jobsTable ? ` where ${ourJobs}` : ''
  return client.query(copyTo(`copy (select ${quoted(columns)} from ${tableName(name)}${which}) to stdout`)) as AsyncIterable<Buffer>
}

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

const lineFeed = 10

/**
 * Counts and sums lines of PostgreSQL's COPY text format, one per row. The sum of the rows' SHA-256 (eight 32-bit numbers, each summed
 * separately) doesn't depend on the order of rows, which a table doesn't define.
 */
export function createRowDigest() {
  const sums = new Uint32Array(8)
  let rows = 0
  let rest: Buffer[] = []

  const add = (line: Buffer) => {
    const digest = hash('sha256', line, 'buffer')
    for (let lane = 0; lane < 8; lane++) sums[lane] = (sums[lane] as number) + digest.readUInt32BE(lane * 4)
    rows++
  }

  return {
    update(chunk: Buffer): void {
      let from = 0
      for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
        const end = chunk.subarray(from, to)
        add(rest.length > 0 ? Buffer.concat([...rest, end]) : end)
        rest = []
        from = to + 1
      }
      if (from < chunk.length) rest.push(chunk.subarray(from))
    },
    /** Excludes an incomplete line. */
    value: () => ({ rows, digest: [...sums].map((sum) => sum.toString(16).padStart(8, '0')).join('') }),
  }
}

export type TableComparison = { name: string; expectedRows: number; rows: number; isSame: boolean }

export async function compareTables(client: pg.Client, manifest: Manifest): Promise<TableComparison[]> {
  const compared: TableComparison[] = []
  for (const table of tablesOf(manifest)) {
    const { rows, digest } = await digestTable(client, table)
    compared.push({ name: table.name, expectedRows: table.rows, rows, isSame: rows === table.rows && digest === table.digest })
  }
  return compared
}
