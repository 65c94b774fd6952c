import { createRequire } from 'node:module'
import { sql } from 'kysely'
import type { Health, PlanFigures, Waiting } from '#contracts/admin.endpoints.ts'
import { businessPlans, businessToolsPlan } from '#contracts/business-plans.ts'
import type { Currency } from '#contracts/fields.ts'
import { memberPlans } from '#contracts/plans.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { isStillAsked } from '#server/features/claims/index.ts'
import { isForModerators } from '#server/features/corrections/index.ts'
import { inQueueOf } from '#server/features/moderation/index.ts'
import type { Context } from '#server/kernel/context.ts'

const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string }

export async function getHealth({ db, clock, config, jobs, payments }: Context): Promise<Health> {
  const [database, queues, media, lastImport, counts] = await Promise.all([
    databaseState(db),
    jobs.desk.queues(),
    mediaState(db),
    lastLicenseImport(db),
    countThings(db, clock.now()),
  ])
  const sum = (of: (queue: (typeof queues)[number]) => number) => queues.reduce((total, queue) => total + of(queue), 0)
  const oldest = queues.flatMap(({ oldestWaitingAt }) => oldestWaitingAt ?? []).sort((a, b) => a.getTime() - b.getTime())[0]
  return {
    version,
    startedAt: new Date(Date.now() - process.uptime() * 1000).toISOString(),
    node: process.version,
    memoryBytes: process.memoryUsage.rss(),
    database,
    jobs: {
      waiting: sum(({ waiting, retrying }) => waiting + retrying),
      running: sum(({ running }) => running),
      failed: sum(({ failed }) => failed),
      oldestWaitingAt: oldest?.toISOString() ?? null,
    },
    media: { storage: config.s3 ? 's3' : 'folder', ...media },
    mail: config.smtpUrl ? 'smtp' : 'outbox',
    payments: [...payments.offered],
    lastLicenseImport: lastImport,
    counts,
  }
}

async function databaseState(db: Db): Promise<Health['database']> {
  const { rows } = await sql<{
    version: string
    bytes: number
    connections: number
    max: number
    migrations: number
    last: string | null
  }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      current_setting('max_connections')::int as max,
      (select count(*)::int from kysely_migration) as migrations, (select max(name) from kysely_migration) as last`.execute(db)
  const [row] = rows as [(typeof rows)[number]]
  const { version, bytes, connections, migrations } = row
  return { version, bytes: Number(bytes), connections, maxConnections: row.max, migrations, lastMigration: row.last }
}

async function mediaState(db: Db): Promise<Omit<Health['media'], 'storage'>> {
  const { rows } = await sql<Omit<Health['media'], 'storage'>>`
    select count(*) filter (where status = 'ready')::int as files, coalesce(sum(byte_size) filter (where status = 'ready'), 0)::float8 as bytes,
      count(*) filter (where status in ('receiving', 'processing'))::int as unfinished, count(*) filter (where status = 'failed')::int as failed
    from media`.execute(db)
  return rows[0] as Omit<Health['media'], 'storage'>
}

async function lastLicenseImport(db: Db): Promise<Health['lastLicenseImport']> {
  const row = await db
    .selectFrom('license_imports')
    .select(['source', 'started_at', 'finished_at', 'rows_read', 'rows_refused'])
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { source, rows_read: rowsRead, rows_refused: rowsRefused } = row
  return { source, startedAt: row.started_at.toISOString(), finishedAt: row.finished_at?.toISOString() ?? null, rowsRead, rowsRefused }
}

async function countThings(db: Db, now: Date): Promise<Health['counts']> {
  const { rows } = await sql<Health['counts']>`
    select (select count(*)::int from users) as people, (select count(*)::int from businesses) as businesses,
      (select count(*)::int from communities where visibility <> 'private') as communities,
      (select count(*)::int from sessions where expires_at > ${now}::timestamptz) as sessions`.execute(db)
  return rows[0] as Health['counts']
}

/** A moderator's own queue omits items that involve them, so it may be shorter. */
export async function getQueueCounts({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<Waiting> {
  const now = clock.now()
  const inQueue = inQueueOf({ actsFor: 'site' }, now)
  const { claims, licenses, cases, overdue, appeals, corrections } = await db
    .selectNoFrom((eb) => [
      eb
        .selectFrom('claims')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('status', '=', 'open')
        .where('method', '!=', 'email')
        .where(isStillAsked)
        .where((e) => e.or([e('code_expires_at', 'is', null), e('code_expires_at', '>', now)]))
        .as('claims'),
      eb
        .selectFrom('license_verifications')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('status', '=', 'pending')
        .where('document_id', 'is not', null)
        .as('licenses'),
      eb
        .selectFrom('moderation_cases')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('status', '=', 'open')
        .where(inQueue)
        .as('cases'),
      eb
        .selectFrom('moderation_cases')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('status', '=', 'open')
        .where(inQueue)
        .where('due_at', '<', now)
        .as('overdue'),
      eb
        .selectFrom('moderation_appeals')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where('decided_at', 'is', null)
        .as('appeals'),
      eb
        .selectFrom('corrections')
        .innerJoin('businesses', 'businesses.id', 'corrections.business_id')
        .select((e) => e.fn.countAll<number>().as('count'))
        .where(isForModerators(now))
        .as('corrections'),
    ])
    .executeTakeFirstOrThrow()
  return {
    ...{ claims: claims ?? 0, licenses: licenses ?? 0, cases: cases ?? 0, overdue: overdue ?? 0, appeals: appeals ?? 0 },
    corrections: corrections ?? 0,
  }
}

const month = 30 * dayMs

type Row = { plan_id: string | null; currency: Currency; active: number; past_due: number; ending: number; cents: number }

/** Computed from the agreements as the provider confirmed them. Demo agreements don't count. */
export async function getPlanFigures({ db, clock }: Context): Promise<PlanFigures> {
  const now = clock.now()
  const rows = await agreements(db, now)
  const of = (planId: string | null) => {
    const mine = rows.filter((row) => row.plan_id === planId)
    const sum = (count: (row: Row) => number) => mine.reduce((total, row) => total + count(row), 0)
    const monthly = mine.filter(({ cents }) => cents > 0).map(({ currency, cents }) => ({ currency, cents }))
    return { active: sum((row) => row.active), pastDue: sum((row) => row.past_due), ending: sum((row) => row.ending), monthly }
  }
  const offered = [
    ...memberPlans.map((plan) => ({ ...plan, audience: 'person' as const })),
    ...[...businessPlans, businessToolsPlan].map((plan) => ({ ...plan, audience: 'business' as const })),
  ]
  return {
    plans: offered.map(({ id, name, audience, monthlyCents }) => ({ id, name, audience, monthlyCents, ...of(id) })),
    subscriptions: of(null),
    received: await received(db, new Date(now.getTime() - month)),
  }
}

async function agreements(db: Db, now: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select plan_id, currency, count(*) filter (where status = 'active')::int as active,
      count(*) filter (where status = 'past_due')::int as past_due,
      count(*) filter (where status in ('canceled', 'ended') and entitled_until > ${now})::int as ending,
      coalesce(sum(amount_cents) filter (where status in ('active', 'past_due')), 0)::float8 as cents
    from agreements where status <> 'pending' and (plan_id is not null or subscribe_to is not null)
      and not exists (select from businesses where businesses.id = agreements.business_id and is_demo)
      and not exists (select from users where users.id = agreements.payer_id and is_demo)
    group by plan_id, currency order by currency`.execute(db)
  return rows
}

/** Leaves out what businesses received in their own accounts. */
async function received(db: Db, since: Date): Promise<PlanFigures['received']> {
  const { rows } = await sql<{ currency: Currency; cents: number }>`
    select currency, sum(amount_cents - refunded_cents)::float8 as cents from payments
    where status <> 'failed' and account_id is null and paid_at >= ${since} and not exists (
      select from agreements join users on users.id = agreements.payer_id where agreements.id = payments.agreement_id and is_demo)
    group by currency order by currency`.execute(db)
  return rows
}
