import { type RawBuilder, sql } from 'kysely'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { notFound } from '#server/kernel/errors.ts'

const columns = [
  'id',
  'business_id',
  'file_name',
  'kind',
  'key_name',
  'status',
  'byte_size',
  'received_bytes',
  'columns',
  'preview',
  'error',
  'skips_wrong_rows',
  'rows_total',
  'rows_done',
  'rows_refused',
  'row_errors',
  'items_added',
  'items_changed',
  'items_missing',
  'items_removed',
  'created_at',
  'finished_at',
] as const

/** Limit for undoing; the data needed for it is deleted afterward. */
export const undoDays = 30
const canUndo = sql<boolean>`(status = 'done' and exists (
  select from menu_import_changes where menu_import_changes.import_id = menu_imports.id))`

const selectImports = (db: Db, businessId: string) =>
  db
    .selectFrom('menu_imports')
    .select([...columns, canUndo.as('can_undo')])
    .where('business_id', '=', businessId)

export type ImportRow = Awaited<ReturnType<typeof importRow>>

export async function importRow(db: Db, businessId: string, id: string) {
  const row = await selectImports(db, businessId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound('This import no longer exists. Start again.')
  return row
}

/** Locks the import until the transaction ends. */
export async function lockImport(tx: Tx, businessId: string, id: string) {
  await tx.selectFrom('menu_imports').select('id').where('id', '=', id).where('business_id', '=', businessId).forUpdate().execute()
  return importRow(tx, businessId, id)
}

export const importsPage = (db: Db, businessId: string, after: readonly [time: string, id: string] | null, limit: number) =>
  selectImports(db, businessId)
    .$if(after !== null, (query) => query.where(sql<boolean>`(created_at, id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** Appends bytes; returns false if others arrived in the meantime. */
export async function appendBytes(db: Db, id: string, offset: number, bytes: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with next as (
      update menu_imports set received_bytes = ${offset + bytes.length}::integer, updated_at = ${now}::timestamptz
      where id = ${id}::uuid and status = 'receiving' and received_bytes = ${offset}::integer
      returning id)
    insert into menu_import_pieces (import_id, starts_at, bytes) select id, ${offset}::integer, ${bytes}::bytea from next`.execute(db)
  return numAffectedRows === 1n
}

/** Null once the file was dropped. */
export async function importFile(db: Db, id: string): Promise<Buffer | null> {
  const pieces = await db.selectFrom('menu_import_pieces').select('bytes').where('import_id', '=', id).orderBy('starts_at').execute()
  return pieces.length === 0 ? null : Buffer.concat(pieces.map((piece) => piece.bytes))
}

type Found = Pick<MenuImport, 'columns' | 'preview' | 'rowErrors' | 'rowsTotal' | 'rowsRefused' | 'skipsWrongRows'>

/** Saves the result of checking the file, unless the import was started or abandoned meanwhile. */
export const saveFound = (db: Db, id: string, found: Found, now: Date) =>
  db
    .updateTable('menu_imports')
    .set({
      status: 'ready',
      columns: JSON.stringify(found.columns),
      preview: JSON.stringify(found.preview),
      row_errors: JSON.stringify(found.rowErrors),
      rows_total: found.rowsTotal,
      rows_refused: found.rowsRefused,
      skips_wrong_rows: found.skipsWrongRows,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('status', 'in', ['receiving', 'ready'])
    .execute()

/** Records why nothing was changed, and drops the file. */
export const failImport = (db: Db, id: string, error: string, now: Date) =>
  db
    .with('failed', (cte) =>
      cte
        .updateTable('menu_imports')
        .set({ status: 'failed', error, preview: '[]', finished_at: now, updated_at: now })
        .where('id', '=', id)
        .where('status', 'in', ['receiving', 'ready', 'running'])
        .returning('id'),
    )
    .deleteFrom('menu_import_pieces')
    .where('import_id', 'in', (eb) => eb.selectFrom('failed').select('id'))
    .execute()

/** Publishes the progress. Uses its own transaction, because the import's is invisible until it commits. */
export const reportProgress = (db: Db, id: string, rowsDone: number, now: Date) =>
  db
    .updateTable('menu_imports')
    .set({ rows_done: rowsDone, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()

type Done = { rowsRefused: number; rowErrors: MenuImport['rowErrors']; itemsAdded: number; itemsChanged: number }

/** Returns false if it was given up meanwhile, which people have already been notified of. */
export async function finishImport(tx: Tx, id: string, done: Done, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('menu_imports')
    .set((eb) => ({
      status: 'done' as const,
      preview: '[]',
      row_errors: JSON.stringify(done.rowErrors),
      rows_done: eb.ref('rows_total'),
      rows_refused: done.rowsRefused,
      items_added: done.itemsAdded,
      items_changed: done.itemsChanged,
      finished_at: now,
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('menu_import_pieces').where('import_id', '=', id).execute()
  return numUpdatedRows > 0n
}

/** Saves a snapshot of these items with their variants and offers before they change. */
export async function saveBefore(tx: Tx, importId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into menu_import_changes (import_id, product_id, before, version)
    select ${importId}::uuid, products.id,
      jsonb_build_object(
        'item', to_jsonb(products),
        'variants', (select jsonb_agg(to_jsonb(product_variants)) from product_variants where product_variants.product_id = products.id),
        'offers', coalesce(
          (select jsonb_agg(to_jsonb(product_offers)) from product_offers
            where variant_id in (select product_variants.id from product_variants where product_variants.product_id = products.id)),
          '[]'::jsonb)),
      products.version + 1
    from products where products.id = any(${ids}::uuid[])`.execute(tx)
}

export async function saveAdded(tx: Tx, importId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into menu_import_changes (import_id, product_id, before, version)
    select ${importId}::uuid, id, null, 1 from unnest(${ids}::uuid[]) as added (id)`.execute(tx)
}

/** Items that are about to be deleted. Undoing restores them, unless they exist again. */
export async function saveRemoved(tx: Tx, importId: string, ids: readonly string[]): Promise<void> {
  await saveBefore(tx, importId, ids)
  await sql`update menu_import_changes set version = ${removed} where import_id = ${importId}::uuid and product_id = any(${ids}::uuid[])`.execute(
    tx,
  )
}

/** The `version` of an item that the import deleted. */
const removed = 0

export const snapshotsOf = (importId: string, ids: readonly string[]): RawBuilder<unknown> =>
  sql`select before from menu_import_changes where import_id = ${importId}::uuid and product_id = any(${ids}::uuid[])`

export async function touchedItems(tx: Tx, importId: string): Promise<{ added: string[]; changed: string[] }> {
  const rows = await tx
    .selectFrom('menu_import_changes')
    .select(['product_id', sql<boolean>`before is null`.as('is_added')])
    .where('import_id', '=', importId)
    .execute()
  const idsOf = (isAdded: boolean) => rows.filter((row) => row.is_added === isAdded).map((row) => row.product_id)
  return { added: idsOf(true), changed: idsOf(false) }
}

/** How many of an import's items were edited or deleted by hand since. */
export async function touchedSince(tx: Tx, importId: string): Promise<number> {
  return countRows(
    tx
      .selectFrom('menu_import_changes')
      .leftJoin('products', 'products.id', 'menu_import_changes.product_id')
      .where('import_id', '=', importId)
      .where((eb) =>
        eb.or([
          eb.and([eb('products.id', 'is', null), eb('menu_import_changes.version', '!=', removed)]),
          eb('products.version', '!=', eb.ref('menu_import_changes.version')),
        ]),
      ),
  )
}
