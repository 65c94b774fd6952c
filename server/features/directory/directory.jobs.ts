import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import type { ReadRegister } from '#server/kernel/license-registers.ts'
import { fetchRegister, loadRegisters } from './fetch-register.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    /** Queues a reading of each register that the configuration names. */
    'directory.fetch-registers': Record<string, never>
    'directory.fetch-register': { registerId: string }
  }
}

type DirectoryJob = 'directory.fetch-registers' | 'directory.fetch-register'

export const directoryJobs = (ctx: Context, read: ReadRegister): Pick<JobHandlers, DirectoryJob> => ({
  async 'directory.fetch-registers'() {
    const { states, file } = ctx.config.licenseRegisters
    if (states.length === 0) return
    for (const { id, state } of await loadRegisters(file)) {
      if (states.includes(state)) await ctx.jobs.enqueue('directory.fetch-register', { registerId: id })
    }
  },
  async 'directory.fetch-register'({ registerId }) {
    const register = (await loadRegisters(ctx.config.licenseRegisters.file)).find(({ id }) => id === registerId)
    if (!register) return
    const { rowsRead, added, changed, missing, listings } = await fetchRegister(ctx, register, { read, dataDir: ctx.config.dataDir })
    ctx.cache.invalidate('businesses')
    ctx.log.info({ register: registerId, rowsRead, added, changed, missing, listings }, 'a license register was read')
  },
})

/** On the 2nd of each month, because many registers publish on the 1st. */
export const directorySchedules: readonly JobSchedule[] = [{ name: 'directory.fetch-registers', cron: '23 8 2 * *', data: {} }]
