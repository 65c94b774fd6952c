import type { MenuItem, MenuItemChange } from '../../../contracts/menus.ts'
import type { Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { locationsForOffers } from '../locations/index.ts'
import { businessWords } from '../screening/index.ts'
import { skuTaken } from './add-menu-item.ts'
import { checkOffers, checkUploads, replaceOffers } from './item-attachments.ts'
import { checkTogether, type FieldErrors, itemWords, withChange } from './item-input.ts'
import { loadMenuItems } from './menu-items.view.ts'
import { changeMenu } from './menu-lock.ts'
import { type ItemRow, lockItems, type StoredItem, takenSkus, updateItems } from './product-rows.queries.ts'

type Change = MenuItemChange & { id: string; version: number }
type Planned = { change: Change; before: StoredItem; after: ItemRow }

/** All of the changes or none. @throws AppError not_found, forbidden, muted, age_restricted, invalid_input, conflict */
export function changeMenuItems(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  idOrSlug: string,
  changes: readonly Change[],
): Promise<MenuItem[]> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    const plan = await planChanges(tx, business.id, changes)
    const errors = await checkPlan(tx, ctx, business.id, actor, plan)
    if (Object.keys(errors).length > 0) throw new AppError('invalid_input', { fields: errors })
    await updateItems(
      tx,
      plan.map(({ after }) => after),
      now,
    )
    await replaceOffers(
      tx,
      plan.flatMap(({ change: { id, offers } }) => (offers === undefined ? [] : [{ id, offers }])),
    )
    if (plan.some(({ before, after }) => isGoodNews(before, after))) {
      await ctx.events.publish(tx, 'menu.product-changed', { businessId: business.id })
    }
    return loadMenuItems(
      tx,
      plan.map(({ change }) => change.id),
    )
  })
}

/** Cheaper than before, or in stock again. */
export const isGoodNews = (before: ItemRow, after: ItemRow): boolean =>
  after.is_available && (!before.is_available || after.price_cents < before.price_cents)

/** @throws AppError conflict that names the items which were changed or removed since they were read */
async function planChanges(tx: Tx, businessId: string, changes: readonly Change[]): Promise<Planned[]> {
  const twice = changes.findIndex(({ id }, i) => changes.findIndex((other) => other.id === id) !== i)
  if (twice !== -1) throw invalidField(`changes.${twice}.id`, 'This item is named twice')
  const stored = await lockItems(
    tx,
    businessId,
    changes.map(({ id }) => id),
  )
  const byId = new Map(stored.map((row) => [row.id, row]))
  const stale = changes.flatMap(({ id, version }) => {
    const row = byId.get(id)
    return row && row.version !== version ? [`“${row.name}”`] : []
  })
  const goneCount = changes.filter(({ id }) => !byId.has(id)).length
  if (stale.length + goneCount > 0) throw new AppError('conflict', { message: staleWords(stale, goneCount) })
  return changes.map((change) => {
    const before = byId.get(change.id) as StoredItem
    return { change, before, after: withChange(before, change) }
  })
}

const mostNamed = 5

function staleWords(names: readonly string[], goneCount: number): string {
  const others = names.length - mostNamed
  const named = others > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${others} more` : names.join(' and ')
  const changed = names.length > 0 ? `${named} ${names.length === 1 ? 'was' : 'were'} changed by somebody else since.` : ''
  const gone = goneCount > 0 ? `${goneCount === 1 ? 'One item is' : `${goneCount} items are`} not on the menu any more.` : ''
  return [changed, gone, 'Nothing was saved. Reload the menu and change it again.'].filter(Boolean).join(' ')
}

/** What is wrong, by `changes.<index>.<field>`. */
async function checkPlan(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  businessId: string,
  actor: Actor,
  plan: readonly Planned[],
): Promise<FieldErrors> {
  const errors: FieldErrors = {}
  const add = (index: number, found: FieldErrors) => {
    for (const [field, message] of Object.entries(found)) errors[`changes.${index}.${field}`] = message
  }
  const skus = plan.flatMap(({ after }) => after.sku ?? [])
  const ids = plan.map(({ change }) => change.id)
  const taken = await takenSkus(tx, businessId, skus, ids)
  const named = plan.flatMap(({ change }) => (change.offers ?? []).map(({ locationId }) => locationId))
  const locations = await locationsForOffers(tx, businessId, named, ctx.clock.now())
  const refusedIn = await businessWords(tx, ctx, actor, 'menu_item', businessId)
  const isRepeated = (sku: string) => skus.indexOf(sku) !== skus.lastIndexOf(sku)
  for (const [index, { change, before, after }] of plan.entries()) {
    add(index, checkTogether(after))
    add(index, refusedIn(itemWords(after), Object.values(itemWords(before))))
    const isNewSku = after.sku !== before.sku
    if (after.sku !== null && isNewSku && (taken.has(after.sku) || isRepeated(after.sku))) add(index, { sku: skuTaken })
    add(index, await checkUploads(tx, actor.id, { before, after }))
    if (change.offers !== undefined) add(index, checkOffers(change.offers, locations))
  }
  return errors
}
