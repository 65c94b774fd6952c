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
  /** Used directly by the job queue and the rate limiter. */
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

/** "cannot execute … in a read-only transaction" */
const readOnlyError = '25006'

/** Reported by the server when a connection starts, and whenever they change. */
const readOnlyParameters = ['in_hot_standby', 'default_transaction_read_only']

/** How long a connection to a read-only server still serves reads. Afterwards the name is resolved again to find the primary. */
const readOnlyLifeMs = 1000

/** Replaces even busy connections eventually, so that none stays on a database that has moved. */
const maxLifetimeSeconds = 30 * 60

type Wire = { parameterName?: string; parameterValue?: string; code?: string }

/**
 * A pool that leaves read-only servers. After a failover the name may resolve to the old primary for a while, whose connections
 * would otherwise keep serving reads and refusing writes for as long as they are busy.
 */
export function createPool(options: pg.PoolConfig, log: Pick<Logger, 'warn'>, Base: typeof pg.Client = pg.Client): pg.Pool {
  const openedAt = new Map<pg.ClientBase, number>()
  const retired = new WeakSet<pg.ClientBase>()

  const retire = (clients: readonly pg.ClientBase[]) => {
    for (const client of clients) retired.add(client)
    if (pool.ending) return
    // Busy connections are closed on release. Idle ones must be taken out first.
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
      // A connection may be lost between two queries of a transaction, without a listener. The next query reports it.
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

/** Refused or lost connections, and servers that are starting, stopping or not primary. A retry may reach another one. */
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|ENOENT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[123]|08\d{3}|53300|25006)$/
const awayMessages = /Connection terminated|timeout exceeded when trying to connect|not queryable/

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', message, cause } = error as NodeJS.ErrnoException
  return awayCodes.test(code) || awayMessages.test(message) || isDatabaseAway(cause)
}

/**
 * The number of named statements; each connection caches the plans of those it has run. Our own statements number a few hundred. The
 * limit protects against a text built from user input, should one slip in.
 */
const maxNames = 2000
/** A statement is named on its second use, so that one-off texts (such as an import's last partial batch) take no slot. */
const maxSeenOnce = 2000

/**
 * Assigns names to the texts of parameterized queries, so that PostgreSQL parses and plans each only once per connection. The number
 * of names is limited; further texts run unnamed.
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
    /** The next use gets a new name, and so a new plan on every connection. */
    forget(text: string): void {
      names.delete(text)
    },
  }
}

/** A newer process's migration changed the columns of a prepared `select *`. Only a new statement helps. */
function isStalePlan(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/**
 * A pg client that runs every parameterized query as a named prepared statement, an option that Kysely lacks. All connections of a
 * pool use the same names.
 */
export function preparingClient(): typeof pg.Client {
  const statements = createStatementNames()
  return class extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the signature of an overloaded method of pg
    override query(query: any, values?: any, callback?: any): any {
      if (typeof query !== 'string' || !Array.isArray(values) || values.length === 0) return super.query(query, values, callback)
      const name = statements.nameOf(query)
      if (name === undefined) return super.query(query, values, callback)
      const answer = super.query({ name, text: query, values }, callback)
      if (callback === undefined) {
        answer.catch((error: unknown) => {
          if (isStalePlan(error)) statements.forget(query)
        })
      }
      return answer
    }
  }
}
