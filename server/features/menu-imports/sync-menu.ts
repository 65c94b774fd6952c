import { sql } from 'kysely'
import { figure } from '#contracts/fields.ts'
import type { MenuSync, SyncedItem } from '#contracts/integrations.endpoints.ts'
import { maxSyncItemsAtOnce } from '#contracts/limits.ts'
import { formatCents } from '#contracts/money.rules.ts'
import { hourMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction, isUniqueViolation } from '#server/db/transaction.ts'
import { requireWorkingKey, workingKey } from '#server/features/keys/index.ts'
import {
  confirmItems,
  dayAt,
  decodeMenuCursor,
  deleteItems,
  insertItems,
  isGoodNews,
  itemCount,
  itemLimit,
  itemsById,
  keyOfItem,
  lockMenu,
  type MenuRow,
  maxItems,
  menuItemsPage,
  noRoom,
  type StoredItem,
  updateItems,
  wholeMenu,
} from '#server/features/menus/index.ts'
import { businessWords } from '#server/features/screening/index.ts'
import type { KeyActor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { type Page, toPage } from '#server/kernel/keyset.ts'
import { failImport, importFile, saveAdded, saveBefore, saveRemoved } from './imports.queries.ts'
import { namePictures, pictureErrors } from './menu-pictures.ts'
import { selectSource } from './menu-source.ts'
import { planSync } from './plan-sync.ts'
import { dropIdleSyncs, finishSync, insertSync, itemsByExternalId, type SyncCounts, saveItems, syncById } from './syncs.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'config' | 'events' | 'jobs'>

/** Items per statement; more could exceed the statement timeout. */
const batchSize = 1000

/**
 * Applies what a point of sale sent: immediately for up to 500 items, otherwise by a job.
 * @throws AppError signed_out if the key no longer works, conflict while another sync or import runs, muted
 */
export function syncMenu(ctx: Ctx, key: KeyActor, kind: 'full_sync' | 'update', items: readonly unknown[]): Promise<MenuSync> {
  return beginSync(ctx, key, kind, items.length, async (tx, id) => {
    if (items.length <= maxSyncItemsAtOnce) return applyItems(ctx, tx, { id, by: key, kind, items })
    await saveItems(tx, id, items)
    await ctx.jobs.enqueue('menus.import', { importId: id }, { tx })
  })
}

/** @throws the same errors as `syncMenu` */
export function removeSyncedItems(ctx: Ctx, key: KeyActor, externalIds: readonly string[]): Promise<MenuSync> {
  return beginSync(ctx, key, 'removal', externalIds.length, async (tx, id) => {
    const ids = await itemsByExternalId(tx, key.businessId, externalIds)
    await inBatches(ids, async (batch) => {
      await saveRemoved(tx, id, batch)
      await deleteItems(tx, key.businessId, batch)
    })
    await finish(ctx, tx, id, key, { ...nothing, itemsRemoved: ids.length })
  })
}

const nothing: SyncCounts = {
  itemsAdded: 0,
  itemsChanged: 0,
  itemsConfirmed: 0,
  itemsMissing: 0,
  itemsRemoved: 0,
  itemsRejected: 0,
  errors: [],
}

const retryAfterSeconds = 5

async function beginSync(
  ctx: Ctx,
  { id: keyId, businessId }: KeyActor,
  kind: MenuSync['kind'],
  itemCount: number,
  write: (tx: Tx, id: string) => Promise<void>,
): Promise<MenuSync> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    if (!(await mayBegin(tx, businessId))) throw busy()
    await lockMenu(tx, businessId)
    const key = await requireWorkingKey(tx, ctx, keyId)
    const id = newId()
    await insertSync(tx, { id, businessId, keyId, keyName: key.name, fileName: key.name, kind, itemCount }, now)
    await write(tx, id)
    return syncById(tx, businessId, id)
  }).catch((error: unknown) => {
    if (!isUniqueViolation(error, 'menu_imports_one_at_a_time')) throw error
    throw busy(error)
  })
}

const busy = (cause?: unknown) =>
  new AppError('conflict', {
    message: 'Another sync or import of this menu is running. Send this again when it’s done.',
    retryAfterSeconds,
    cause,
  })

/**
 * Returns false if another sync or import of the menu is running. Without this check, `lockMenu` would wait for it, and this sync would
 * then overwrite newer data. A sync without a job isn't visible to others until it is done, so it takes an advisory lock.
 */
async function mayBegin(tx: Tx, businessId: string): Promise<boolean> {
  const { rows } = await sql<{ may_begin: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('menu sync ' || ${businessId}::text, 0))
      and not exists (select from menu_imports where business_id = ${businessId}::uuid and status = 'running') as may_begin`.execute(tx)
  return rows[0]?.may_begin ?? false
}

/**
 * Applies a job's items in one transaction. If the server is killed, the menu is unchanged and the job is retried. If the key was revoked
 * in the meantime, nothing changes.
 */
export async function runSync(ctx: Ctx, importId: string): Promise<void> {
  try {
    const bytes = await importFile(ctx.db, importId)
    if (!bytes) return
    const items = JSON.parse(bytes.toString()) as unknown[]
    await inTransaction(ctx.db, async (tx) => {
      const select = tx
        .selectFrom('menu_imports')
        .select(['business_id', 'key_id', 'source_id', 'kind', 'status'])
        .where('id', '=', importId)
      const before = await select.executeTakeFirst()
      if (!before) return
      await lockMenu(tx, before.business_id)
      // Another process may have run the same job first.
      const { status, kind, ...by } = await select.executeTakeFirstOrThrow()
      if (status !== 'running') return
      await applyItems(ctx, tx, { id: importId, by: await senderOf(tx, ctx, by), kind: kind as 'full_sync' | 'update', items })
    })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    await failImport(ctx.db, importId, error.message, ctx.clock.now())
  }
}

/** @throws AppError signed_out if the key or the person who set up the address may no longer change the menu */
async function senderOf(tx: Tx, ctx: Ctx, by: { business_id: string; key_id: string | null; source_id: string | null }): Promise<Sender> {
  const key = by.key_id === null ? null : await workingKey(tx, ctx, by.key_id)
  if (key) return key
  const source =
    by.source_id === null ? undefined : await selectSource(tx, ctx).where('menu_sources.id', '=', by.source_id).executeTakeFirst()
  if (!source?.is_connected)
    throw new AppError('signed_out', { message: 'The system that sent this menu was disconnected in the meantime.' })
  return { businessId: by.business_id, mutedUntil: source.muted_until }
}

type Sender = Pick<KeyActor, 'businessId' | 'mutedUntil'>
type Applied = { id: string; by: Sender; kind: 'full_sync' | 'update'; items: readonly unknown[] }

/** The menu and the sender's key must be locked. @throws AppError muted */
async function applyItems(ctx: Ctx, tx: Tx, { id, by, kind, items }: Applied): Promise<void> {
  const { businessId } = by
  const now = ctx.clock.now()
  const refusedIn = await businessWords(tx, ctx, by, 'menu_item', businessId)
  const room = await roomOf(tx, businessId, now)
  const plan = await planSync({ kind, items, menu: await wholeMenu(tx, businessId), refusedIn, room })
  const { added, changed, missing, confirmed, errors } = plan
  const after = [...changed, ...missing].map((each) => each.after)
  await inBatches(after, async (batch) => {
    await saveBefore(tx, id, idsOf(batch))
    await updateItems(tx, businessId, batch, now, true)
  })
  await inBatches<MenuRow>(added, async (batch) => {
    await insertItems(tx, businessId, batch, now)
    await saveAdded(tx, id, idsOf(batch))
  })
  await inBatches(confirmed, (batch) => confirmItems(tx, businessId, batch, now))
  await namePictures(tx, ctx, businessId, plan.pictures, plan)
  const today = await dayAt(tx, businessId, now)
  if (added.length > 0) await ctx.events.publish(tx, 'menu.product-added', { businessId })
  else if (changed.some((each) => isGoodNews(each.before, each.after, today)))
    await ctx.events.publish(tx, 'menu.product-changed', { businessId })
  await finish(ctx, tx, id, by, {
    itemsAdded: added.length,
    itemsChanged: changed.length,
    itemsConfirmed: confirmed.length,
    itemsMissing: missing.length,
    itemsRemoved: 0,
    itemsRejected: plan.rejectedCount,
    errors,
  })
}

async function finish({ clock }: Ctx, tx: Tx, id: string, { businessId }: Sender, counts: SyncCounts): Promise<void> {
  const now = clock.now()
  await finishSync(tx, id, counts, now)
  await dropIdleSyncs(tx, businessId, new Date(now.getTime() - hourMs))
}

async function roomOf(tx: Tx, businessId: string, now: Date): Promise<{ left: number; message: string }> {
  const [limit, count] = [await itemLimit(tx, businessId, now), await itemCount(tx, businessId)]
  return limit !== null
    ? { left: limit - count, message: noRoom(count, 1, limit) }
    : { left: maxItems - count, message: `A menu can have up to ${figure(maxItems)} items.` }
}

async function inBatches<Item>(items: readonly Item[], write: (batch: Item[]) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += batchSize) await write(items.slice(at, at + batchSize))
}

/** A page of the menu for its point of sale, including items that moderators hid. */
export async function readSyncedMenu(
  db: Db,
  businessId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  now: Date,
): Promise<Page<SyncedItem>> {
  const after = decodeMenuCursor(cursor)
  const keys = await menuItemsPage(db, businessId, {}, { after, limit: limit + 1, now, isForEditors: true }).execute()
  const { items, nextCursor } = toPage(keys, limit, keyOfItem)
  const found = await itemsById(db, idsOf(items))
  const errors = await pictureErrors(
    db,
    businessId,
    found.flatMap(({ picture_url }) => picture_url ?? []),
  )
  return { items: found.map((item) => toSyncedItem(item, errors)), nextCursor }
}

const units = { percent: '%', mg: 'mg' } as const

const toSyncedItem = (item: StoredItem, errors: ReadonlyMap<string, string>): SyncedItem => ({
  productId: item.id,
  id: item.external_id,
  name: item.name,
  type: item.category,
  brand: item.brand,
  strain: item.strain,
  strainType: item.strain_type,
  description: item.description,
  imageUrl: item.picture_url,
  imageError: errors.get(item.picture_url ?? '') ?? null,
  isActive: item.variants.some(({ is_available }) => is_available),
  cannabinoids: (['thc', 'cbd'] as const).flatMap((field) => {
    const [min, max, unit] = [item[field], item[`${field}_max`], item[`${field}_unit`]]
    return min === null ? [] : [{ name: field === 'thc' ? 'THC' : 'CBD', min, max, unit: unit && units[unit] }]
  }),
  variants: item.variants.map((variant) => ({
    id: variant.external_id,
    size: variant.weight,
    unit: variant.weight_unit,
    price: formatCents(variant.price_cents),
    salePrice: variant.sale_price_cents === null ? null : formatCents(variant.sale_price_cents),
    saleStarts: variant.sale_starts_on,
    saleEnds: variant.sale_ends_on,
    inventory: variant.stock,
    batch: variant.batch,
    isActive: variant.is_available,
  })),
})
