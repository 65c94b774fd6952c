import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { rememberedMs } from './screen-words.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'screening.forget': Record<string, never>
  }
}

export const screeningSchedules: JobSchedule[] = [{ name: 'screening.forget', cron: '17 * * * *', data: {} }]

export const screeningJobs = (ctx: Pick<Context, 'db' | 'clock'>): Pick<JobHandlers, 'screening.forget'> => ({
  // Text older than a day may be repeated.
  'screening.forget': async () => {
    const before = new Date(ctx.clock.now().getTime() - rememberedMs)
    await ctx.db.deleteFrom('recent_words').where('said_at', '<=', before).execute()
  },
})
