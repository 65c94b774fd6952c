import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'

/** `/healthz` answers while the process lives; `/readyz` when it can serve: database reachable, not draining. */
export function addHealth(app: FastifyInstance, db: Db, isDraining: () => boolean): void {
  app.get('/healthz', { logLevel: 'silent' }, async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'alive' }),
  )

  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (isDraining()) return reply.status(503).send({ status: 'draining' })
    try {
      await sql`select 1`.execute(db)
      return reply.send({ status: 'ready' })
    } catch {
      return reply.status(503).header('retry-after', 2).send({ status: 'database unreachable' })
    }
  })
}
