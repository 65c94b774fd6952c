import type { MenuItem } from '../../../contracts/menus.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { type Page, toPage } from '../../kernel/keyset.ts'
import { loadMenuItems } from './menu-items.view.ts'
import { requireKeeper } from './menu-lock.ts'
import { decodeMenuCursor, keyOfItem, type MenuFilter, menuItemsPage } from './products.queries.ts'

/** For those who keep the menu. @throws as `requireKeeper` */
export async function listMenuItems(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  query: MenuFilter & { limit: number; cursor?: string | undefined },
): Promise<Page<MenuItem>> {
  const { id } = await requireKeeper(db, actor, idOrSlug, clock.now())
  const keys = await menuItemsPage(db, id, query, decodeMenuCursor(query.cursor), query.limit + 1).execute()
  const { items, nextCursor } = toPage(keys, query.limit, keyOfItem)
  return {
    items: await loadMenuItems(
      db,
      items.map((item) => item.id),
    ),
    nextCursor,
  }
}
