import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Config } from '#server/config.ts'
import type { Logger } from '#server/log.ts'
import { createPool } from './pool.ts'
import { preparingClient } from './prepared.ts'
import type { DB } from './schema.ts'

export type { DB }
/** For reads, and for single-statement writes. */
export type Db = Kysely<DB>
/** For functions that must run in a transaction. */
export type Tx = Transaction<DB>

export type Database = {
  db: Db
  /** For other users of the database: the job queue and the rate limiter. */
  pool: pg.Pool
  close(): Promise<void>
}

export type ConnectionSettings = Pick<Config, 'databasePoolSize' | 'statementTimeoutMs' | 'lockTimeoutMs'> & {
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** Called after each query with its text, but not its values. */
  onQuery?: ((text: string, ms: number, isError: boolean) => void) | undefined
}

/**
 * Opens a pool; connections are made on demand.
 *
 * Lost idle connections are logged and replaced. A query fails if its connection is lost, or if it waits 10 s for a free one.
 */
export function connect(url: string, settings: ConnectionSettings, log: Pick<Logger, 'warn'>): Database {
  const pool = createPool(
    {
      connectionString: url,
      types: typeParsers,
      max: settings.databasePoolSize,
      // Idle connections are kept for a while, because closing one loses its prepared statements.
      idleTimeoutMillis: 300_000,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      application_name: settings.applicationName ?? 'sungrove',
      statement_timeout: settings.statementTimeoutMs,
      lock_timeout: settings.lockTimeoutMs,
      // Transactions only talk to the database; one that is idle for this long holds locks for no reason.
      idle_in_transaction_session_timeout: Math.max(settings.statementTimeoutMs, 10_000),
    },
    log,
    preparingClient(),
  )
  let closing: Promise<void> | undefined
  const { onQuery } = settings
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && { log: ({ level, query, queryDurationMillis }) => onQuery(query.sql, queryDurationMillis, level === 'error') }),
  })
  return {
    db,
    pool,
    close() {
      closing ??= pool.end()
      return closing
    },
  }
}

const { builtins } = pg.types

/** Parses bigint, the type of counts and sums. Throws if it isn't exact as a JavaScript number. */
export function parseInt8(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The bigint ${text} doesn't fit a JavaScript number; select it as text.`)
  return number
}

/**
 * Columns that we parse differently from pg:
 * - bigint: a number (pg: text)
 * - numeric: a number (pg: text). Averages and ratings are numeric; anything exact, such as money, is an integer.
 * - date: the text 'YYYY-MM-DD' (pg: midnight in the machine's time zone, which is another day elsewhere)
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInt8],
  [builtins.NUMERIC, Number],
  [builtins.DATE, String],
])

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}
