import { type RawBuilder, sql } from 'kysely'
import type { MenuItem, MenuItemChange, NewMenuItem } from '#contracts/menus.ts'
import type { Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { locationsForOffers } from '#server/features/locations/index.ts'
import { businessWords } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import {
  checkOffers,
  checkTogether,
  checkUploads,
  checkVariants,
  type FieldErrors,
  namedLocations,
  newRow,
  offersOf,
  replaceOffers,
  withChange,
  wordsOf,
} from './item-input.ts'
import { changeMenu, itemLimit, noRoom, requireRoom } from './menu-lock.ts'
import {
  deleteItems,
  type Effects,
  effects,
  followUp,
  insertItems,
  itemColumns,
  lockItems,
  type MenuRow,
  type StoredItem,
  updateItems,
} from './product-rows.queries.ts'
import { itemCount } from './products.queries.ts'
import { loadMenuItems } from './read-menu.ts'
import { dayAt, figureColumns, isSaleOn, refreshFigures, takenSkus, type VariantRow, variantColumns } from './variant-rows.queries.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    'menu.product-added': { businessId: string }
    'menu.product-changed': { businessId: string }
  }
}

type Change = MenuItemChange & { id: string; version: number }
type Planned = { change: Change; before: StoredItem; after: MenuRow }

/** Applies all changes or none. */
export function updateMenuItems(
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
      business.id,
      plan.map(({ after }) => after),
      now,
    )
    await replaceOffers(
      tx,
      plan.flatMap(({ change: { variants }, after }) => (variants === undefined ? [] : offersOf({ variants }, after))),
    )
    const today = await dayAt(tx, business.id, now)
    if (plan.some(({ before, after }) => isGoodNews(before, after, today))) {
      await ctx.events.publish(tx, 'menu.product-changed', { businessId: business.id })
    }
    return loadMenuItems(
      tx,
      plan.map(({ change }) => change.id),
    )
  })
}

/** Whether a variant in stock is new, was out of stock before, or costs everyone less today. */
export function isGoodNews(before: MenuRow, after: MenuRow, today: string): boolean {
  const paidCents = (variant: VariantRow) => (isSaleOn(variant, today) ? variant.sale_price_cents : null) ?? variant.price_cents
  const known = new Map(before.variants.map((variant) => [variant.id, variant]))
  return after.variants.some((variant) => {
    const old = known.get(variant.id)
    return isInStock(variant) && (!old || !isInStock(old) || paidCents(variant) < paidCents(old))
  })
}

const isInStock = ({ is_available, stock }: VariantRow) => is_available && stock !== 0

/** @throws AppError conflict that names changed items and counts deleted ones; invalid_input for an item listed twice */
async function planChanges(tx: Tx, businessId: string, changes: readonly Change[]): Promise<Planned[]> {
  const twice = changes.findIndex(({ id }, i) => changes.findIndex((other) => other.id === id) !== i)
  if (twice !== -1) throw invalidField(`changes.${twice}.id`, 'This item is listed twice')
  const stored = await lockItems(tx, businessId, idsOf(changes))
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

const maxNamed = 5

function staleWords(names: readonly string[], goneCount: number): string {
  const others = names.length - maxNamed
  const named = others > 0 ? `${names.slice(0, maxNamed).join(', ')} and ${others} more` : names.join(' and ')
  const changed = names.length > 0 ? `${named} ${names.length === 1 ? 'was' : 'were'} changed by someone else in the meantime.` : ''
  const gone = goneCount > 0 ? `${goneCount === 1 ? 'One item is' : `${goneCount} items are`} no longer on the menu.` : ''
  return [changed, gone, 'Nothing was saved. Reload the menu and change it again.'].filter(Boolean).join(' ')
}

/** Returns errors by `changes.<index>.<field>`. */
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
  const skus = plan.flatMap(({ after }) => skusOf(after))
  const ids = plan.map(({ change }) => change.id)
  const taken = await takenSkus(tx, businessId, skus, ids)
  const named = plan.flatMap(({ change: { variants = [] } }) => namedLocations({ variants }))
  const locations = await locationsForOffers(tx, businessId, named, ctx.clock.now())
  const refusedIn = await businessWords(tx, ctx, actor, 'menu_item', businessId)
  const used = usedSkus(skus, taken)
  for (const [index, { change, before, after }] of plan.entries()) {
    const { variants } = change
    const wrongList = variants === undefined ? {} : checkVariants(before.variants, variants)
    add(index, wrongList)
    // The other checks identify variants by their position, so they need a valid list.
    if (Object.keys(wrongList).length > 0) continue
    add(index, checkTogether(after, before))
    add(index, refusedIn(wordsOf(after), Object.values(wordsOf(before))))
    add(index, checkSkus(before, after, used))
    add(index, await checkUploads(tx, actor.id, { before, after }))
    if (variants !== undefined) add(index, checkOffers({ variants }, after, locations))
  }
  return errors
}

const skusOf = ({ variants }: MenuRow): string[] => variants.flatMap(({ sku }) => sku ?? [])

const usedSkus = (skus: readonly string[], taken: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(skus.filter((sku, i) => taken.has(sku) || skus.indexOf(sku) !== i))

/** A variant may keep its own SKU. */
function checkSkus(before: MenuRow | null, after: MenuRow, used: ReadonlySet<string>): FieldErrors {
  const had = new Map(before?.variants.map(({ id, sku }) => [id, sku]))
  const errors: FieldErrors = {}
  for (const [i, { id, sku }] of after.variants.entries()) {
    if (sku !== null && sku !== had.get(id) && used.has(sku)) {
      errors[`variants.${i}.sku`] = 'Another item or size on this menu has this SKU'
    }
  }
  return errors
}

export function addMenuItem(
  ctx: Pick<Context, 'db' | 'clock' | 'events'>,
  actor: Actor,
  idOrSlug: string,
  input: NewMenuItem,
  idempotency: IdempotencyKey | null,
): Promise<MenuItem> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, (tx, business) =>
    once(tx, actor.id, idempotency, now, async () => {
      await requireRoom(tx, business.id, 1, now)
      const row = newRow(newId(), input)
      const skus = skusOf(row)
      const errors = {
        ...checkTogether(row, null),
        ...(await businessWords(tx, ctx, actor, 'menu_item', business.id))(wordsOf(row)),
        ...checkSkus(null, row, usedSkus(skus, await takenSkus(tx, business.id, skus, []))),
        ...(await checkUploads(tx, actor.id, { before: null, after: row })),
        ...checkOffers(input, row, await locationsForOffers(tx, business.id, namedLocations(input), now)),
      }
      if (Object.keys(errors).length > 0) throw new AppError('invalid_input', { fields: errors })
      await insertItems(tx, business.id, [row], now)
      await replaceOffers(tx, offersOf(input, row))
      await ctx.events.publish(tx, 'menu.product-added', { businessId: business.id })
      const [item] = await loadMenuItems(tx, [row.id])
      return item as MenuItem
    }),
  )
}

/** Ignores items that don't exist. */
export function removeMenuItems(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, idOrSlug: string, ids: readonly string[]): Promise<void> {
  return changeMenu(ctx, actor, idOrSlug, (tx, business) => deleteItems(tx, business.id, ids))
}

/**
 * Confirms that prices and availability are right today, for the given items or for all. Versions don't change, so that confirming doesn't
 * conflict with edits.
 */
export function confirmMenu(
  ctx: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  idOrSlug: string,
  ids: readonly string[] | undefined,
): Promise<{ confirmedCount: number; confirmedAt: string }> {
  const now = ctx.clock.now()
  return changeMenu(ctx, actor, idOrSlug, async (tx, business) => {
    const { numUpdatedRows } = await tx
      .updateTable('products')
      .set({ confirmed_at: now })
      .where('business_id', '=', business.id)
      .$if(ids !== undefined, (query) => query.where(sql<boolean>`id = any(${ids}::uuid[])`))
      .executeTakeFirstOrThrow()
    return { confirmedCount: Number(numUpdatedRows), confirmedAt: now.toISOString() }
  })
}

type Restoring = {
  /** Items to restore, which may have been changed or deleted in the meantime. */
  ids: readonly string[]
  /**
   * Query for the snapshots of these items, with one column `before`, a JSON object: `item` is a row of products, `variants` and `offers`
   * are rows of product_variants and product_offers.
   */
  snapshotsOf(ids: readonly string[]): RawBuilder<unknown>
  /** Items to delete, because they didn't exist at the time of the snapshots. */
  added: readonly string[]
}

/** Items per statement; more could exceed the statement timeout. */
const batchSize = 1000
const batchesOf = (ids: readonly string[]) =>
  Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, i) => ids.slice(i * batchSize, (i + 1) * batchSize))

/**
 * Restores items with their variants and offers, including deleted ones. Versions keep increasing: an edit based on an intermediate version
 * must conflict. The menu must be locked.
 * @throws AppError conflict if another item has since taken a SKU or an external ID; plan_limit
 */
export async function restoreMenu(tx: Tx, businessId: string, { ids, snapshotsOf, added }: Restoring, now: Date): Promise<void> {
  const batches = batchesOf(ids)
  const countBefore = await itemCount(tx, businessId)
  for (const batch of batchesOf(added)) await deleteItems(tx, businessId, batch)
  // Deletes the variants of all batches first, because a SKU may have moved from one item to another.
  for (const batch of batches) await tx.deleteFrom('product_variants').where(sql<boolean>`product_id = any(${batch}::uuid[])`).execute()
  for (const batch of batches) {
    await refuseTakenSkus(tx, businessId, snapshotsOf(batch))
    await refuseTakenItems(tx, businessId, snapshotsOf(batch))
    await followUp(tx, await restoreItems(tx, businessId, snapshotsOf(batch)))
    await restoreVariants(tx, businessId, snapshotsOf(batch))
    await refreshFigures(tx, batch, now)
  }
  const limit = await itemLimit(tx, businessId, now)
  const count = await itemCount(tx, businessId)
  if (limit !== null && count > limit && count > countBefore) {
    throw new AppError('plan_limit', { message: noRoom(countBefore, count - countBefore, limit) })
  }
}

async function restoreItems(tx: Tx, businessId: string, snapshots: RawBuilder<unknown>): Promise<Effects[]> {
  const old = sql`(${snapshots}) as snapshot cross join lateral jsonb_populate_record(null::products, snapshot.before -> 'item') as old`
  const updated = await sql<Effects>`
    update products set ${sql.raw(restored.map((name) => `${name} = ${restoredValue(name)}`).join(', '))}, version = products.version + 1
    from ${old} join products as before on before.id = old.id
    where products.id = old.id and products.business_id = ${businessId}::uuid
    returning ${effects}`.execute(tx)
  const inserted = await sql<Effects>`
    insert into products (id, business_id, version, moderation, ${sql.raw(restored.join(', '))})
    select old.id, ${businessId}::uuid, old.version + 2, old.moderation, ${sql.raw(restored.map(restoredValue).join(', '))}
    from ${old}
    where not exists (select from products where products.id = old.id)
    returning id, true as differs_in_search, true as differs_in_media`.execute(tx)
  return [...updated.rows, ...inserted.rows]
}

/**
 * Includes the figures as they were; `refreshFigures` then rewrites only those that have changed, such as when a sale has started since.
 * Excludes `moderation`, because moderators may have decided about the item since. A deleted item gets its old `moderation` back.
 */
const restored = [...itemColumns, ...figureColumns, 'search_text', 'confirmed_at', 'created_at', 'updated_at']

/** An upload that was detached in the meantime may have been swept, or is being swept now; the lock waits for the sweep. */
function restoredValue(name: string): string {
  if (/^(image|certificate)_id$/.test(name))
    return `(select media.id from media where media.id = old.${name} and media.status = 'ready' for share)`
  // A snapshot may have been taken before a figure existed, which `refreshFigures` then computes.
  const initial = { is_available: 'true', is_on_sale: 'false', low_price_cents: '0' }[name]
  return initial ? `coalesce(old.${name}, ${initial})` : `old.${name}`
}

/** The point of sale may have added a removed item again. */
async function refuseTakenItems(tx: Tx, businessId: string, snapshots: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select taken.name from (${snapshots}) as snapshot
      join products as taken on taken.business_id = ${businessId}::uuid
        and taken.external_id = snapshot.before -> 'item' ->> 'external_id'
        and taken.id <> (snapshot.before -> 'item' ->> 'id')::uuid
    limit 1`.execute(tx)
  const [taken] = rows
  if (taken) {
    throw new AppError('conflict', {
      message: `Your point of sale has since added “${taken.name}” again. Remove that one first.`,
    })
  }
}

/** Call while the items to restore have no variants; otherwise, their own SKUs would look taken. */
async function refuseTakenSkus(tx: Tx, businessId: string, snapshots: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ sku: string }>`
    select taken.sku from (${snapshots}) as snapshot
      cross join lateral jsonb_to_recordset(snapshot.before -> 'variants') as old (sku text)
      join product_variants as taken on taken.business_id = ${businessId}::uuid and taken.sku = old.sku
    limit 1`.execute(tx)
  const [taken] = rows
  if (taken) {
    throw new AppError('conflict', { message: `Another item now has the SKU “${taken.sku}”. Change that one first.` })
  }
}

async function restoreVariants(tx: Tx, businessId: string, snapshots: RawBuilder<unknown>): Promise<void> {
  const columns = ['id', 'product_id', 'position', ...variantColumns]
  await sql`
    insert into product_variants (business_id, ${sql.raw(columns.join(', '))})
    select ${businessId}::uuid, ${sql.raw(columns.map((name) => `old.${name}`).join(', '))}
    from (${snapshots}) as snapshot
      cross join lateral jsonb_populate_recordset(null::product_variants, snapshot.before -> 'variants') as old`.execute(tx)
  await sql`
    insert into product_offers (variant_id, location_id, is_offered, price_cents, sale_price_cents, is_available)
    select offer.variant_id, offer.location_id, offer.is_offered, offer.price_cents, offer.sale_price_cents, offer.is_available
    from (${snapshots}) as snapshot
      cross join lateral jsonb_populate_recordset(null::product_offers, snapshot.before -> 'offers') as offer
    -- The location may have been deleted.
    where exists (select from locations where locations.id = offer.location_id for key share)`.execute(tx)
}
