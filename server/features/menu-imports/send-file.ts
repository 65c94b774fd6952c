import { sql } from 'kysely'
import type { MenuFileField, MenuImport } from '../../../contracts/menu-imports.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { createGate } from '../../kernel/gate.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { newId } from '../../kernel/ids.ts'
import { requireKeeper, wholeMenu } from '../menus/index.ts'
import { businessWords } from '../screening/index.ts'
import { checkFile, describeColumns } from './check-file.ts'
import { guessColumns } from './guess-columns.ts'
import { appendBytes, failImport, type ImportRow, importFile, importRow, keepFound } from './imports.queries.ts'
import { toImport } from './imports.view.ts'
import { MenuFileRefused, readMenuFile } from './read-menu-file.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

/** Files of a menu that nobody started: the oldest go when there are more. */
const mostWaiting = 5
/** Every piece is added to the row as a whole, so that a file does not come byte by byte. */
const minPieceBytes = 64 * 1024

/** @throws AppError not_found, forbidden, age_restricted */
export function beginImport(
  { db, clock }: Ctx,
  actor: Actor,
  idOrSlug: string,
  input: { fileName: string; byteSize: number },
  idempotency: IdempotencyKey | null,
): Promise<MenuImport> {
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const business = await requireKeeper(tx, actor, idOrSlug, now, { lock: true })
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
          order by created_at desc, id desc offset ${mostWaiting})`.execute(tx)
      return toImport(await importRow(tx, business.id, id))
    })
  })
}

/** Takes the next bytes; with the last ones the file is read. @throws AppError not_found, forbidden, invalid_input, conflict */
export async function receiveFile(
  { db, clock }: Ctx,
  actor: Actor,
  idOrSlug: string,
  id: string,
  { offset, bytes }: { offset: number; bytes: Buffer },
): Promise<MenuImport> {
  const business = await requireKeeper(db, actor, idOrSlug, clock.now())
  const row = await importRow(db, business.id, id)
  const end = offset + bytes.length
  if (bytes.length === 0) throw new AppError('invalid_input', { message: 'No bytes came.' })
  if (end > row.byte_size) throw invalidField('offset', `The file was announced with ${row.byte_size} bytes; these are more.`)
  if (end > row.received_bytes) {
    if (bytes.length < minPieceBytes && end < row.byte_size) {
      throw new AppError('invalid_input', { message: `Send at least ${minPieceBytes / 1024} KiB at a time, but for the last bytes.` })
    }
    if (!(await appendBytes(db, id, offset, bytes, clock.now()))) {
      const { received_bytes, byte_size } = await importRow(db, business.id, id)
      throw new AppError('conflict', { message: `This file has ${received_bytes} of ${byte_size} bytes. Go on from there.` })
    }
  }
  const now = await importRow(db, business.id, id)
  // Also when the last bytes come again: whoever brought them first may have been stopped before the file was read.
  if (now.status === 'receiving' && now.received_bytes === now.byte_size) await lookAt({ db, clock }, business.id, now, null)
  return toImport(await importRow(db, business.id, id))
}

type Mapping = { fields: (MenuFileField | null)[]; skipsWrongRows: boolean }

/** Says what each column is; the whole file is read again. @throws AppError not_found, forbidden, invalid_input, conflict */
export async function mapColumns({ db, clock }: Ctx, actor: Actor, idOrSlug: string, id: string, mapping: Mapping): Promise<MenuImport> {
  const business = await requireKeeper(db, actor, idOrSlug, clock.now())
  const row = await importRow(db, business.id, id)
  if (row.status !== 'ready') throw new AppError('conflict', { message: 'The columns of this file cannot be changed now.' })
  const { fields } = mapping
  const columnCount = toImport(row).columns.length
  if (fields.length !== columnCount) throw invalidField('fields', `The file has ${columnCount} columns`)
  const twice = fields.findIndex((field, i) => field !== null && fields.indexOf(field) !== i)
  if (twice !== -1) throw invalidField(`fields.${twice}`, 'Another column is taken for this already')
  await lookAt({ db, clock }, business.id, row, mapping)
  return toImport(await importRow(db, business.id, id))
}

/** A file and a menu, both whole, are some hundred megabytes at worst; whoever sends the last bytes again has it read again. */
const reading = createGate({ most: 2, mostWaiting: 20 })

/** Reads the whole file and keeps what it holds; the columns are guessed where nobody said what they are. */
const lookAt = (ctx: Ctx, businessId: string, row: ImportRow, mapping: Mapping | null): Promise<void> =>
  reading(() => readAll(ctx, businessId, row, mapping))

async function readAll({ db, clock }: Ctx, businessId: string, row: ImportRow, mapping: Mapping | null): Promise<void> {
  const bytes = await importFile(db, row.id)
  if (!bytes) return
  try {
    const file = await readMenuFile(bytes)
    const fields = mapping?.fields ?? guessColumns(file.header)
    const refusedIn = await businessWords(db, { clock }, null, 'menu_item', businessId)
    const checked = await checkFile(file, fields, await wholeMenu(db, businessId), refusedIn)
    const skipsWrongRows = mapping?.skipsWrongRows ?? row.skips_wrong_rows
    await keepFound(db, row.id, { columns: describeColumns(file, fields), ...checked, skipsWrongRows }, clock.now())
  } catch (error) {
    if (!(error instanceof MenuFileRefused)) throw error
    await failImport(db, row.id, error.message, clock.now())
  }
}
