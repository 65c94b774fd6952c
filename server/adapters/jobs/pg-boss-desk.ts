import type { PgBoss } from 'pg-boss'
import type { FailedJobRow, JobDesk, QueueState } from '#server/kernel/jobs.ts'
import { decodeCursor, toPage } from '#server/kernel/keyset.ts'

/** Jobs per retry request; a second request retries the rest. */
const maxRetried = 10_000

// pg-boss's internal queues start with two underscores.
const ours = `name not like '\\_\\_%'`

const readQueues = `
  select name, count(*) filter (where state = 'created')::int as waiting, count(*) filter (where state = 'retry')::int as retrying,
    count(*) filter (where state = 'active')::int as running, count(*) filter (where state = 'failed')::int as failed,
    min(created_on) filter (where state in ('created', 'retry') and start_after <= now()) as oldest
  from pgboss.job where state in ('created', 'retry', 'active', 'failed') and ${ours}
  group by name order by failed desc, waiting desc, name`

const readFailed = `
  select id, name, created_on, completed_on, retry_count, coalesce(output ->> 'message', output ->> 'value', output::text, '') as error
  from pgboss.job
  where state = 'failed' and completed_on is not null and ${ours}
    and ($1::timestamptz is null or (date_trunc('milliseconds', completed_on), id) < ($1, $2::uuid))
  order by date_trunc('milliseconds', completed_on) desc, id desc limit $3`

const readRetried = `
  select name, array_agg(id::text) as ids from (
    select name, id from pgboss.job
    where state = 'failed' and ${ours} and ($1::text is null or name = $1) and ($2::uuid is null or id = $2)
    order by completed_on limit ${maxRetried}
  ) as failed group by name order by name`

type QueueRow = { name: string; waiting: number; retrying: number; running: number; failed: number; oldest: Date | null }
type FailedRow = { id: string; name: string; created_on: Date; completed_on: Date; retry_count: number; error: string }

/** Reads pg-boss's tables directly: finished jobs are deleted, so they stay small. `ready` creates them in a new database. */
export function createJobDesk(boss: PgBoss, ready: () => Promise<unknown>): JobDesk {
  const rowsOf = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => {
    await ready()
    return (await boss.getDb().executeSql(text, values)).rows as Row[]
  }
  return {
    async queues() {
      const rows = await rowsOf<QueueRow>(readQueues)
      return rows.map(({ oldest, ...row }): QueueState => ({ ...row, oldestWaitingAt: oldest }))
    },
    async failed({ limit, cursor }) {
      const after = decodeCursor(cursor, ['time', 'id'])
      const rows = await rowsOf<FailedRow>(readFailed, [after?.[0] ?? null, after?.[1] ?? null, limit + 1])
      const page = toPage(rows, limit, (row) => [new Date(row.completed_on).toISOString(), row.id])
      return { ...page, items: page.items.map(toFailed) }
    },
    async retry({ name, id }) {
      const found = await rowsOf<{ name: string; ids: string[] }>(readRetried, [name ?? null, id ?? null])
      const retried: { name: string; count: number }[] = []
      for (const queue of found) {
        // pg-boss's types omit the return value.
        const { affected } = (await boss.retry(queue.name, queue.ids)) as { affected: number }
        if (affected > 0) retried.push({ name: queue.name, count: affected })
      }
      return retried
    },
  }
}

const toFailed = (row: FailedRow): FailedJobRow => ({
  id: row.id,
  name: row.name,
  queuedAt: row.created_on,
  failedAt: row.completed_on,
  tries: row.retry_count + 1,
  error: row.error,
})
