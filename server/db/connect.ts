import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import type { Config } from '../config.ts'
import type { Logger } from '../log.ts'
import { createPool } from './pool.ts'
import { preparingClient } from './prepared.ts'
import type { DB } from './schema.ts'
import { typeParsers } from './types.ts'

export type { DB }
/** For reads, and for writes that need no atomicity beyond one statement. */
export type Db = Kysely<DB>
/** For what must be atomic: only a transaction will do. */
export type Tx = Transaction<DB>

export type Database = {
  db: Db
  /** For what is no query of ours: the job queue, the rate limiter. */
  pool: pg.Pool
  close(): Promise<void>
}

export type ConnectionSettings = Pick<Config, 'databasePoolSize' | 'statementTimeoutMs' | 'lockTimeoutMs'> & {
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** Called after each query with its text, without its values. */
  onQuery?: ((text: string, ms: number, isError: boolean) => void) | undefined
}

/**
 * Opens a pool on a database; connections are made when they are first needed.
 *
 * A lost idle connection is logged and replaced. A query on a lost connection, or one that waits 10 s for a free
 * connection, fails with an error.
 */
export function connect(url: string, settings: ConnectionSettings, log: Pick<Logger, 'warn'>): Database {
  const pool = createPool(
    {
      connectionString: url,
      types: typeParsers,
      max: settings.databasePoolSize,
      // A closed connection takes its prepared statements along, so an idle one is kept for a while.
      idleTimeoutMillis: 300_000,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      application_name: settings.applicationName ?? 'sungrove',
      statement_timeout: settings.statementTimeoutMs,
      lock_timeout: settings.lockTimeoutMs,
      // A transaction does nothing but talk to the database; one that is silent for this long holds locks for no reason.
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
