import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { visitSources } from '#contracts/insights.endpoints.ts'
import { withDatabase } from '#server/commands/run-command.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { insertAccount } from '#server/features/accounts/index.ts'
import { getInsights } from '#server/features/insights/get-insights.ts'
import { makePartitions, rollUpVisits } from '#server/features/insights/index.ts'
import { systemClock } from '#server/kernel/context.ts'
import { newId } from '#server/kernel/ids.ts'
import { copyRows } from './copy.ts'
import { quantile } from './latency.ts'
import { numberOf } from './options.ts'
import { benchFolder } from './processes.ts'
import { popularRank, randomAt } from './random.ts'
import { save } from './report.ts'

/**
 * `npm run bench:insights [-- --events 10000000 --businesses 1000 --calls 30]`: times a business's insights after 13 months
 * of visits are rolled up. The distribution is realistic: the first business gets a large part of all visits. The database is temporary.
 */

const events = numberOf('--events', 10_000_000)
const businesses = numberOf('--businesses', 1000)
const calls = numberOf('--calls', 30)
const days = 395
const subjectsEach = 200
const maxMs = 150
const dayMs = 86_400_000

const startedAt = new Date()
const today = new Date(startedAt.toISOString().slice(0, 10)).getTime()
const { folder, removeFolder } = benchFolder('insights')
Object.assign(process.env, { DATA_DIR: folder, DATABASE_URL: '', DEMO_DATA: 'off' })

try {
  await withDatabase(async ({ db, database }) => {
    const { ids, owner } = await addBusinesses(db)
    await makePartitions(db, startedAt, new Date(today - days * dayMs))
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const copying = await seconds(() =>
      copyRows(client, 'visit_events', ['at', 'business_id', 'kind', 'source', 'subject_id', 'visitor'], visits(ids)),
    )
    console.log(`${events} visits of ${businesses} businesses in ${days} days: copied in ${copying.toFixed(1)} s`)
    await client.query('vacuum analyze visit_events')
    const rollingUp = await seconds(() => rollUpVisits({ db, clock: systemClock }))
    const again = await seconds(() => rollUpVisits({ db, clock: systemClock }))
    console.log(`rolled up in ${rollingUp.toFixed(1)} s; open days again in ${again.toFixed(2)} s`)
    await client.query('vacuum analyze visit_days')
    const { rows } = await client.query<{ days: string; size: string }>(
      `select count(*) as days, pg_size_pretty(pg_total_relation_size('visit_days')) as size from visit_days`,
    )
    console.log(`${rows[0]?.days} rows of daily counts, ${rows[0]?.size} with their index`)
    await client.end()

    const figures = []
    for (const [name, id] of [
      ['largest', ids[0]],
      ['median', ids[Math.floor(businesses / 2)]],
    ] as const) {
      for (const query of [
        { days: 28, by: 'day' },
        { days: 90, by: 'day' },
        { days: 365, by: 'week' },
      ] as const) {
        const times: number[] = []
        for (let call = 0; call < calls; call++) {
          const start = performance.now()
          await getInsights({ db, clock: systemClock }, { ...owner, birthday: '1990-01-01' }, id as string, query)
          times.push(performance.now() - start)
        }
        const figure = { name, ...query, p50Ms: quantile(times, 0.5), p95Ms: quantile(times, 0.95), firstMs: times[0] as number }
        figures.push(figure)
        console.log(
          `${name}, ${query.days} days by ${query.by}: first ${figure.firstMs.toFixed(1)} ms, p50 ${figure.p50Ms.toFixed(1)} ms, p95 ${figure.p95Ms.toFixed(1)} ms`,
        )
      }
    }
    const load = os.loadavg().map((each) => Number(each.toFixed(1)))
    console.log(`Machine load: ${load.join(', ')}`)
    const content = { events, businesses, days, calls, copying, rollingUp, again, maxMs, figures, load }
    console.log(`Written to ${path.relative(process.cwd(), save(content, startedAt, 'insights'))}`)
    const missed = figures.filter(({ p50Ms }) => p50Ms > maxMs)
    if (missed.length > 0) {
      console.error(`Above ${maxMs} ms: ${missed.map(({ name, days }) => `${name}, ${days} days`).join('; ')}`)
      process.exitCode = 1
    }
  })
} finally {
  removeFolder()
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

/** One owner has all businesses, with the plan that includes insights. */
async function addBusinesses(db: Db) {
  const account = { email: 'owner@bench.sungrove.example', firstName: 'Bench', lastName: 'Mark', birthday: '1990-01-01' }
  const ownerId = await inTransaction(db, (tx) =>
    insertAccount(tx, { ...account, userType: 'business', businessType: 'dispensary', passwordHash: 'none' }, startedAt),
  )
  if (ownerId === null) throw new Error('The database is not empty.')
  const ids = Array.from({ length: businesses }, () => newId())
  const rows = ids.map((id, i) => ({ id, slug: `bench-${i}`, name: `Bench ${i}`, type: 'dispensary' as const, country: 'US', state: 'CO' }))
  await db.insertInto('businesses').values(rows).execute()
  await db
    .insertInto('business_members')
    .values(ids.map((business_id) => ({ business_id, user_id: ownerId, role: 'owner' as const })))
    .execute()
  const end = new Date(startedAt.getTime() + 365 * dayMs)
  const plan = { provider: 'invoice' as const, title: 'Bench', amount_cents: 7500, currency: 'USD' as const, status: 'active' as const }
  await db
    .insertInto('agreements')
    .values(ids.map((business_id) => ({ ...plan, id: newId(), plan_id: 'business_tools', business_id, entitled_until: end })))
    .execute()
  return { ids, owner: { id: ownerId, birthday: account.birthday } }
}

/** In chronological order. */
function* visits(ids: readonly string[]) {
  const subjects = ids.map((id) => Array.from({ length: subjectsEach }, (_, i) => `${id.slice(0, 24)}${i.toString(16).padStart(12, '0')}`))
  const kinds = ['page', 'page', 'page', 'product', 'product', 'post', 'call', 'directions', 'site'] as const
  for (let n = 0; n < events; n++) {
    const random = randomAt(1, 0, n)
    const which = popularRank(random, businesses)
    const kind = kinds[Math.floor(random() * kinds.length)] as (typeof kinds)[number]
    const subject = kind === 'product' || kind === 'post' ? (subjects[which]?.[popularRank(random, subjectsEach)] ?? null) : null
    const at = new Date(today - days * dayMs + Math.floor((n / events) * days * dayMs))
    const source = visitSources[Math.floor(random() ** 2 * visitSources.length)] as string
    yield [at, ids[which] as string, kind, source, subject, Math.floor(random() * 1e9)]
  }
}
