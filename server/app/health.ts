import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

export type Phase = 'starting' | 'serving' | 'draining'

/** Most proxies count a slower probe as a failure. */
const askMs = 2000

/**
 * In a failover all nodes lose the database at once. Taking all of them out would leave the proxy's bare error page and no static
 * files, so for this long they stay in and respond 503 with Retry-After. After that, a node without a database is taken out.
 */
const graceMs = 30_000

type DatabaseState = 'writable' | 'read-only' | 'unreachable'

/** `/healthz` responds while the process lives; `/readyz` once startup is complete and while the database accepts writes. */
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
