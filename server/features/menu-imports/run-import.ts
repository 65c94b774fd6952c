import { sql } from 'kysely'
import type { MenuImport, MissingItems } from '#contracts/menu-imports.endpoints.ts'
import { dayMs, minuteMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import {
  changeMenu,
  confirmItems,
  dayAt,
  deleteItems,
  insertItems,
  isGoodNews,
  lockMenu,
  type MenuRow,
  requireRoom,
  restoreMenu,
  stateTax,
  updateItems,
  wholeMenu,
} from '#server/features/menus/index.ts'
import { linkProductsAgain } from '#server/features/posts/index.ts'
import { businessWords } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import type { JobHandlers, JobName, JobSchedule } from '#server/kernel/jobs.ts'
import { columnName, outcomeOf } from './check-file.ts'
import { type FetchedFile, type FetchJob, fetchDueSources, fetchSource, shrunk } from './fetch-source.ts'
import {
  type FileMapping,
  failImport,
  finishImport,
  hasImported,
  importFile,
  importRow,
  lockImport,
  postsAbout,
  rememberMapping,
  reportProgress,
  saveAdded,
  saveBefore,
  saveConfirmed,
  saveRemoved,
  snapshotsOf,
  touchedItems,
  touchedSince,
  unconfirm,
  undoDays,
} from './imports.queries.ts'
import { fetchPictures, namePictures, sweepPictures } from './menu-pictures.ts'
import { type MenuFile, MenuFileRefused, reasonHeader } from './menu-table.ts'
import { isAccepted, moveReoffered, type Plan, writeOffers } from './plan.ts'
import { planFile } from './plan-file.ts'
import { readMenuFile } from './read-menu-file.ts'
import { rowsOfShop, shopNames } from './rows-of-shop.ts'
import { analyzeFile, headerHash, toImport } from './send-file.ts'
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

/** @throws AppError plan_limit or conflict if the menu has no room, MenuFileRefused */
async function applyFile(ctx: Ctx, tx: Tx, importId: string, whole: MenuFile): Promise<void> {
  const row = await tx
    .selectFrom('menu_imports')
    .select(['business_id', 'columns', 'skips_wrong_rows', 'keeps_rows_apart', 'missing_items', 'prices_include_tax'])
    .where('id', '=', importId)
    .executeTakeFirst()
  if (!row) return
  const { business_id: businessId } = row
  await lockMenu(tx, businessId)
  // Another process may have run the same job first.
  const { status } = await tx.selectFrom('menu_imports').select('status').where('id', '=', importId).executeTakeFirstOrThrow()
  if (status !== 'running') return
  const fields = (row.columns as MenuImport['columns']).map((column) => column.field)
  const names = await shopNames(tx, businessId)
  const { file, elsewhere } = rowsOfShop(whole, fields, names)
  const options = { keepsRowsApart: row.keeps_rows_apart, missingItems: row.missing_items as MissingItems }
  // Muted people can't start an import, so the mute isn't checked here.
  const refusedIn = await businessWords(tx, ctx, null, 'menu_item', businessId)
  const plan = await planFile(file, fields, await wholeMenu(tx, businessId), refusedIn, options, names)
  await moveReoffered(tx, plan, plan.offers)
  const outcome = outcomeOf(plan, file, fields, elsewhere)
  const [first] = outcome.rowErrors
  if (first && !row.skips_wrong_rows) throw new MenuFileRefused(`Row ${first.row}: ${first.message.replace(/\.$/, '')}.`)
  const now = ctx.clock.now()
  await requireRoom(tx, businessId, plan.added.length - plan.removed.length, now)
  await applyPlan(ctx, tx, { importId, businessId, plan }, now)
  await writeOffers(tx, businessId, plan.offers, now)
  const includedTaxBefore = row.prices_include_tax === null ? null : await stateTax(tx, businessId, row.prices_include_tax, now)
  await rememberFile(tx, businessId, file, { fields, ...options }, now)
  if (!(await finishImport(tx, importId, outcome, includedTaxBefore, now)))
    throw new MenuFileRefused('The import was canceled in the meantime.')
  const { added, changed } = plan
  const today = await dayAt(tx, businessId, now)
  if (added.length > 0) await ctx.events.publish(tx, 'menu.product-added', { businessId })
  else if (changed.some(({ before, after }) => isGoodNews(before, after, today)))
    await ctx.events.publish(tx, 'menu.product-changed', { businessId })
}

/** Ignores files of corrected rows. If a first file leaves missing items alone, later files put them out of stock by default. */
async function rememberFile(tx: Tx, businessId: string, { header }: MenuFile, mapping: FileMapping, now: Date): Promise<void> {
  if (header.includes(reasonHeader)) return
  const isFirst = mapping.missingItems === 'leave' && !(await hasImported(tx, businessId))
  await rememberMapping(tx, businessId, headerHash(header), isFirst ? { ...mapping, missingItems: 'out_of_stock' } : mapping, now)
}

type Applying = { importId: string; businessId: string; plan: Plan }

async function applyPlan(ctx: Ctx, tx: Tx, { importId, businessId, plan }: Applying, now: Date): Promise<void> {
  const rowsOfItem = new Map<string, number>()
  for (const { placed } of plan.rows) {
    if (isAccepted(placed)) rowsOfItem.set(placed.item.id, (rowsOfItem.get(placed.item.id) ?? 0) + 1)
  }
  const changed = [...plan.changed, ...plan.missing].map(({ after }) => after)
  let rowsDone = plan.rows.length - rowsOf([...changed, ...plan.added], rowsOfItem)
  const inBatches = async <Item>(items: readonly Item[], write: (batch: Item[]) => Promise<unknown>) => {
    for (let at = 0; at < items.length; at += batchSize) await write(items.slice(at, at + batchSize))
  }
  const inSteps = (items: readonly MenuRow[], write: (batch: MenuRow[], ids: string[]) => Promise<void>) =>
    inBatches(items, async (batch) => {
      await write(batch, idsOf(batch))
      rowsDone += rowsOf(batch, rowsOfItem)
      // A failed progress update must not fail the import.
      await reportProgress(ctx.db, importId, rowsDone, ctx.clock.now()).catch((err: unknown) =>
        ctx.log.warn({ err }, 'the progress of an import could not be sent'),
      )
    })
  await inBatches(plan.removed, async (ids) => {
    await saveRemoved(tx, importId, ids)
    await deleteItems(tx, businessId, ids)
  })
  await inSteps(changed, async (batch, ids) => {
    await saveBefore(tx, importId, ids)
    await updateItems(tx, businessId, batch, now, true)
  })
  await inSteps(plan.added, async (batch, ids) => {
    await insertItems(tx, businessId, batch, now)
    await saveAdded(tx, importId, ids)
  })
  await inBatches(plan.confirmed, async (ids) => {
    await saveConfirmed(tx, importId, ids)
    await confirmItems(tx, businessId, ids, now)
  })
  const pictures = plan.rows.flatMap(({ read, placed }) => (isAccepted(placed) ? (read.item.picture_url ?? []) : []))
  await namePictures(tx, ctx, businessId, pictures, plan)
}

const rowsOf = (items: readonly MenuRow[], rowsOfItem: ReadonlyMap<string, number>): number =>
  items.reduce((sum, { id }) => sum + (rowsOfItem.get(id) ?? 0), 0)

/**
 * Imports a file that no person uploaded, such as one fetched from an address, and returns when it is done. Call it outside a transaction.
 * Columns, missing items and sizes are treated as in the last import of a file with this header; columns of an unknown header are guessed.
 * Rows with errors are skipped; `rowErrors` and `rejectedRows` list them. Nothing changes, the status is
 * `failed`, and `error` has the reason if the file is unreadable or too short, if its columns can't be guessed, or if the plan has no room.
 * @throws AppError conflict while another import or sync of this menu runs
 */
export async function importMenuFile(ctx: Ctx, file: FetchedFile): Promise<MenuImport> {
  const { businessId } = file
  const id = await insertFetchedFile(ctx, file)
  await analyzeFile(ctx, businessId, await importRow(ctx.db, businessId, id), null)
  const found = await importRow(ctx.db, businessId, id)
  if (found.status !== 'ready') return toImport(found)
  if (found.rows_total < file.minRows) {
    await failImport(ctx.db, id, shrunk(found.rows_total), ctx.clock.now())
    return toImport(await importRow(ctx.db, businessId, id))
  }
  if (found.rows_refused === found.rows_total) {
    await failImport(ctx.db, id, `No row of this file can be imported. ${firstReason(toImport(found))}`.trim(), ctx.clock.now())
    return toImport(await importRow(ctx.db, businessId, id))
  }
  const now = ctx.clock.now()
  await ctx.db
    .updateTable('menu_imports')
    .set({ status: 'running', skips_wrong_rows: true, started_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
    .catch(async (error: unknown) => {
      await ctx.db.deleteFrom('menu_imports').where('id', '=', id).execute()
      refuseSecond(error)
    })
  await runImport(ctx, id)
  return toImport(await importRow(ctx.db, businessId, id))
}

function firstReason({ columns, rowErrors: [first] }: MenuImport): string {
  return first?.field ? `${columnName(columns, first.field)}: ${first.message}` : (first?.message ?? '')
}

function insertFetchedFile({ db, clock }: Ctx, { businessId, fileName, bytes, sourceId, userId }: FetchedFile): Promise<string> {
  const id = newId()
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    await tx
      .insertInto('menu_imports')
      .values({
        id,
        business_id: businessId,
        user_id: userId,
        source_id: sourceId,
        file_name: fileName,
        status: 'receiving',
        byte_size: bytes.length,
        received_bytes: bytes.length,
        created_at: now,
        updated_at: now,
      })
      .execute()
    await tx.insertInto('menu_import_pieces').values({ import_id: id, starts_at: 0, bytes }).execute()
    return id
  })
}

function refuseSecond(error: unknown): never {
  if (!isUniqueViolation(error, 'menu_imports_one_at_a_time')) throw error
  throw new AppError('conflict', { message: 'Another import of this menu is running. Wait until it’s done.' })
}

export function startImport(ctx: Pick<Context, 'db' | 'clock' | 'jobs'>, actor: Actor, idOrSlug: string, id: string): Promise<MenuImport> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    const row = await lockImport(tx, business.id, id)
    if (row.status === 'running' || row.status === 'done' || row.status === 'undone') return toImport(row)
    if (row.status !== 'ready') throw new AppError('conflict', { message: row.error ?? 'This file hasn’t been fully uploaded yet.' })
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
  }).catch(refuseSecond)
}

/**
 * Restores what the import changed and deletes what it added. `anyway` allows this even if items have changed since.
 * @throws AppError not_found, forbidden, age_restricted, conflict, plan_limit if there is no room for items deleted manually
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
    if (!row.can_undo) throw new AppError('conflict', { message: 'This import can’t be undone.' })
    const touched = await touchedSince(tx, id)
    if (touched > 0 && !anyway) {
      const items = touched === 1 ? 'One item was' : `${touched} items were`
      throw new AppError('conflict', { message: `${items} changed since this import. Undoing it would discard those changes.` })
    }
    const { added, changed } = await touchedItems(tx, id)
    await unconfirm(tx, id)
    if (row.included_tax_before !== null) await stateTax(tx, business.id, row.included_tax_before, now)
    await restoreMenu(tx, business.id, { ids: changed, added, snapshotsOf: (ids) => snapshotsOf(id, ids) }, now)
    await linkProductsAgain(tx, await postsAbout(tx, id))
    await tx.updateTable('menu_imports').set({ status: 'undone', updated_at: now }).where('id', '=', id).execute()
    await tx.deleteFrom('menu_import_changes').where('import_id', '=', id).execute()
    return toImport(await importRow(tx, business.id, id))
  })
}

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'menus.import': { importId: string }
    /** Drops files that were never imported and undo data that expired, and recovers imports left by a killed server. */
    'menus.sweep-imports': Record<string, never>
    'menus.fetch-source': FetchJob
    'menus.fetch-due': Record<string, never>
  }
}

export function menuImportJobs(ctx: Context): Pick<JobHandlers, Extract<JobName, `menus.${string}`>> {
  let hasSweptOld = false
  return {
    'menus.import': ({ importId }) => runImport(ctx, importId),
    async 'menus.sweep-imports'() {
      await sweepImports(ctx, hasSweptOld ? 2 * undoDays * dayMs : null)
      hasSweptOld = true
    },
    'menus.fetch-source': (data) => fetchSource(ctx, { runImport, importMenuFile }, data),
    'menus.fetch-due': () => fetchDueSources(ctx),
    'menus.fetch-pictures': ({ businessId }) => fetchPictures(ctx, businessId),
  }
}

export const menuImportSchedules: readonly JobSchedule[] = [
  { name: 'menus.sweep-imports', cron: '*/5 * * * *', data: {} },
  { name: 'menus.fetch-due', cron: '*/5 * * * *', data: {} },
]

/** Running imports update their progress after each batch. */
const silentMs = 3 * minuteMs
const givenUpMs = 60 * minuteMs
const waitingMs = 2 * dayMs

/**
 * `sweptMs` is how far back to look for imports that can no longer be undone: reading all of them every time would take longer each year.
 * Null looks at all of them, because the server may have been off for a long time.
 */
async function sweepImports(ctx: Pick<Context, 'db' | 'clock' | 'jobs'>, sweptMs: number | null): Promise<void> {
  const { db } = ctx
  await sweepPictures(ctx)
  const now = ctx.clock.now()
  const before = (ms: number) => new Date(now.getTime() - ms)
  // Literals, so that PostgreSQL can use the partial indexes.
  await db
    .deleteFrom('menu_imports')
    .where(sql<boolean>`status in ('receiving', 'ready')`)
    .where('updated_at', '<', before(waitingMs))
    .execute()
  await db
    .deleteFrom('menu_import_changes')
    .where('import_id', 'in', (eb) =>
      eb
        .selectFrom('menu_imports')
        .select('id')
        .$if(sweptMs !== null, (query) => query.where('updated_at', '>', before(sweptMs ?? 0)))
        .where('updated_at', '<', before(undoDays * dayMs))
        .where('finished_at', '<', before(undoDays * dayMs)),
    )
    .execute()
  await db
    .deleteFrom('menu_imports')
    .where(sql<boolean>`(kind <> 'file' or source_id is not null)`)
    .where('updated_at', '<', before(undoDays * dayMs))
    .execute()
  const silent = await db
    .selectFrom('menu_imports')
    .select(['id', 'started_at'])
    .where(sql<boolean>`status = 'running'`)
    .where('updated_at', '<', before(silentMs))
    .execute()
  for (const { id, started_at } of silent) {
    if ((started_at ?? now) < before(givenUpMs)) await failImport(db, id, 'The import couldn’t be finished. Try again.', now)
    // If the original job still exists, the one that runs first does the work.
    else await ctx.jobs.enqueue('menus.import', { importId: id })
  }
}
