import { daysToRestore } from '#contracts/grow-logs.ts'
import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /** Purges logs deleted long ago; their photos become unattached and are swept later. */
    'grow-logs.purge': Record<string, never>
  }
}

const batch = 500

export function growLogJobs(ctx: Pick<Context, 'db' | 'clock'>): Pick<JobHandlers, 'grow-logs.purge'> {
  return {
    async 'grow-logs.purge'() {
      const before = new Date(ctx.clock.now().getTime() - daysToRestore * 86_400_000)
      for (;;) {
        const removed = await ctx.db
          .deleteFrom('grow_logs')
          .where('id', 'in', (eb) => eb.selectFrom('grow_logs').select('id').where('deleted_at', '<', before).limit(batch))
          // A log may be restored concurrently.
          .where('deleted_at', '<', before)
          .returning('id')
          .execute()
        if (removed.length < batch) return
      }
    },
  }
}

export const growLogSchedules: readonly JobSchedule[] = [{ name: 'grow-logs.purge', cron: '17 4 * * *', data: {} }]
