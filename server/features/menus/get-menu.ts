import type { ResponseOf } from '../../../contracts/endpoint.ts'
import { type getMenu as contract, type ProductCategory, productCategories } from '../../../contracts/menus.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { requireBusiness } from '../businesses/index.ts'
import { requireLocation } from '../locations/index.ts'
import { requireMenuAge } from './menu-age.ts'
import { menuCounts } from './products.queries.ts'

type Menu = ResponseOf<typeof contract>

/** @throws AppError not_found, age_restricted */
export async function getMenu(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor | null,
  idOrSlug: string,
  location: string | null,
): Promise<Menu> {
  const business = await requireBusiness(db, idOrSlug, actor?.id ?? null)
  requireMenuAge(actor, business, clock.now())
  return menuSummary(db, business.id, location)
}

/** What a menu holds. Whether the viewer is old enough is for the caller to know. @throws AppError not_found */
export async function menuSummary(db: Db, businessId: string, location: string | null): Promise<Menu> {
  if (location !== null) await requireLocation(db, businessId, location)
  const rows = await menuCounts(db, businessId, location)
  const times = rows.map((row) => row.confirmed_at.getTime())
  return {
    itemCount: rows.reduce((sum, row) => sum + row.item_count, 0),
    categories: rows.map((row) => ({ category: productCategories[row.category_rank] as ProductCategory, itemCount: row.item_count })),
    confirmedAt: times.length > 0 ? new Date(Math.min(...times)).toISOString() : null,
  }
}
