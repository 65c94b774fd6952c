import type { Context } from '../../kernel/context.ts'
import type { JobHandlers, JobSchedule } from '../../kernel/jobs.ts'
import { type Attachers, type AttachTo, fetchAndAttach } from './fetch-outside.ts'
import { processUpload } from './process-upload.ts'
import { sweepMedia } from './remove-media.ts'

declare module '../../kernel/jobs.ts' {
  interface JobData {
    /** Makes a complete upload ready. */
    'media.process': { mediaId: string }
    /** Fetches a picture of another site, and shows it. */
    'media.fetch-outside': { mediaId: string; attach: AttachTo; tries?: number }
    /** Removes uploads that nobody finished or used. */
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
      if (removed > 0) ctx.log.info({ removed }, 'unused uploads were removed')
    },
  }
}

export const mediaSchedules: readonly JobSchedule[] = [{ name: 'media.sweep', cron: '43 4 * * *', data: {} }]
