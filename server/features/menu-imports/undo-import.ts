import type { MenuImport } from '../../../contracts/menu-imports.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { changeMenu, restoreMenu } from '../menus/index.ts'
import { importRow, lockImport, snapshotsOf, touchedItems, touchedSince } from './imports.queries.ts'
import { toImport } from './imports.view.ts'

/**
 * Puts back what the import found, and removes what it added. `anyway`: also where somebody changed it by hand since.
 * @throws AppError not_found, forbidden, age_restricted, conflict, plan_limit when items that were removed by hand have no room
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
    if (!row.can_undo) throw new AppError('conflict', { message: 'This import cannot be undone (any more).' })
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
