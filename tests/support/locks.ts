import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Db, Tx } from '#server/db/connect.ts'

/** Resolves once `count` statements that contain `statement` (a LIKE pattern) are waiting for a lock in other connections. */
export const untilWaiting = (db: Db, { count = 1, statement = '' }: { count?: number; statement?: string } = {}) =>
  expect
    .poll(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${statement}%`}`.execute(db)
        return rows.length
      },
      { timeout: 10_000 },
    )
    .toBe(count)

/** Makes audited writes wait at their end, with everything else done, because each locks the audit log last. */
export const lockAuditLog = (tx: Tx) => sql`select from audit_head for update`.execute(tx)
