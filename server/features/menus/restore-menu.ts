import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { AppError } from '../../kernel/errors.ts'
import { markForSearch } from '../../kernel/search.ts'
import { syncMediaUses } from '../media/index.ts'
import { itemLimit, noRoom } from './menu-lock.ts'
import { itemColumns } from './product-rows.queries.ts'
import { itemCount } from './products.queries.ts'

type Restoring = {
  /** Items that were there, and perhaps changed or removed since. */
  ids: readonly string[]
  /** A query of one column `before`, in the form of `{ item: a row of products, offers: rows of product_offers }`, of some of them. */
  snapshotsOf(ids: readonly string[]): RawBuilder<unknown>
  /** Items that were not there then. */
  added: readonly string[]
}

/** In one statement; more could take longer than a statement may. */
const batchSize = 1000

/**
 * Puts items back as they were, those that were removed since among them, with their offers. Their versions go on: a change that was
 * made on what they were meanwhile must not pass for one on what they are now. The menu is held by the caller.
 * @throws AppError conflict when another item took a SKU since; plan_limit
 */
export async function restoreMenu(tx: Tx, businessId: string, { ids, snapshotsOf, added }: Restoring, now: Date): Promise<void> {
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, i) => ids.slice(i * batchSize, (i + 1) * batchSize))
  const countBefore = await itemCount(tx, businessId)
  await tx.deleteFrom('products').where('business_id', '=', businessId).where(sql<boolean>`id = any(${added}::uuid[])`).execute()
  for (const batch of batches) {
    await tx
      .updateTable('products')
      .set({ sku: null })
      .where('business_id', '=', businessId)
      .where(sql<boolean>`id = any(${batch}::uuid[])`)
      .execute()
  }
  for (const batch of batches) {
    await refuseTakenSkus(tx, businessId, snapshotsOf(batch))
    await restoreItems(tx, businessId, snapshotsOf(batch))
    await syncMediaUses(tx, 'product', batch)
    await restoreOffers(tx, batch, snapshotsOf(batch))
    await markForSearch(tx, 'product', batch)
  }
  const limit = await itemLimit(tx, businessId, now)
  const count = await itemCount(tx, businessId)
  if (limit !== null && count > limit && count > countBefore) {
    throw new AppError('plan_limit', { message: noRoom(countBefore, count - countBefore, limit) })
  }
}

async function restoreItems(tx: Tx, businessId: string, snapshots: RawBuilder<unknown>): Promise<void> {
  const old = sql`(${snapshots}) as snapshot cross join lateral jsonb_populate_record(null::products, snapshot.before -> 'item') as old`
  await sql`
    update products set ${sql.raw(restored.map((name) => `${name} = ${restoredValue(name)}`).join(', '))}, version = products.version + 1
    from ${old}
    where products.id = old.id and products.business_id = ${businessId}::uuid`.execute(tx)
  await sql`
    insert into products (id, business_id, version, ${sql.raw(restored.join(', '))})
    select old.id, ${businessId}::uuid, old.version + 2, ${sql.raw(restored.map(restoredValue).join(', '))}
    from ${old}
    where not exists (select from products where products.id = old.id)`.execute(tx)
}

const restored = [...itemColumns, 'search_text', 'confirmed_at', 'created_at', 'updated_at']

/** An upload that nothing showed meanwhile may have been swept away, or is at this moment: the lock waits for that. */
const restoredValue = (name: string) =>
  /^(image|certificate)_id$/.test(name)
    ? `(select media.id from media where media.id = old.${name} and media.status = 'ready' for share)`
    : `old.${name}`

/** Asked while none of the items to restore has one. */
async function refuseTakenSkus(tx: Tx, businessId: string, snapshots: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ sku: string }>`
    select products.sku from (${snapshots}) as snapshot
      join products on products.business_id = ${businessId}::uuid and products.sku = snapshot.before -> 'item' ->> 'sku'
    limit 1`.execute(tx)
  const [taken] = rows
  if (taken) {
    throw new AppError('conflict', { message: `The SKU “${taken.sku}” was given to another item since. Change that one first.` })
  }
}

async function restoreOffers(tx: Tx, ids: readonly string[], snapshots: RawBuilder<unknown>): Promise<void> {
  await tx.deleteFrom('product_offers').where(sql<boolean>`product_id = any(${ids}::uuid[])`).execute()
  await sql`
    insert into product_offers (product_id, location_id, is_offered, price_cents, is_available)
    select offer.product_id, offer.location_id, offer.is_offered, offer.price_cents, offer.is_available
    from (${snapshots}) as snapshot
      cross join lateral jsonb_populate_recordset(null::product_offers, snapshot.before -> 'offers') as offer
    -- A location may be gone by now.
    where exists (select from locations where locations.id = offer.location_id)`.execute(tx)
}
