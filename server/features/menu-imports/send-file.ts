import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { MenuFileField, MenuImport, MissingItems } from '#contracts/menu-imports.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireMenuEditor, wholeMenu } from '#server/features/menus/index.ts'
import { businessWords } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { createGate } from '#server/kernel/gate.ts'
import { type IdempotencyKey, once } from '#server/kernel/idempotency.ts'
import { newId } from '#server/kernel/ids.ts'
import { checkFile, describeColumns } from './check-file.ts'
import { bareName, guessColumns, includesTax } from './guess-columns.ts'
import {
  appendBytes,
  type FileChoices,
  failImport,
  hasImported,
  type ImportRow,
  importFile,
  importRow,
  rememberedMapping,
  saveFound,
} from './imports.queries.ts'
import { type MenuFile, MenuFileRefused, reasonHeader } from './menu-table.ts'
import { readMenuFile } from './read-menu-file.ts'
import { guessShopColumn, type ShopNames, shopNames } from './rows-of-shop.ts'
import type { Fields } from './tidy-cells.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Limit on uploaded files that were never started, per menu; the oldest are deleted. */
const maxWaiting = 5
/** Each chunk is stored separately, so this minimum keeps a file from arriving byte by byte. */
const minChunkBytes = 64 * 1024

export function beginImport(
  { db, clock }: Ctx,
  actor: Actor,
  idOrSlug: string,
  input: { fileName: string; byteSize: number },
  idempotency: IdempotencyKey | null,
): Promise<MenuImport> {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const business = await requireMenuEditor(tx, actor, idOrSlug, now, { lock: true })
    return once(tx, actor.id, idempotency, now, async () => {
      const id = newId()
      await tx
        .insertInto('menu_imports')
        .values({
          id,
          business_id: business.id,
          user_id: actor.id,
          file_name: input.fileName,
          status: 'receiving',
          byte_size: input.byteSize,
        })
        .execute()
      await tx.updateTable('menu_imports').set({ created_at: now, updated_at: now }).where('id', '=', id).execute()
      await sql`
        delete from menu_imports where id in (
          select id from menu_imports where business_id = ${business.id}::uuid and status in ('receiving', 'ready')
          order by created_at desc, id desc offset ${maxWaiting})`.execute(tx)
      return toImport(await importRow(tx, business.id, id))
    })
  })
}

/** Appends bytes; with the last bytes, the file is parsed. */
export async function receiveFile(
  { db, clock }: Ctx,
  actor: Actor,
  idOrSlug: string,
  id: string,
  { offset, bytes }: { offset: number; bytes: Buffer },
): Promise<MenuImport> {
  const business = await requireMenuEditor(db, actor, idOrSlug, clock.now())
  const row = await importRow(db, business.id, id)
  const end = offset + bytes.length
  if (bytes.length === 0) throw new AppError('invalid_input', { message: 'No bytes arrived.' })
  if (end > row.byte_size) throw invalidField('offset', `The file was announced with ${row.byte_size} bytes, but more arrived.`)
  if (end > row.received_bytes) {
    if (bytes.length < minChunkBytes && end < row.byte_size) {
      throw new AppError('invalid_input', { message: `Send at least ${minChunkBytes / 1024} KiB at a time, except for the last bytes.` })
    }
    if (!(await appendBytes(db, id, offset, bytes, clock.now()))) {
      const { received_bytes, byte_size } = await importRow(db, business.id, id)
      throw new AppError('conflict', { message: `This file has ${received_bytes} of ${byte_size} bytes. Continue from there.` })
    }
  }
  const now = await importRow(db, business.id, id)
  // Also applies to a retry of the last bytes: the first attempt may have been stopped before parsing the file.
  if (now.status === 'receiving' && now.received_bytes === now.byte_size) await analyzeFile({ db, clock }, business.id, now, null)
  return toImport(await importRow(db, business.id, id))
}

type Mapping = {
  fields: (MenuFileField | null)[]
  skipsWrongRows: boolean
  keepsRowsApart?: boolean | undefined
  missingItems?: MissingItems | undefined
  pricesIncludeTax?: boolean | null | undefined
}

export async function mapColumns({ db, clock }: Ctx, actor: Actor, idOrSlug: string, id: string, mapping: Mapping): Promise<MenuImport> {
  const business = await requireMenuEditor(db, actor, idOrSlug, clock.now())
  const row = await importRow(db, business.id, id)
  if (row.status !== 'ready') throw new AppError('conflict', { message: 'You can’t change the columns of this file now.' })
  const { fields } = mapping
  const columnCount = toImport(row).columns.length
  if (fields.length !== columnCount) throw invalidField('fields', `The file has ${columnCount} columns`)
  const twice = fields.findIndex((field, i) => field !== null && fields.indexOf(field) !== i)
  if (twice !== -1) throw invalidField(`fields.${twice}`, 'Another column is already used for this')
  await analyzeFile({ db, clock }, business.id, row, mapping)
  return toImport(await importRow(db, business.id, id))
}

/** A file and a menu take a few hundred megabytes at worst. Rejected clients retry by resending the last bytes. */
const reading = createGate({ maxConcurrent: 2, maxWaiting: 20 })

/**
 * Parses the whole file and stores the result. Unless the columns were mapped, takes them from the last file with this header or guesses
 * them.
 */
export const analyzeFile = (ctx: Ctx, businessId: string, row: ImportRow, mapping: Mapping | null): Promise<void> =>
  reading(() => readAll(ctx, businessId, row, mapping))

async function readAll({ db, clock }: Ctx, businessId: string, row: ImportRow, mapping: Mapping | null): Promise<void> {
  const bytes = await importFile(db, row.id)
  if (!bytes) return
  try {
    const file = await readMenuFile(bytes)
    const names = await shopNames(db, businessId)
    const { fields, ...choices } = mapping ? mapped(row, mapping) : await firstMapping(db, businessId, file, names)
    const refusedIn = await businessWords(db, { clock }, null, 'menu_item', businessId)
    const checked = await checkFile(db, file, fields, names, await wholeMenu(db, businessId), refusedIn, choices)
    await saveFound(db, row.id, { columns: describeColumns(file, fields), ...checked, ...choices }, clock.now())
  } catch (error) {
    if (!(error instanceof MenuFileRefused)) throw error
    await failImport(db, row.id, error.message, clock.now())
  }
}

const mapped = (row: ImportRow, { fields, ...mapping }: Mapping): FileChoices & { fields: Fields } => ({
  fields,
  skipsWrongRows: mapping.skipsWrongRows,
  keepsRowsApart: mapping.keepsRowsApart ?? row.keeps_rows_apart,
  missingItems: mapping.missingItems ?? (row.missing_items as MissingItems),
  pricesIncludeTax: mapping.pricesIncludeTax === undefined ? row.prices_include_tax : mapping.pricesIncludeTax,
  isMappingKnown: row.is_mapping_known,
})

async function firstMapping(db: Db, businessId: string, file: MenuFile, names: ShopNames): Promise<FileChoices & { fields: Fields }> {
  const { header, rows } = file
  const known = await rememberedMapping(db, businessId, headerHash(header))
  // A file of corrected rows is only a part of the menu.
  const reasonAt = header.indexOf(reasonHeader)
  if (known) {
    return {
      fields: reasonAt === -1 ? known.fields : known.fields.toSpliced(reasonAt, 0, null),
      skipsWrongRows: true,
      keepsRowsApart: known.keepsRowsApart,
      missingItems: reasonAt === -1 ? known.missingItems : 'leave',
      pricesIncludeTax: null,
      isMappingKnown: true,
    }
  }
  const guessed = guessColumns(header, rows)
  const shopColumn = guessShopColumn(file, guessed, names)
  const fields = shopColumn === -1 ? guessed : guessed.with(shopColumn, 'shop')
  return {
    fields,
    skipsWrongRows: false,
    keepsRowsApart: false,
    missingItems: reasonAt === -1 && (await hasImported(db, businessId)) ? 'out_of_stock' : 'leave',
    pricesIncludeTax: includesTax(header[fields.indexOf('price')] ?? ''),
    isMappingKnown: false,
  }
}

/** Identifies a header regardless of case, spaces and most punctuation. The column with the reasons for rejected rows doesn't count. */
export const headerHash = (header: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(header.filter((name) => name !== reasonHeader).map(bareName)))
    .digest('hex')

export const toImport = (row: ImportRow): MenuImport => ({
  id: row.id,
  fileName: row.file_name,
  kind: row.kind,
  keyName: row.key_name,
  status: row.status,
  byteSize: row.byte_size,
  receivedBytes: row.received_bytes,
  // Only this feature writes these JSON columns, so the casts are safe.
  columns: row.columns as MenuImport['columns'],
  preview: row.preview as MenuImport['preview'],
  error: row.error,
  skipsWrongRows: row.skips_wrong_rows,
  keepsRowsApart: row.keeps_rows_apart,
  missingItems: row.missing_items as MissingItems,
  pricesIncludeTax: row.prices_include_tax,
  isMappingKnown: row.is_mapping_known,
  rowsTotal: row.rows_total,
  rowsDone: row.rows_done,
  rowsRefused: row.rows_refused,
  rowsInactive: row.rows_inactive,
  rowsElsewhere: row.rows_elsewhere,
  rowsGrouped: row.rows_grouped,
  rowsFlagged: row.rows_flagged,
  rowErrors: row.row_errors as MenuImport['rowErrors'],
  rowNotes: row.row_notes as MenuImport['rowNotes'],
  itemsAdded: row.items_added,
  itemsChanged: row.items_changed,
  itemsConfirmed: row.items_confirmed,
  itemsMissing: row.items_missing,
  itemsRemoved: row.items_removed,
  canUndo: row.can_undo,
  createdAt: row.created_at.toISOString(),
  finishedAt: row.finished_at?.toISOString() ?? null,
})
