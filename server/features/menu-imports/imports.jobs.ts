import type { Context } from '#server/kernel/context.ts'
import type { JobHandlers, JobSchedule } from '#server/kernel/jobs.ts'
import { failImport, undoDays } from './imports.queries.ts'
import { runImport } from './run-import.ts'

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'menus.import': { importId: string }
    /** Drops files that were never imported, and recovers imports left by a killed server. */
    'menus.sweep-imports': Record<string, never>
  }
}

export function menuImportJobs(ctx: Context): Pick<JobHandlers, 'menus.import' | 'menus.sweep-imports'> {
  return {
    'menus.import': ({ importId }) => runImport(ctx, importId),
    'menus.sweep-imports': () => sweepImports(ctx),
  }
}

export const menuImportSchedules: readonly JobSchedule[] = [{ name: 'menus.sweep-imports', cron: '*/5 * * * *', data: {} }]

const minute = 60_000
const day = 24 * 60 * minute
/** Running imports update their progress about every second. */
const silentMs = 3 * minute
const givenUpMs = 60 * minute
const waitingMs = 2 * day

async function sweepImports(ctx: Pick<Context, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const { db } = ctx
  const now = ctx.clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  await db.deleteFrom('menu_imports').where('status', 'in', ['receiving', 'ready']).where('updated_at', '<', before(waitingMs)).execute()
  await db
    .deleteFrom('menu_import_changes')
    .where('import_id', 'in', (eb) =>
      eb
        .selectFrom('menu_imports')
        .select('id')
        .where('finished_at', '<', before(undoDays * day)),
    )
    .execute()
  const silent = await db
    .selectFrom('menu_imports')
    .select(['id', 'started_at'])
    .where('status', '=', 'running')
    .where('updated_at', '<', before(silentMs))
    .execute()
  for (const { id, started_at } of silent) {
    if ((started_at ?? now) < before(givenUpMs))
      await failImport(db, id, "The import couldn't be finished. Nothing was changed; try again.", now)
    // Whichever runs first does the work; the other finds it done.
    else await ctx.jobs.enqueue('menus.import', { importId: id })
  }
}
