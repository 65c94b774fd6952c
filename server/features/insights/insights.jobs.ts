import type { Context } from '../../kernel/context.ts'
import type { JobHandlers, JobSchedule } from '../../kernel/jobs.ts'
import { writeDownAudiences } from './audience.ts'
import { lastCount } from './insights.queries.ts'
import { dropOldPartitions, makePartitions } from './partitions.ts'
import { rollUpVisits } from './roll-up.ts'
import type { VisitBuffer } from './visit-buffer.ts'
import { dropOldSalts } from './visitor.ts'

declare module '../../kernel/jobs.ts' {
  interface JobData {
    /** Counts the visits that came, by day. */
    'insights.roll-up': Record<string, never>
    /** Writes down how many follow, subscribe and save; drops what is kept no longer. */
    'insights.keep': Record<string, never>
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'log'>

export const insightJobs = (ctx: Ctx, buffer: VisitBuffer): Pick<JobHandlers, 'insights.roll-up' | 'insights.keep'> => ({
  'insights.roll-up': async () => {
    await buffer.flush()
    await makePartitions(ctx.db, ctx.clock.now())
    await rollUpVisits(ctx)
  },
  'insights.keep': () => keepInsights(ctx),
})

export const insightSchedules: readonly JobSchedule[] = [
  { name: 'insights.roll-up', cron: '*/5 * * * *', data: {} },
  { name: 'insights.keep', cron: '17 * * * *', data: {} },
]

async function keepInsights({ db, clock, log }: Ctx): Promise<void> {
  const now = clock.now()
  await dropOldSalts(db, now)
  await writeDownAudiences(db, now)
  const dropped = await dropOldPartitions(db, now, (await lastCount(db)).open_from)
  if (dropped.length > 0) log.info({ months: dropped }, 'dropped the single visits of old months')
}
