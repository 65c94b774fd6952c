import type { MenuImport } from '../../../contracts/menu-imports.ts'
import { isUniqueViolation } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { changeMenu } from '../menus/index.ts'
import { importRow, lockImport } from './imports.queries.ts'
import { toImport } from './imports.view.ts'

/** The work is done by a job; see `run-import.ts`. @throws AppError not_found, forbidden, age_restricted, conflict */
export function startImport(ctx: Pick<Context, 'db' | 'clock' | 'jobs'>, actor: Actor, idOrSlug: string, id: string): Promise<MenuImport> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    const row = await lockImport(tx, business.id, id)
    if (row.status === 'running' || row.status === 'done' || row.status === 'undone') return toImport(row)
    if (row.status !== 'ready') throw new AppError('conflict', { message: row.error ?? 'This file is not complete yet.' })
    if (row.rows_refused > 0 && !row.skips_wrong_rows) {
      const rows = row.rows_refused === 1 ? 'One row is wrong' : `${row.rows_refused} rows are wrong`
      throw new AppError('conflict', { message: `${rows}. Correct the file, or choose to leave wrong rows out.` })
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
    throw new AppError('conflict', { message: 'Another import of this menu is running. Wait until it is done.' })
  })
}
