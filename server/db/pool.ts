import pg from 'pg'
import type { Logger } from '../log.ts'

/** "cannot execute … in a read-only transaction" */
const readOnlyError = '25006'

/** What a server says of itself as a connection begins, and again when it changes. */
const readOnlyParameters = ['in_hot_standby', 'default_transaction_read_only']

/** A connection to a read-only server serves reads for this long. Then the name is asked again where the primary is. */
const readOnlyLifeMs = 1000

/** A connection that is never idle is closed after this, so that each one finds a moved database sooner or later. */
const maxLifetimeSeconds = 30 * 60

type Wire = { parameterName?: string; parameterValue?: string; code?: string }

/**
 * A pool that leaves a server which takes no writes. After a failover the name can lead to the old primary for a while, and its
 * connections would otherwise serve reads and refuse writes for as long as they are busy.
 */
export function createPool(options: pg.PoolConfig, log: Pick<Logger, 'warn'>, Base: typeof pg.Client = pg.Client): pg.Pool {
  const openedAt = new Map<pg.ClientBase, number>()
  const retired = new WeakSet<pg.ClientBase>()

  const retire = (clients: readonly pg.ClientBase[]) => {
    for (const client of clients) retired.add(client)
    if (pool.ending) return
    // A busy connection is closed when it is released. An idle one is taken out for that.
    for (let idle = pool.idleCount; idle > 0; idle--) {
      pool.connect((_error, client, release) => release(client !== undefined && retired.has(client)))
    }
  }

  /** The connection that was refused a write goes, and with it all that could lead to the same server. */
  const renew = (refused: pg.ClientBase) => {
    const before = performance.now() - readOnlyLifeMs
    const old = [...openedAt].flatMap(([client, time]) => (time <= before ? [client] : []))
    if (old.length > 0) log.warn({ connections: old.length }, 'the database is read-only, so its connections are opened again')
    retire([refused, ...old])
  }

  class Client extends Base {
    constructor(config?: string | pg.ClientConfig) {
      super(config)
      // A connection can be lost between two queries of a transaction, when nothing listens. The next query fails and says so.
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
    // The pool takes no connection back that is ending.
    if (retired.has(client)) void (client as pg.Client).end()
  })
  pool.on('error', (error) => {
    // The pool ends before its last connections have closed, and the database may stop in between.
    if (!pool.ending) log.warn({ err: error }, 'an idle database connection was lost')
  })
  return pool
}

/** A connection that was refused or lost, a server that starts, stops or is no primary: the next try may find another one. */
const awayCodes =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EPIPE|ENOENT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[123]|08\d{3}|53300|25006)$/
const awayMessages = /Connection terminated|timeout exceeded when trying to connect|not queryable/

export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', message, cause } = error as NodeJS.ErrnoException
  return awayCodes.test(code) || awayMessages.test(message) || isDatabaseAway(cause)
}
