import type { Context } from '../../kernel/context.ts'
import type { JobHandlers, JobSchedule } from '../../kernel/jobs.ts'
import { failImport, undoDays } from './imports.queries.ts'
import { runImport } from './run-import.ts'

declare module '../../kernel/jobs.ts' {
  interface JobData {
    'menus.import': { importId: string }
    /** Lets go of files that nobody imported, and looks after imports that a killed server left. */
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
/** It tells of its progress every second or so. */
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
      await failImport(db, id, 'The import could not be finished. Nothing was changed; try again.', now)
    // Whichever comes first does the work, and the other finds it done.
    else await ctx.jobs.enqueue('menus.import', { importId: id })
  }
}
