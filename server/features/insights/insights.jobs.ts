import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { lastCount, writeDownAudiences } from './insights.queries.ts'
import type { VisitBuffer } from './record-visits.ts'
import { dropOldSalts } from './record-visits.ts'
import { dropOldPartitions, makePartitions, rollUpVisits } from './roll-up.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'insights.roll-up': Record<string, never>
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
  'insights.keep': () => maintainPartitions(ctx),
})

export const insightSchedules: readonly JobSchedule[] = [
  { name: 'insights.roll-up', cron: '*/5 * * * *', data: {} },
  { name: 'insights.keep', cron: '17 * * * *', data: {} },
]

async function maintainPartitions({ db, clock, log }: Ctx): Promise<void> {
  const now = clock.now()
  await dropOldSalts(db, now)
  await writeDownAudiences(db, now)
  const dropped = await dropOldPartitions(db, now, (await lastCount(db)).open_from)
  if (dropped.length > 0) log.info({ months: dropped }, 'deleted the single visits of old months')
}
