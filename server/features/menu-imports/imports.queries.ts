import { type RawBuilder, sql } from 'kysely'
import type { MenuImport, MissingItems } from '#contracts/menu-imports.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { notFound } from '#server/kernel/errors.ts'
import { newestAfter } from '#server/kernel/keyset.ts'
import type { Checked, Outcome } from './check-file.ts'
import type { Fields } from './tidy-cells.ts'

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
  'keeps_rows_apart',
  'missing_items',
  'prices_include_tax',
  'included_tax_before',
  'is_mapping_known',
  'rows_total',
  'rows_done',
  'rows_refused',
  'rows_inactive',
  'rows_elsewhere',
  'rows_grouped',
  'rows_flagged',
  'row_errors',
  'row_notes',
  'items_added',
  'items_changed',
  'items_confirmed',
  'items_missing',
  'items_removed',
  'created_at',
  'finished_at',
] as const

/** An import can be undone for this long. Then the data needed to undo it is deleted. */
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

export async function lockImport(tx: Tx, businessId: string, id: string) {
  await tx.selectFrom('menu_imports').select('id').where('id', '=', id).where('business_id', '=', businessId).forUpdate().execute()
  return importRow(tx, businessId, id)
}

export const importsPage = (db: Db, businessId: string, after: readonly [time: string, id: string] | null, limit: number) =>
  selectImports(db, businessId)
    .$call((rows) => newestAfter(rows, 'created_at', 'id', after))
    .limit(limit)
    .execute()

/** Appends bytes; returns false if other bytes arrived in the meantime. */
export async function appendBytes(db: Db, id: string, offset: number, bytes: Buffer, now: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with next as (
      update menu_imports set received_bytes = ${offset + bytes.length}::integer, updated_at = ${now}::timestamptz
      where id = ${id}::uuid and status = 'receiving' and received_bytes = ${offset}::integer
      returning id)
    insert into menu_import_pieces (import_id, starts_at, bytes) select id, ${offset}::integer, ${bytes}::bytea from next`.execute(db)
  return numAffectedRows === 1n
}

/** Null once the file has been deleted. */
export async function importFile(db: Db, id: string): Promise<Buffer | null> {
  const chunks = await db.selectFrom('menu_import_pieces').select('bytes').where('import_id', '=', id).orderBy('starts_at').execute()
  return chunks.length === 0 ? null : Buffer.concat(chunks.map((chunk) => chunk.bytes))
}

export type FileChoices = Pick<MenuImport, 'skipsWrongRows' | 'keepsRowsApart' | 'missingItems' | 'pricesIncludeTax' | 'isMappingKnown'>
type Found = Pick<MenuImport, 'columns'> & Checked & FileChoices

const outcomeColumns = (found: Outcome) => ({
  row_errors: JSON.stringify(found.rowErrors),
  row_notes: JSON.stringify(found.rowNotes),
  rows_refused: found.rowsRefused,
  rows_inactive: found.rowsInactive,
  rows_elsewhere: found.rowsElsewhere,
  rows_grouped: found.rowsGrouped,
  rows_flagged: found.rowsFlagged,
  items_added: found.itemsAdded,
  items_changed: found.itemsChanged,
  items_confirmed: found.itemsConfirmed,
  items_missing: found.itemsMissing,
  items_removed: found.itemsRemoved,
  rejected_csv: found.rejectedCsv,
})

/** Saves the result of checking the file, unless the import was started or abandoned in the meantime. */
export const saveFound = (db: Db, id: string, found: Found, now: Date) =>
  db
    .updateTable('menu_imports')
    .set({
      status: 'ready',
      columns: JSON.stringify(found.columns),
      preview: JSON.stringify(found.preview),
      rows_total: found.rowsTotal,
      ...outcomeColumns(found),
      skips_wrong_rows: found.skipsWrongRows,
      keeps_rows_apart: found.keepsRowsApart,
      missing_items: found.missingItems,
      prices_include_tax: found.pricesIncludeTax,
      is_mapping_known: found.isMappingKnown,
      updated_at: now,
    })
    .where('id', '=', id)
    .where('status', 'in', ['receiving', 'ready'])
    .execute()

/** `csv` is null if no rows were rejected. @throws AppError not_found */
export async function rejectedRows(db: Db, businessId: string, id: string): Promise<{ fileName: string; csv: string | null }> {
  const row = await db
    .selectFrom('menu_imports')
    .select(['file_name', 'rejected_csv'])
    .where('id', '=', id)
    .where('business_id', '=', businessId)
    .executeTakeFirst()
  if (!row) throw notFound('This import no longer exists. Start again.')
  return { fileName: row.file_name, csv: row.rejected_csv }
}

/** Headers stored per business; the least recently used are deleted. */
const maxMappings = 20

export type FileMapping = { fields: Fields; keepsRowsApart: boolean; missingItems: MissingItems }

export async function rememberMapping(tx: Tx, businessId: string, headerHash: string, mapping: FileMapping, now: Date): Promise<void> {
  const values = {
    fields: JSON.stringify(mapping.fields),
    keeps_rows_apart: mapping.keepsRowsApart,
    missing_items: mapping.missingItems,
    used_at: now,
  }
  await tx
    .insertInto('menu_file_mappings')
    .values({ business_id: businessId, header_hash: headerHash, ...values })
    .onConflict((conflict) => conflict.columns(['business_id', 'header_hash']).doUpdateSet(values))
    .execute()
  await sql`
    delete from menu_file_mappings where business_id = ${businessId}::uuid and header_hash in (
      select header_hash from menu_file_mappings where business_id = ${businessId}::uuid
      order by used_at desc, header_hash offset ${maxMappings})`.execute(tx)
}

export async function rememberedMapping(db: Db, businessId: string, headerHash: string): Promise<FileMapping | null> {
  const row = await db
    .selectFrom('menu_file_mappings')
    .select(['fields', 'keeps_rows_apart', 'missing_items'])
    .where('business_id', '=', businessId)
    .where('header_hash', '=', headerHash)
    .executeTakeFirst()
  // Only this feature writes the columns, so the casts are safe.
  return row
    ? { fields: row.fields as Fields, keepsRowsApart: row.keeps_rows_apart, missingItems: row.missing_items as MissingItems }
    : null
}

export async function hasImported(db: Db, businessId: string): Promise<boolean> {
  const row = await db
    .selectFrom('menu_imports')
    .select('id')
    .where('business_id', '=', businessId)
    .where('kind', '=', 'file')
    .where('status', '=', 'done')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Records why nothing was changed, and deletes the file. */
export const failImport = (db: Db, id: string, error: string, now: Date) =>
  db
    .with('failed', (cte) =>
      cte
        .updateTable('menu_imports')
        .set({
          status: 'failed',
          error,
          preview: '[]',
          items_added: 0,
          items_changed: 0,
          items_confirmed: 0,
          items_missing: 0,
          items_removed: 0,
          finished_at: now,
          updated_at: now,
        })
        .where('id', '=', id)
        .where('status', 'in', ['receiving', 'ready', 'running'])
        .returning('id'),
    )
    .deleteFrom('menu_import_pieces')
    .where('import_id', 'in', (eb) => eb.selectFrom('failed').select('id'))
    .execute()

/** Uses its own transaction, because no one sees what the import's transaction writes until it commits. */
export const reportProgress = (db: Db, id: string, rowsDone: number, now: Date) =>
  db
    .updateTable('menu_imports')
    .set({ rows_done: rowsDone, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute()

/** Returns false if the import was abandoned in the meantime: its status already shows that nothing was changed. */
export async function finishImport(tx: Tx, id: string, outcome: Outcome, includedTaxBefore: boolean | null, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('menu_imports')
    .set((eb) => ({
      status: 'done' as const,
      preview: '[]',
      rows_done: eb.ref('rows_total'),
      ...outcomeColumns(outcome),
      included_tax_before: includedTaxBefore,
      finished_at: now,
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('menu_import_pieces').where('import_id', '=', id).execute()
  return numUpdatedRows > 0n
}

/** Saves a snapshot of these items with their variants, their offers and the posts about them before they change. */
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
          '[]'::jsonb),
        'posts', (select jsonb_agg(posts.id) from posts where posts.linked_product_id = products.id)),
      products.version + 1
    from products where products.id = any(${ids}::uuid[])`.execute(tx)
}

export async function saveAdded(tx: Tx, importId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into menu_import_changes (import_id, product_id, before, version)
    select ${importId}::uuid, id, null, 1 from unnest(${ids}::uuid[]) as added (id)`.execute(tx)
}

export async function saveConfirmed(tx: Tx, importId: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into menu_import_changes (import_id, product_id, before, version, confirmed_at)
    select ${importId}::uuid, id, null, version, confirmed_at from products where id = any(${ids}::uuid[])`.execute(tx)
}

/** Reverts the confirmations of an import, except for items that have been confirmed again. */
export async function unconfirm(tx: Tx, importId: string): Promise<void> {
  await sql`
    update products set confirmed_at = saved.confirmed_at
    from menu_import_changes as saved join menu_imports on menu_imports.id = saved.import_id
    where saved.import_id = ${importId}::uuid and saved.confirmed_at is not null
      and products.id = saved.product_id and products.confirmed_at = menu_imports.finished_at`.execute(tx)
}

/** Saves items that are about to be deleted. Undo restores them, unless they exist again. */
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

/** The posts that were about these items, including items that no longer exist. */
export async function postsAbout(tx: Tx, importId: string): Promise<{ post_id: string; product_id: string }[]> {
  const { rows } = await sql<{ post_id: string; product_id: string }>`
    select post_id, product_id from menu_import_changes
      cross join lateral jsonb_array_elements_text(nullif(before -> 'posts', 'null')) as post_id
    where import_id = ${importId}::uuid`.execute(tx)
  return rows
}

export async function touchedItems(tx: Tx, importId: string): Promise<{ added: string[]; changed: string[] }> {
  const rows = await tx
    .selectFrom('menu_import_changes')
    .select(['product_id', sql<boolean>`before is null`.as('is_added')])
    .where('import_id', '=', importId)
    .where('confirmed_at', 'is', null)
    .execute()
  const idsOf = (isAdded: boolean) => rows.filter((row) => row.is_added === isAdded).map((row) => row.product_id)
  return { added: idsOf(true), changed: idsOf(false) }
}

/** Counts items of an import that have been changed or deleted since, manually or by a later import. */
export async function touchedSince(tx: Tx, importId: string): Promise<number> {
  return countRows(
    tx
      .selectFrom('menu_import_changes')
      .leftJoin('products', 'products.id', 'menu_import_changes.product_id')
      .where('import_id', '=', importId)
      .where('menu_import_changes.confirmed_at', 'is', null)
      .where((eb) =>
        eb.or([
          eb.and([eb('products.id', 'is', null), eb('menu_import_changes.version', '!=', removed)]),
          eb('products.version', '!=', eb.ref('menu_import_changes.version')),
        ]),
      ),
  )
}
