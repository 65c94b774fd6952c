import { figure } from '#contracts/fields.ts'
import { maxMenuRows } from '#contracts/limits.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { businessEntitlements } from '#server/features/billing/index.ts'
import { type Jurisdiction, maySeeProducts, productAgeOf } from '#server/features/jurisdictions/index.ts'
import { requirePermission, type TeamBusiness } from '#server/features/team/index.ts'
import { type Actor, ageOf } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { itemCount } from './products.queries.ts'

/** Maximum number of items without a plan. */
export const freeItems = 5
/** Maximum number of items of any business, because imports read the whole menu. */
export const maxItems = maxMenuRows

/**
 * Locks a menu until the transaction ends, so that additions and counts are serialized. Locks the menu's own row instead of
 * the business, because an import of thousands of items must not block subscriptions.
 */
export async function lockMenu(tx: Tx, businessId: string): Promise<void> {
  await tx
    .insertInto('menu_settings')
    .values({ business_id: businessId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx.selectFrom('menu_settings').select('business_id').where('business_id', '=', businessId).forUpdate().execute()
}

/** The legal age applies to team members too. */
export async function requireMenuEditor(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  now: Date,
  options?: { lock: true },
): Promise<TeamBusiness> {
  const business = await requirePermission(db, actor, idOrSlug, 'menu', options)
  requireMenuAge(actor, business, now)
  return business
}

/** Locks the menu and the actor's permission until the write is done. @throws the same errors as `requireMenuEditor` */
export async function changeMenu<Answer>(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  write: (tx: Tx, business: TeamBusiness) => Promise<Answer>,
): Promise<Answer> {
  // The permission is checked before locking, so that strangers can't lock anything.
  const { id } = await requireMenuEditor(db, actor, idOrSlug, clock.now())
  return inTransaction(db, async (tx) => {
    await lockMenu(tx, id)
    return write(tx, await requireMenuEditor(tx, actor, id, clock.now(), { lock: true }))
  })
}

/** Null means no limit. */
export const itemLimit = async (db: Db, businessId: string, now: Date): Promise<number | null> =>
  (await businessEntitlements(db, businessId, now)).has('unlimited_menu') ? null : freeItems

/** The menu must be locked. @throws AppError plan_limit if the plan has no room for `more` items, conflict if no plan does */
export async function requireRoom(tx: Tx, businessId: string, more: number, now: Date): Promise<void> {
  if (more <= 0) return
  const limit = await itemLimit(tx, businessId, now)
  const count = await itemCount(tx, businessId)
  if (limit !== null && count + more > limit) throw new AppError('plan_limit', { message: noRoom(count, more, limit) })
  if (count + more > maxItems)
    throw new AppError('conflict', {
      message: `A menu can have up to ${figure(maxItems)} items; this one has ${figure(count)}.`,
    })
}

export function noRoom(count: number, more: number, limit: number): string {
  const plan = `A free account can have ${limit} menu items`
  if (count > limit) return `${plan}. You can keep the ${count} on this menu, but you need Business Tools to add more.`
  const wanted = more === 1 ? '' : `, so ${more} more won’t fit`
  return `${plan}; this menu has ${count}${wanted}. Remove some, or get Business Tools for an unlimited menu.`
}

/** Call it before showing any product. @throws AppError age_restricted for viewers below the age or of unknown age */
export function requireMenuAge(actor: Actor | null, business: Jurisdiction, now: Date): void {
  if (maySeeProducts(ageOf(actor, now), business)) return
  const { minimumAge } = productAgeOf(business)
  const advice = actor ? '' : ' Sign in to confirm your age.'
  throw new AppError('age_restricted', {
    message: `You must be ${minimumAge} or older to see this business’s products. Its profile is open to everyone.${advice}`,
  })
}
