import pg from 'pg'
import type { Logger } from '#server/log.ts'

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
