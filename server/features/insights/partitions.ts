import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Day } from './days.ts'

/** Months that individual visits are stored after their own; stated on the privacy page. */
export const retentionMonths = 13
const monthsAhead = 2

/** As in "2026-11". */
type Month = string

const monthOf = (time: Date): Month => time.toISOString().slice(0, 7)
function addMonths(month: Month, count: number): Month {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return monthOf(new Date(Date.UTC(year, number - 1 + count, 1)))
}
const firstDay = (month: Month): Day => `${month}-01`
const tableOf = (month: Month) => `visit_events_${month.replace('-', '_')}`

const monthPattern = /^visit_events_(\d{4})_(\d{2})$/

async function months(db: Db): Promise<Month[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits
      join pg_class as child on child.oid = pg_inherits.inhrelid
    where pg_inherits.inhparent = 'public.visit_events'::regclass order by 1`.execute(db)
  return rows.flatMap(({ name }) => {
    const [, year, month] = monthPattern.exec(name) ?? []
    return year ? [`${year}-${month}`] : []
  })
}

/** Creates partitions from the month of `since` to two months ahead. */
export async function makePartitions(db: Db, now: Date, since: Date = now): Promise<void> {
  const there = new Set(await months(db))
  const last = addMonths(monthOf(now), monthsAhead)
  for (let month = monthOf(since); month <= last; month = addMonths(month, 1)) if (!there.has(month)) await makePartition(db, month)
}

/** Moves rows of the month out of the default partition first: PostgreSQL refuses a new partition otherwise. */
function makePartition(db: Db, month: Month): Promise<void> {
  const name = sql.table(tableOf(month))
  const from = sql.lit(`${firstDay(month)} 00:00+00`)
  const to = sql.lit(`${firstDay(addMonths(month, 1))} 00:00+00`)
  return inTransaction(db, async (tx) => {
    // Blocks writes between the move and the attachment, but not reads. A concurrent process finds it done.
    await sql`lock table visit_events in share row exclusive mode`.execute(tx)
    if ((await months(tx)).includes(month)) return
    await sql`create table ${name} (like visit_events including defaults including constraints)`.execute(tx)
    await sql`
      with moved as (delete from visit_events_default where at >= ${from} and at < ${to} returning *)
      insert into ${name} (at, business_id, kind, source, subject_id, visitor)
      select at, business_id, kind, source, subject_id, visitor from moved`.execute(tx)
    await sql`alter table visit_events attach partition ${name} for values from (${from}) to (${to})`.execute(tx)
  })
}

/** Drops months past the retention period once they are counted. Returns the dropped partitions. */
export async function dropOldPartitions(db: Db, now: Date, countedUntil: Day | null): Promise<string[]> {
  if (countedUntil === null) return []
  const oldest = addMonths(monthOf(now), -retentionMonths)
  const old = (await months(db)).filter((month) => month < oldest && firstDay(addMonths(month, 1)) < countedUntil)
  for (const month of old) await sql`drop table ${sql.table(tableOf(month))}`.execute(db)
  // Rows of such months in the default partition.
  if (firstDay(oldest) < countedUntil) {
    await sql`delete from visit_events_default where at < ${`${firstDay(oldest)}T00:00:00Z`}::timestamptz`.execute(db)
  }
  return old
}
