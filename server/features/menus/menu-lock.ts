import { maxMenuRows } from '../../../contracts/menu-imports.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { businessEntitlements } from '../billing/index.ts'
import { requirePermission, type TeamBusiness } from '../team/index.ts'
import { requireMenuAge } from './menu-age.ts'
import { itemCount } from './products.queries.ts'

/** What a business without a plan may have on its menu. */
export const freeItems = 5
/** What any business may have: a menu is read whole to be imported into, and what was exported can be imported again. */
export const mostItems = maxMenuRows

/**
 * Holds a menu until the transaction ends: who adds to it or counts it comes one after the other. The lock is on the menu's own row
 * and not on the business's, because an import of many thousand items must not keep people from subscribing meanwhile.
 */
export async function lockMenu(tx: Tx, businessId: string): Promise<void> {
  await tx
    .insertInto('menu_settings')
    .values({ business_id: businessId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.selectFrom('menu_settings').select('business_id').where('business_id', '=', businessId).forUpdate().execute()
}

/**
 * Who may keep a menu, and see it as its keepers do. The law's age holds for them as for everybody.
 * @throws AppError not_found, forbidden, age_restricted
 */
export async function requireKeeper(db: Db, actor: Actor, idOrSlug: string, now: Date, options?: { lock: true }): Promise<TeamBusiness> {
  const business = await requirePermission(db, actor, idOrSlug, 'menu', options)
  requireMenuAge(actor, business, now)
  return business
}

/** A write to a menu: the menu is held, and whoever writes may do so until it is done. @throws as `requireKeeper` */
export async function changeMenu<Answer>(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  write: (tx: Tx, business: TeamBusiness) => Promise<Answer>,
): Promise<Answer> {
  // Before anything is locked, so that strangers lock nothing.
  const { id } = await requireKeeper(db, actor, idOrSlug, clock.now())
  return inTransaction(db, async (tx) => {
    await lockMenu(tx, id)
    return write(tx, await requireKeeper(tx, actor, id, clock.now(), { lock: true }))
  })
}

/** Null: without limit. */
export const itemLimit = async (db: Db, businessId: string, now: Date): Promise<number | null> =>
  (await businessEntitlements(db, businessId, now)).has('unlimited_menu') ? null : freeItems

/** Asked with the menu held. @throws AppError plan_limit when so many more do not fit, conflict when they would on no plan */
export async function requireRoom(tx: Tx, businessId: string, more: number, now: Date): Promise<void> {
  if (more <= 0) return
  const limit = await itemLimit(tx, businessId, now)
  const count = await itemCount(tx, businessId)
  if (limit !== null && count + more > limit) throw new AppError('plan_limit', { message: noRoom(count, more, limit) })
  if (count + more > mostItems)
    throw new AppError('conflict', { message: `A menu can have at most ${mostItems} items; this one has ${count}.` })
}

export function noRoom(count: number, more: number, limit: number): string {
  const plan = `A free account has room for ${limit} menu items`
  if (count > limit) return `${plan}. The ${count} that are on this menu stay, but none can be added without Business Tools.`
  const wanted = more === 1 ? '' : `, and ${more} more do not fit`
  return `${plan}; this menu has ${count}${wanted}. Remove some, or choose Business Tools for a menu without limit.`
}
