import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { type Attachers, type AttachTo, fetchAndAttach } from './fetch-outside.ts'
import { processUpload } from './process-upload.ts'
import { sweepMedia } from './remove-media.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'media.process': { mediaId: string }
    'media.fetch-outside': { mediaId: string; attach: AttachTo; tries?: number }
    'media.sweep': Record<string, never>
  }
}

type MediaJob = 'media.process' | 'media.fetch-outside' | 'media.sweep'

export function mediaJobs(ctx: Context, attachers: Attachers): Pick<JobHandlers, MediaJob> {
  return {
    'media.process': ({ mediaId }) => processUpload(ctx, mediaId),
    'media.fetch-outside': (data) => fetchAndAttach(ctx, attachers, data),
    async 'media.sweep'() {
      const { removed } = await sweepMedia(ctx)
      if (removed > 0) ctx.log.info({ removed }, 'removed unused uploads')
    },
  }
}

export const mediaSchedules: readonly JobSchedule[] = [{ name: 'media.sweep', cron: '43 4 * * *', data: {} }]
