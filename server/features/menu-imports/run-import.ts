import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import { dayMs, minuteMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import {
  changeMenu,
  insertItems,
  isGoodNews,
  lockMenu,
  type MenuRow,
  requireRoom,
  restoreMenu,
  updateItems,
  wholeMenu,
} from '#server/features/menus/index.ts'
import { businessWords } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { refusedRows } from './check-file.ts'
import { fetchDueSources, fetchSource } from './fetch-source.ts'
import {
  failImport,
  finishImport,
  importFile,
  importRow,
  lockImport,
  reportProgress,
  saveAdded,
  saveBefore,
  snapshotsOf,
  touchedItems,
  touchedSince,
  undoDays,
} from './imports.queries.ts'
import { type MenuFile, MenuFileRefused } from './menu-table.ts'
import { planFile } from './plan-file.ts'
import { readMenuFile } from './read-menu-file.ts'
import { toImport } from './send-file.ts'
import { runSync } from './sync-menu.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'events' | 'log' | 'jobs'>

const batchSize = 1000

/**
 * Runs a started import in a single transaction: if the server is killed, the menu is unchanged and the job is retried. An
 * import that can't succeed is marked as failed and changes nothing.
 */
export async function runImport(ctx: Ctx, importId: string): Promise<void> {
  const row = await ctx.db.selectFrom('menu_imports').select(['status', 'kind']).where('id', '=', importId).executeTakeFirst()
  if (row?.status !== 'running') return
  if (row.kind !== 'file') return runSync(ctx, importId)
  try {
    const bytes = await importFile(ctx.db, importId)
    if (!bytes) return
    const file = await readMenuFile(bytes)
    await inTransaction(ctx.db, (tx) => applyFile(ctx, tx, importId, file))
  } catch (error) {
    if (!(error instanceof AppError || error instanceof MenuFileRefused)) throw error
    await failImport(ctx.db, importId, error.message, ctx.clock.now())
  }
}

/** @throws AppError plan_limit, MenuFileRefused */
async function applyFile(ctx: Ctx, tx: Tx, importId: string, file: MenuFile): Promise<void> {
  const row = await tx
    .selectFrom('menu_imports')
    .select(['business_id', 'columns', 'skips_wrong_rows', 'status'])
    .where('id', '=', importId)
    .executeTakeFirst()
  if (!row) return
  await lockMenu(tx, row.business_id)
  // The same job in another process may have been first.
  const { status } = await tx.selectFrom('menu_imports').select('status').where('id', '=', importId).executeTakeFirstOrThrow()
  if (status !== 'running') return
  const fields = (row.columns as MenuImport['columns']).map((column) => column.field)
  // Muted people can't start an import, so the mute isn't checked here.
  const refusedIn = await businessWords(tx, ctx, null, 'menu_item', row.business_id)
  const plan = await planFile(file, fields, await wholeMenu(tx, row.business_id), refusedIn)
  const { rowErrors, rowsRefused } = refusedRows(plan)
  const [first] = rowErrors
  if (first && !row.skips_wrong_rows)
    throw new MenuFileRefused(`Row ${first.row}: ${first.message.replace(/\.$/, '')}. Nothing was changed.`)
  const now = ctx.clock.now()
  const { added, changed } = plan
  await requireRoom(tx, row.business_id, added.length, now)

  const rowsOfItem = new Map<string, number>()
  for (const { placed } of plan.rows) {
    if (placed.effect !== 'refused') rowsOfItem.set(placed.item.id, (rowsOfItem.get(placed.item.id) ?? 0) + 1)
  }
  const changedItems = changed.map(({ after }) => after)
  let rowsDone = plan.rows.length - rowsOf([...changedItems, ...added], rowsOfItem)
  const inBatches = async (items: readonly MenuRow[], write: (batch: MenuRow[], ids: string[]) => Promise<void>) => {
    for (let at = 0; at < items.length; at += batchSize) {
      const batch = items.slice(at, at + batchSize)
      await write(batch, idsOf(batch))
      rowsDone += rowsOf(batch, rowsOfItem)
      // A failed progress update must not fail the import.
      await reportProgress(ctx.db, importId, rowsDone, ctx.clock.now()).catch((err: unknown) =>
        ctx.log.warn({ err }, 'the progress of an import could not be sent'),
      )
    }
  }
  await inBatches(changedItems, async (batch, ids) => {
    await saveBefore(tx, importId, ids)
    await updateItems(tx, row.business_id, batch, now)
  })
  await inBatches(added, async (batch, ids) => {
    await insertItems(tx, row.business_id, batch, now)
    await saveAdded(tx, importId, ids)
  })
  const done = { rowsRefused, rowErrors, itemsAdded: added.length, itemsChanged: changed.length }
  if (!(await finishImport(tx, importId, done, now)))
    throw new MenuFileRefused('The import was canceled in the meantime. Nothing was changed.')
  const data = { businessId: row.business_id }
  if (added.length > 0) await ctx.events.publish(tx, 'menu.product-added', data)
  else if (changed.some(({ before, after }) => isGoodNews(before, after))) await ctx.events.publish(tx, 'menu.product-changed', data)
}

const rowsOf = (items: readonly MenuRow[], rowsOfItem: ReadonlyMap<string, number>): number =>
  items.reduce((sum, { id }) => sum + (rowsOfItem.get(id) ?? 0), 0)

export function startImport(ctx: Pick<Context, 'db' | 'clock' | 'jobs'>, actor: Actor, idOrSlug: string, id: string): Promise<MenuImport> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    const row = await lockImport(tx, business.id, id)
    if (row.status === 'running' || row.status === 'done' || row.status === 'undone') return toImport(row)
    if (row.status !== 'ready') throw new AppError('conflict', { message: row.error ?? 'This file is not complete yet.' })
    if (row.rows_refused > 0 && !row.skips_wrong_rows) {
      const rows = row.rows_refused === 1 ? 'One row has an error' : `${row.rows_refused} rows have errors`
      throw new AppError('conflict', { message: `${rows}. Correct the file, or skip rows with errors.` })
    }
    if (row.rows_refused === row.rows_total) throw new AppError('conflict', { message: 'No row of this file can be imported.' })
    await tx
      .updateTable('menu_imports')
      .set({ status: 'running', rows_done: 0, started_at: now, updated_at: now })
      .where('id', '=', id)
      .execute()
    await ctx.jobs.enqueue('menus.import', { importId: id }, { tx })
    return toImport(await importRow(tx, business.id, id))
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'menu_imports_one_at_a_time')) throw error
    throw new AppError('conflict', { message: "Another import of this menu is running. Wait until it's done." })
  })
}

/**
 * Restores what the import changed and deletes what it added. `anyway`: even if it was edited by hand since.
 * @throws AppError not_found, forbidden, age_restricted, conflict, plan_limit if there is no room for items deleted by hand
 */
export function undoImport(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  id: string,
  anyway: boolean,
): Promise<MenuImport> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    const row = await lockImport(tx, business.id, id)
    if (row.status === 'undone') return toImport(row)
    if (!row.can_undo) throw new AppError('conflict', { message: "This import can't be undone." })
    const touched = await touchedSince(tx, id)
    if (touched > 0 && !anyway) {
      const items = touched === 1 ? 'One item was' : `${touched} items were`
      throw new AppError('conflict', { message: `${items} changed by hand since this import. Undoing it loses those changes.` })
    }
    const { added, changed } = await touchedItems(tx, id)
    await restoreMenu(tx, business.id, { ids: changed, added, snapshotsOf: (ids) => snapshotsOf(id, ids) }, now)
    await tx.updateTable('menu_imports').set({ status: 'undone', updated_at: now }).where('id', '=', id).execute()
    await tx.deleteFrom('menu_import_changes').where('import_id', '=', id).execute()
    return toImport(await importRow(tx, business.id, id))
  })
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'menus.import': { importId: string }
    /** Drops files that were never imported, and recovers imports left by a killed server. */
    'menus.sweep-imports': Record<string, never>
    'menus.fetch-source': { sourceId: string }
    'menus.fetch-due': Record<string, never>
  }
}

export function menuImportJobs(ctx: Context): Pick<JobHandlers, Extract<JobName, `menus.${string}`>> {
  return {
    'menus.import': ({ importId }) => runImport(ctx, importId),
    'menus.sweep-imports': () => sweepImports(ctx),
    'menus.fetch-source': ({ sourceId }) => fetchSource(ctx, (id) => runImport(ctx, id), sourceId),
    'menus.fetch-due': () => fetchDueSources(ctx),
  }
}

export const menuImportSchedules: readonly JobSchedule[] = [
  { name: 'menus.sweep-imports', cron: '*/5 * * * *', data: {} },
  { name: 'menus.fetch-due', cron: '*/5 * * * *', data: {} },
]

/** Running imports update their progress about every second. */
const silentMs = 3 * minuteMs
const givenUpMs = 60 * minuteMs
const waitingMs = 2 * dayMs

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
        .where('finished_at', '<', before(undoDays * dayMs)),
    )
    .execute()
  await db
    .deleteFrom('menu_imports')
    .where('kind', '<>', 'file')
    .where('updated_at', '<', before(undoDays * dayMs))
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
