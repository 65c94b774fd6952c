import { sql } from 'kysely'
import { utcDate } from '#contracts/age.ts'
import { addDays, hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { type Day, readZones, type Zones, zoneJoins, zoneOfRow } from './days.ts'
import { lastCount, recordAudiences } from './insights.queries.ts'
import { dropOldSalts, type VisitBuffer } from './record-visits.ts'

/** Counting a busy day takes longer than other statements may. */
const timeoutMs = 300_000
/** Time zones range from UTC−12 to UTC+14; the extra hour allows for late writes. */
const behind = 12 * hourMs
const ahead = 14 * hourMs
const late = hourMs

/**
 * Counts the visits of every day that may still change, in each business's own time zone, into `visit_days`. Recounts whole days, so the
 * job is idempotent and safe to repeat after a crash. Skips days that are over in every time zone.
 */
export async function rollUpVisits({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const zones = await readZones(db)
  const last = utcDate(new Date(now.getTime() + ahead))
  const open = utcDate(new Date(now.getTime() - behind - late))
  for (let isDone = false; !isDone; ) {
    isDone = await inTransaction(db, async (tx) => {
      const from = await lockOpenDay(tx, open)
      // One transaction per day that is over, so that the progress after a long gap is never lost.
      const until = from !== null && from < open ? addDays(from, 1) : addDays(last, 1)
      if (from !== null) await countDays(tx, zones, from, until)
      await tx
        .updateTable('visit_rollup')
        .set({ counted_at: now, ...(from !== null && { open_from: until < open ? until : open > from ? open : from }) })
        .execute()
      return until > last
    })
  }
}

/**
 * The first day that may still change; if nothing was counted yet, the day before the first visit. Never later than `open`,
 * even if the clock was ahead for a while. Locks the row: one process at a time.
 */
async function lockOpenDay(tx: Tx, open: Day): Promise<Day | null> {
  const { open_from } = await tx.selectFrom('visit_rollup').select('open_from').forUpdate().executeTakeFirstOrThrow()
  if (open_from !== null) return open_from < open ? open_from : open
  const first = await tx.selectFrom('visit_events').select('at').orderBy('at').limit(1).executeTakeFirst()
  return first ? addDays(utcDate(first.at), -1) : null
}

/** `until` is exclusive. */
async function countDays(tx: Tx, zones: Zones, from: Day, until: Day): Promise<void> {
  const start = new Date(Date.parse(`${from}T00:00:00Z`) - ahead)
  const end = new Date(Date.parse(`${until}T00:00:00Z`) + behind)
  // A generic plan for any range of days would expect few rows and compare every row with every other.
  await sql`
    select set_config('statement_timeout', ${`${timeoutMs}`}, true), set_config('work_mem', '64MB', true),
      set_config('plan_cache_mode', 'force_custom_plan', true)`.execute(tx)
  await sql`
    with placed as materialized (
      select visit_events.business_id, (visit_events.at at time zone ${zoneOfRow(zones)})::date as day, kind, source, subject_id, visitor
      from visit_events
        join businesses on businesses.id = visit_events.business_id
        ${zoneJoins(zones)}
      where visit_events.at >= ${start}::timestamptz and visit_events.at < ${end}::timestamptz
    ),
    counted as materialized (
      select business_id, day, kind,
        case when grouping(source) = 0 then 'source' when grouping(subject_id) = 0 then 'subject' else 'all' end as part,
        case when grouping(source) = 0 then source when grouping(subject_id) = 0 then subject_id::text else '' end as key,
        count(*)::integer as visits, count(distinct visitor)::integer as visitors
      from placed
      where day >= ${from}::date and day < ${until}::date
      group by grouping sets ((business_id, day, kind), (business_id, day, kind, source), (business_id, day, kind, subject_id))
      having grouping(subject_id) = 1 or subject_id is not null
    ),
    -- Previously counted under another day: the business moved to another time zone.
    gone as (
      delete from visit_days
      where day >= ${from}::date and day < ${until}::date
        and not exists (
          select from counted where (counted.business_id, counted.part, counted.day, counted.kind, counted.key)
            = (visit_days.business_id, visit_days.part, visit_days.day, visit_days.kind, visit_days.key))
    )
    insert into visit_days (business_id, part, day, kind, key, visits, visitors)
    select business_id, part, day, kind, key, visits, visitors from counted
    order by business_id, part, day, kind, key
    on conflict (business_id, part, day, kind, key) do update
      set visits = excluded.visits, visitors = excluded.visitors
      where (visit_days.visits, visit_days.visitors) is distinct from (excluded.visits, excluded.visitors)`.execute(tx)
}

/** Schedules a recount of all days from this time on, after visits were added to days already counted. */
export const countAgainFrom = (tx: Tx, time: Date) =>
  sql`update visit_rollup set open_from = least(open_from, ${addDays(utcDate(time), -1)}::date)`.execute(tx)

/** How many months individual visits are stored after the month they took place in. The privacy page states this. */
export const retentionMonths = 13
const monthsAhead = 2

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

export async function makePartitions(db: Db, now: Date, since: Date = now): Promise<void> {
  const there = new Set(await months(db))
  const last = addMonths(monthOf(now), monthsAhead)
  for (let month = monthOf(since); month <= last; month = addMonths(month, 1)) if (!there.has(month)) await makePartition(db, month)
}

/** Moves the month's rows out of the default partition first; otherwise, PostgreSQL refuses the new partition. */
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
  // The default partition may have rows of months past the retention period.
  if (firstDay(oldest) < countedUntil) {
    await sql`delete from visit_events_default where at < ${`${firstDay(oldest)}T00:00:00Z`}::timestamptz`.execute(db)
  }
  return old
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'insights.roll-up': Record<string, never>
    'insights.maintain-partitions': Record<string, never>
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'log'>

export const insightJobs = (ctx: Ctx, buffer: VisitBuffer): Pick<JobHandlers, 'insights.roll-up' | 'insights.maintain-partitions'> => ({
  'insights.roll-up': async () => {
    await buffer.flush()
    await makePartitions(ctx.db, ctx.clock.now())
    await rollUpVisits(ctx)
  },
  'insights.maintain-partitions': () => maintainPartitions(ctx),
})

export const insightSchedules: readonly JobSchedule[] = [
  { name: 'insights.roll-up', cron: '*/5 * * * *', data: {} },
  { name: 'insights.maintain-partitions', cron: '17 * * * *', data: {} },
]

async function maintainPartitions({ db, clock, log }: Ctx): Promise<void> {
  const now = clock.now()
  await dropOldSalts(db, now)
  const dropped = await dropOldPartitions(db, now, (await lastCount(db)).open_from)
  if (dropped.length > 0) log.info({ months: dropped }, 'deleted the individual visits of old months')
  await recordAudiences(db, now)
}
