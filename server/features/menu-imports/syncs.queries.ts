import { sql } from 'kysely'
import type { MenuSync } from '#contracts/integrations.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { notFound } from '#server/kernel/errors.ts'

const columns = [
  'id',
  'kind',
  'status',
  'error',
  'key_name',
  'rows_total',
  'rows_refused',
  'items_added',
  'items_changed',
  'items_confirmed',
  'items_missing',
  'items_removed',
  'item_errors',
  'created_at',
  'finished_at',
] as const

const selectSyncs = (db: Db, businessId: string) =>
  db.selectFrom('menu_imports').select(columns).where('business_id', '=', businessId).where('kind', '<>', 'file')

type SyncRow = Awaited<ReturnType<ReturnType<typeof selectSyncs>['execute']>>[number]

const toSync = (row: SyncRow): MenuSync => ({
  id: row.id,
  kind: row.kind as MenuSync['kind'],
  status: row.status as MenuSync['status'],
  error: row.error,
  keyName: row.key_name,
  itemsReceived: row.rows_total,
  itemsAdded: row.items_added,
  itemsChanged: row.items_changed,
  itemsConfirmed: row.items_confirmed,
  itemsMissing: row.items_missing,
  itemsRemoved: row.items_removed,
  itemsRejected: row.rows_refused,
  // Only this feature writes the column, so the cast is safe.
  errors: row.item_errors as MenuSync['errors'],
  startedAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
})

export async function syncById(db: Db, businessId: string, id: string): Promise<MenuSync> {
  const row = await selectSyncs(db, businessId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('This sync no longer exists.')
  return toSync(row)
}

export async function lastSync(db: Db, businessId: string): Promise<MenuSync | null> {
  const row = await selectSyncs(db, businessId).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row ? toSync(row) : null
}

type NewSync = {
  id: string
  businessId: string
  kind: MenuSync['kind']
  fileName: string
  itemCount: number
  keyId: string | null
  keyName: string | null
  sourceId?: string
}

/** Inserts the sync as running: `menu_imports_one_at_a_time` keeps other syncs and imports from starting until it is done. */
export async function insertSync(
  tx: Tx,
  { id, businessId, kind, fileName, itemCount, keyId, keyName, sourceId }: NewSync,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('menu_imports')
    .values({
      id,
      business_id: businessId,
      key_id: keyId,
      key_name: keyName,
      source_id: sourceId ?? null,
      kind,
      file_name: fileName,
      status: 'running',
      byte_size: 0,
      skips_wrong_rows: true,
      rows_total: itemCount,
      created_at: now,
      started_at: now,
      updated_at: now,
    })
    .execute()
}

export const saveItems = (tx: Tx, id: string, items: readonly unknown[]) =>
  tx
    .insertInto('menu_import_pieces')
    .values({ import_id: id, starts_at: 0, bytes: Buffer.from(JSON.stringify(items)) })
    .execute()

export type SyncCounts = Pick<
  MenuSync,
  'itemsAdded' | 'itemsChanged' | 'itemsConfirmed' | 'itemsMissing' | 'itemsRemoved' | 'itemsRejected' | 'errors'
>

export async function finishSync(tx: Tx, id: string, counts: SyncCounts, now: Date): Promise<void> {
  await tx
    .updateTable('menu_imports')
    .set((eb) => ({
      status: 'done' as const,
      rows_done: eb.ref('rows_total'),
      rows_refused: counts.itemsRejected,
      items_added: counts.itemsAdded,
      items_changed: counts.itemsChanged,
      items_confirmed: counts.itemsConfirmed,
      items_missing: counts.itemsMissing,
      items_removed: counts.itemsRemoved,
      // Text from the point of sale may have half of a surrogate pair, which PostgreSQL's JSON rejects.
      item_errors: JSON.stringify(counts.errors, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)),
      finished_at: now,
      updated_at: now,
    }))
    .where('id', '=', id)
    .execute()
  await tx.deleteFrom('menu_import_pieces').where('import_id', '=', id).execute()
}

/** A point of sale repeats its calls all day, so calls that changed nothing are deleted once no client polls them. */
export async function dropIdleSyncs(tx: Tx, businessId: string, before: Date): Promise<void> {
  await tx
    .deleteFrom('menu_imports')
    .where('business_id', '=', businessId)
    // Literals, so that PostgreSQL can use the partial index.
    .where(sql<boolean>`kind <> 'file' and status = 'done'`)
    .where('finished_at', '<', before)
    .where(sql<boolean>`items_added + items_changed + items_missing + items_removed + rows_refused = 0`)
    .execute()
}

/** Items with these point-of-sale IDs, locked until the transaction ends. */
export async function itemsByExternalId(tx: Tx, businessId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('products')
    .select('id')
    .where('business_id', '=', businessId)
    .where(sql<boolean>`external_id = any(${ids}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}
