import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Config } from '#server/config.ts'
import type { Logger } from '#server/log.ts'
import type { DB } from './schema.ts'

export type { DB }
/** Runs reads and single-statement writes. */
export type Db = Kysely<DB>
/** Required by functions that must run in a transaction. */
export type Tx = Transaction<DB>

export type Database = {
  db: Db
  /** Used directly by the session reader, the rate limiter, live updates and metrics. */
  pool: pg.Pool
  close(): Promise<void>
}

export type ConnectionSettings = Pick<Config, 'databasePoolSize' | 'statementTimeoutMs' | 'lockTimeoutMs'> & {
  /** Shown in pg_stat_activity. */
  applicationName?: string
  /** Called after each query with its text, but not its values. */
  onQuery?: ((text: string, ms: number, isError: boolean) => void) | undefined
  /** For a replica's pools, which don't look for the primary. A new connection is used only if `isChecked` resolves. */
  replica?: { isChecked(client: pg.ClientBase): Promise<void> }
}

/** If a replica accepts no connection within this time, its reads go to the primary. */
const replicaConnectMs = 1000

/**
 * Opens a pool, which connects on demand.
 *
 * Lost idle connections are logged and replaced. A query fails if its connection is lost, or if it waits 10 s for a free one.
 */
export function connect(url: string, settings: ConnectionSettings, log: Pick<Logger, 'warn'>): Database {
  const options: pg.PoolConfig = {
    connectionString: url,
    types: typeParsers,
    max: settings.databasePoolSize,
    // Idle connections remain open for a while, because closing one loses its prepared statements.
    idleTimeoutMillis: 300_000,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: settings.applicationName ?? 'sungrove',
    statement_timeout: settings.statementTimeoutMs,
    lock_timeout: settings.lockTimeoutMs,
    // Transactions only run queries, so one that is idle for this long holds locks for no reason.
    idle_in_transaction_session_timeout: Math.max(settings.statementTimeoutMs, 10_000),
  }
  const pool = settings.replica ? createReplicaPool(options, settings.replica) : createPool(options, log, preparingClient())
  let closing: Promise<void> | undefined
  const { onQuery } = settings
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    ...(onQuery && { log: ({ level, query, queryDurationMillis }) => onQuery(query.sql, queryDurationMillis, level === 'error') }),
  })
  if (!onQuery) runs.set(db, directRun(pool))
  return {
    db,
    pool,
    close() {
      closing ??= pool.end()
      return closing
    },
  }
}

type Run = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

const runs = new WeakMap<Db, Run>()

/** Runs a compiled statement on a free connection of the pool. Undefined in a transaction and when queries are observed. */
export const directRunOf = (db: Db): Run | undefined => runs.get(db)

/** Unlike `pool.query`, reuses the connection and its prepared statements if a statement fails. */
const directRun =
  (pool: pg.Pool): Run =>
  (text, values) =>
    new Promise((resolve, reject) => {
      pool.connect((noConnection, client, release) => {
        if (client === undefined) return reject(noConnection)
        client.query(text, values as unknown[], (error, result) => {
          release()
          if (error) reject(error)
          else resolve(result)
        })
      })
    })

const { builtins } = pg.types

/** Parses a bigint, the type of counts. Throws if the value isn't exact as a JavaScript number. */
export function parseInt8(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`The bigint ${text} doesn't fit a JavaScript number; select it as text.`)
  return number
}

const parsePgTimestamp = pg.types.getTypeParser(builtins.TIMESTAMPTZ) as (text: string) => Date
const utcTimestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/

/** Reads the usual form digit by digit, which is many times faster than pg. */
export function parseTimestamp(text: string): Date {
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2)
  // `Date.UTC` interprets years below 100 as years of the 20th century.
  if (!utcTimestamp.test(text) || year < 100) return parsePgTimestamp(text)
  const time = [twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17)] as const
  return new Date(Date.UTC(year, twoDigits(text, 5) - 1, twoDigits(text, 8), ...time, millisecondsOf(text)))
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48
const twoDigits = (text: string, at: number): number => 10 * digit(text, at) + digit(text, at + 1)

/** Cuts off microseconds. PostgreSQL omits zeros at the end of a fraction. */
function millisecondsOf(text: string): number {
  const fraction = text.length - '2026-01-01 00:00:00.'.length - '+00'.length
  const [tenths, hundredths, thousandths] = [0, 1, 2].map((i) => (i < fraction ? digit(text, 20 + i) : 0)) as [number, number, number]
  return 100 * tenths + 10 * hundredths + thousandths
}

/**
 * Column types for which this replaces pg's own parser:
 * - bigint: a number (pg: text)
 * - numeric: a number (pg: text). Averages and ratings are numeric; anything exact, such as money, is an integer.
 * - timestamptz: the same, but faster
 * - date: the text 'YYYY-MM-DD' (pg: midnight in the machine's time zone, which can be another day elsewhere)
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInt8],
  [builtins.NUMERIC, Number],
  [builtins.TIMESTAMPTZ, parseTimestamp],
  [builtins.DATE, String],
])

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/** "cannot execute … in a read-only transaction" */
const readOnlyError = '25006'

/** The server reports these when a connection starts and whenever one of them changes. */
const readOnlyParameters = ['in_hot_standby', 'default_transaction_read_only']

/** How long a connection to a read-only server still serves reads. After that, the name is resolved again to find the primary. */
const readOnlyLifeMs = 1000

/** Eventually replaces even busy connections, so none remains on a database that has moved. */
const maxLifetimeSeconds = 30 * 60

type Wire = { parameterName?: string; parameterValue?: string; code?: string }

/**
 * Disconnects from read-only servers. After a failover, the name may resolve to the old primary for a while. Busy connections to it would
 * otherwise continue to serve reads and refuse writes.
 */
export function createPool(options: pg.PoolConfig, log: Pick<Logger, 'warn'>, Base: typeof pg.Client = pg.Client): pg.Pool {
  const openedAt = new Map<pg.ClientBase, number>()
  const retired = new WeakSet<pg.ClientBase>()

  const retire = (clients: readonly pg.ClientBase[]) => {
    for (const client of clients) retired.add(client)
    if (pool.ending) return
    // Busy connections are closed on release. Idle ones must be checked out first.
    for (let idle = pool.idleCount; idle > 0; idle--) {
      pool.connect((_error, client, release) => release(client !== undefined && retired.has(client)))
    }
  }

  /** Retires the connection that refused a write, and all others that may lead to the same server. */
  const renew = (refused: pg.ClientBase) => {
    const before = performance.now() - readOnlyLifeMs
    const old = [...openedAt].flatMap(([client, time]) => (time <= before ? [client] : []))
    if (old.length > 0) log.warn({ connections: old.length }, 'the database is read-only; reopening its connections')
    retire([refused, ...old])
  }

  class Client extends Base {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      // A connection may be lost between two queries of a transaction, when it has no listener. The next query reports it.
      this.on('error', () => {})
      const isOn = new Set<string>()
      let ending: NodeJS.Timeout | undefined
      this.connection.on('parameterStatus', ({ parameterName = '', parameterValue }: Wire) => {
        if (!readOnlyParameters.includes(parameterName)) return
        if (parameterValue === 'on') isOn.add(parameterName)
        else isOn.delete(parameterName)
        clearTimeout(ending)
        if (isOn.size > 0) ending = setTimeout(() => retire([this]), readOnlyLifeMs).unref()
      })
      this.connection.on('errorMessage', ({ code }: Wire) => {
        if (code === readOnlyError) renew(this)
      })
      this.once('end', () => clearTimeout(ending))
    }
  }

  const pool = new pg.Pool({ maxLifetimeSeconds, ...options, Client })
  pool.on('connect', (client) => void openedAt.set(client, performance.now()))
  pool.on('remove', (client) => void openedAt.delete(client))
  pool.on('release', (_error, client) => {
    // The pool doesn't take back a connection that is ending.
    if (retired.has(client)) void (client as pg.Client).end()
  })
  pool.on('error', (error) => {
    // The pool ends before its last connections have closed, and the database may stop in between.
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  return pool
}

function createReplicaPool(options: pg.PoolConfig, { isChecked }: NonNullable<ConnectionSettings['replica']>): pg.Pool {
  class Client extends preparingClient() {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      this.on('error', () => {})
    }
  }
  const pool = new pg.Pool({
    maxLifetimeSeconds,
    ...options,
    connectionTimeoutMillis: replicaConnectMs,
    verify: (client, done) => void isChecked(client).then(() => done(), done),
    Client,
  })
  // Ignored, because the replica's checks report its loss.
  pool.on('error', () => {})
  return pool
}

/**
 * Refused or lost connections (PgBouncer reports 08P01), and servers that are starting, stopping or not primary. A retry may reach another
 * server.
 */
const unavailableCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[123]|08[\dP]\d{2}|53300|25006)$/
const unavailableMessages = /connect ENOENT|Connection terminated|timeout exceeded when trying to connect|not queryable/

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', message, cause } = error as NodeJS.ErrnoException
  return unavailableCodes.test(code) || unavailableMessages.test(message) || isDatabaseUnavailable(cause)
}

/**
 * Limits the named statements, because each connection caches the plans of those it has run. There are a few hundred; the limit protects
 * against a statement that mistakenly contains user input.
 */
const maxNames = 2000
/** A statement gets a name on its second use, so one-off statements (such as an import's last partial batch) take no slot. */
const maxSeenOnce = 2000

/**
 * Names parameterized queries by their text, so PostgreSQL parses each only once per connection and can reuse its plan. Above the limit,
 * queries run unnamed.
 */
export function createStatementNames(max = maxNames) {
  const names = new Map<string, string>()
  const seenOnce = new Set<string>()
  let made = 0
  return {
    nameOf(text: string): string | undefined {
      const name = names.get(text)
      if (name !== undefined) return name
      if (names.size >= max) return undefined
      if (!seenOnce.delete(text)) {
        if (seenOnce.size >= maxSeenOnce) seenOnce.clear()
        seenOnce.add(text)
        return undefined
      }
      const fresh = `s${made++}`
      names.set(text, fresh)
      return fresh
    },
    /** Once it is repeated, the statement gets a new name, and therefore a new plan on every connection. */
    forget(text: string): void {
      names.delete(text)
    },
  }
}

/** Whether a newer process's migration changed the columns of a prepared `select *`. Only a new statement helps. */
function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/**
 * A pg client that runs repeated parameterized queries as named prepared statements, which Kysely can't do. All connections in a pool use
 * the same names.
 */
export function preparingClient(): typeof pg.Client {
  const statements = createStatementNames()
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the signature of an overloaded method of pg
    override query(query: any, values?: any, callback?: any): any {
      if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0) return super.query(query, values, callback)
      const name = statements.nameOf(query)
      if (name === undefined) return super.query(query, values, callback)
      const submit = (done: (error: Error | undefined, result: pg.QueryResult) => void) => {
        const prepared = new pg.Query(query, values, (error, result) => {
          if (error && isStalePlan(error)) statements.forget(query)
          done(error, result)
        })
        // The name is set afterward, because the constructor copies a named config one property at a time.
        super.query(Object.assign(prepared, { name }))
      }
      if (callback !== undefined) return submit(callback)
      return new Promise((resolve, reject) => submit((error, result) => (error ? reject(error) : resolve(result))))
    }
  }
}
