import type { MenuFileField, MenuImport } from '../../../contracts/menu-imports.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { type ItemRow, insertItems, isGoodNews, lockMenu, requireRoom, updateItems, wholeMenu } from '../menus/index.ts'
import { businessWords, type WordCheck } from '../screening/index.ts'
import { planFile } from './check-file.ts'
import { failImport, finishImport, importFile, keepAdded, keepBefore, tellProgress } from './imports.queries.ts'
import { type MenuFile, MenuFileRefused, readMenuFile } from './read-menu-file.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'log'>

const batchSize = 1000
const mostRowErrors = 100

/**
 * Imports a file that was started, all of it in one transaction: a server that is killed on the way leaves the menu as it was, and
 * the job comes again. One that cannot be done is marked as failed, and changes nothing.
 */
export async function runImport(ctx: Ctx, importId: string): Promise<void> {
  const row = await ctx.db.selectFrom('menu_imports').select('status').where('id', '=', importId).executeTakeFirst()
  if (row?.status !== 'running') return
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

type Work = {
  added: ItemRow[]
  changed: ItemRow[]
  others: number
  refused: number
  rowErrors: MenuImport['rowErrors']
  isGoodNews: boolean
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
  // A muted person couldn't start it.
  const work = await planWork(tx, row.business_id, file, fields, await businessWords(tx, ctx, null, 'menu_item', row.business_id))
  const [first] = work.rowErrors
  if (first && !row.skips_wrong_rows)
    throw new MenuFileRefused(`Row ${first.row}: ${first.message.replace(/\.$/, '')}. Nothing was changed.`)
  const now = ctx.clock.now()
  await requireRoom(tx, row.business_id, work.added.length, now)

  let rowsDone = work.others + work.refused
  const inBatches = async (items: readonly ItemRow[], write: (batch: ItemRow[], ids: string[]) => Promise<void>) => {
    for (let at = 0; at < items.length; at += batchSize) {
      const batch = items.slice(at, at + batchSize)
      await write(
        batch,
        batch.map((item) => item.id),
      )
      rowsDone += batch.length
      // Not worth an import when it cannot be told.
      await tellProgress(ctx.db, importId, rowsDone, ctx.clock.now()).catch((err: unknown) =>
        ctx.log.warn({ err }, 'the progress of an import was not told'),
      )
    }
  }
  await inBatches(work.changed, async (batch, ids) => {
    await keepBefore(tx, importId, ids)
    await updateItems(tx, batch, now)
  })
  await inBatches(work.added, async (batch, ids) => {
    await insertItems(tx, row.business_id, batch, now)
    await keepAdded(tx, importId, ids)
  })
  const { refused: rowsRefused, rowErrors } = work
  const done = { rowsRefused, rowErrors, itemsAdded: work.added.length, itemsChanged: work.changed.length }
  if (!(await finishImport(tx, importId, done, now))) throw new MenuFileRefused('The import was given up meanwhile. Nothing was changed.')
  const data = { businessId: row.business_id }
  if (work.added.length > 0) await ctx.events.publish(tx, 'menu.product-added', data)
  else if (work.isGoodNews) await ctx.events.publish(tx, 'menu.product-changed', data)
}

async function planWork(tx: Tx, businessId: string, file: MenuFile, fields: (MenuFileField | null)[], refusedIn: WordCheck): Promise<Work> {
  const menu = await wholeMenu(tx, businessId)
  const before = new Map(menu.map((item) => [item.id, item]))
  const work: Work = { added: [], changed: [], others: 0, refused: 0, rowErrors: [], isGoodNews: false }
  await planFile(file, fields, menu, refusedIn, (placed, row) => {
    if (placed.effect === 'refused') {
      work.refused++
      for (const error of placed.errors) if (work.rowErrors.length < mostRowErrors) work.rowErrors.push({ row: row.row, ...error })
    } else if (placed.effect === 'same') work.others++
    else if (placed.effect === 'add') work.added.push(placed.item)
    else {
      work.changed.push(placed.item)
      const old = before.get(placed.item.id)
      work.isGoodNews ||= old !== undefined && isGoodNews(old, placed.item)
    }
  })
  return work
}
