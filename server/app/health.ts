import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

export type Phase = 'starting' | 'serving' | 'draining'

/** A probe that waits longer is itself taken for a failure by most proxies. */
const askMs = 2000

/**
 * A failover takes the database from all nodes at once. To take all of them out would leave the proxy's bare page, and no static
 * files; they answer 503 with Retry-After themselves for this long. A node that alone has lost the database is taken out after it.
 */
const graceMs = 30_000

type DatabaseState = 'writable' | 'read-only' | 'unreachable'

/** `/healthz` answers while the process lives. `/readyz` says whether requests should come: all has started, and the database takes writes. */
export function addHealth(app: FastifyInstance, db: Db, phase: () => Phase): void {
  let writableAt = performance.now()

  app.get('/healthz', { logLevel: 'silent' }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )

  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (phase() !== 'serving') return reply.status(503).header('retry-after', 2).send({ status: phase() })
    const database = await askDatabase(db)
    const now = performance.now()
    if (database === 'writable') writableAt = now
    if (now - writableAt <= graceMs) return reply.send({ status: 'ready', database })
    return reply.status(503).header('retry-after', 2).send({ status: 'not ready', database })
  })
}

async function askDatabase(db: Db): Promise<DatabaseState> {
  const asked = sql<{ read_only: string }>`select current_setting('transaction_read_only') as read_only`.execute(db)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), askMs)
  })
  const answer = await Promise.race([asked, late])
    .catch(() => null)
    .finally(() => clearTimeout(timer))
  if (!answer) return 'unreachable'
  return answer.rows[0]?.read_only === 'off' ? 'writable' : 'read-only'
}
