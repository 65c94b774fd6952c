import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { replaceTrends, trendsQuery } from './trends.queries.ts'
import { trendReason } from './trends.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'home.compute-trends': Record<string, never>
  }
}

type Ctx = Pick<Context, 'db' | 'clock'>

export const homeJobs = (ctx: Ctx): Pick<JobHandlers, 'home.compute-trends'> => ({
  'home.compute-trends': () => computeTrends(ctx),
})

export const homeSchedules: readonly JobSchedule[] = [{ name: 'home.compute-trends', cron: '*/15 * * * *', data: {} }]

/** See trends.ts for the criteria. */
export async function computeTrends({ db, clock }: Ctx): Promise<void> {
  const now = clock.now()
  const { rows } = await trendsQuery(now).execute(db)
  const trends = rows.map((row) => ({
    businessId: row.business_id,
    score: row.score,
    reason: trendReason(row.kind, { thisWeek: row.this_week, inWindow: row.in_window }),
  }))
  await inTransaction(db, (tx) => replaceTrends(tx, trends, now))
}
