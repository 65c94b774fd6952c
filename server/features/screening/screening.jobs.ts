import type { Context } from '../../kernel/context.ts'
import type { JobHandlers, JobSchedule } from '../../kernel/jobs.ts'
import { rememberedMs } from './recent-words.ts'

declare module '../../kernel/jobs.ts' {
  interface JobData {
    'screening.forget': Record<string, never>
  }
}

export const screeningSchedules: JobSchedule[] = [{ name: 'screening.forget', cron: '17 * * * *', data: {} }]

export const screeningJobs = (ctx: Pick<Context, 'db' | 'clock'>): Pick<JobHandlers, 'screening.forget'> => ({
  /** What was said longer ago than a day may be said again. */
  'screening.forget': async () => {
    const before = new Date(ctx.clock.now().getTime() - rememberedMs)
    await ctx.db.deleteFrom('recent_words').where('said_at', '<=', before).execute()
  },
})
