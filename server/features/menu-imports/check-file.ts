import { csvFile } from '#contracts/csv.ts'
import type { MenuField } from '#contracts/menu-fields.ts'
import type { MenuFileField, MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { type StoredItem, storedFields } from '#server/features/menus/index.ts'
import type { WordCheck } from '#server/features/screening/index.ts'
import { type MenuFile, MenuFileRefused, reasonHeader } from './menu-table.ts'
import { isAccepted, moveReoffered, noOffers, type Plan, type PlanOptions } from './plan.ts'
import { planFile } from './plan-file.ts'
import { menuCell } from './read-row.ts'
import { rowsOfShop, type ShopNames } from './rows-of-shop.ts'
import type { Fields } from './tidy-cells.ts'

const previewRows = 50
const maxRemarks = 100
const maxExamples = 3
const exampleLength = 60
/** How many characters of an invalid cell an error message quotes; a cell may have megabytes. */
const wrongCellLength = 300

/** `rejectedCsv` is null if no row was rejected. */
export type Outcome = Pick<
  MenuImport,
  | 'rowErrors'
  | 'rowNotes'
  | 'rowsRefused'
  | 'rowsInactive'
  | 'rowsElsewhere'
  | 'rowsGrouped'
  | 'rowsFlagged'
  | 'itemsAdded'
  | 'itemsChanged'
  | 'itemsConfirmed'
  | 'itemsMissing'
  | 'itemsRemoved'
> & { rejectedCsv: string | null }
export type Checked = Pick<MenuImport, 'preview' | 'rowsTotal'> & Outcome

/**
 * Previews what the import would do now, with up to `maxRemarks` errors. Without a column for names or SKUs, every row is refused, but
 * the columns can still be mapped.
 */
export async function checkFile(
  db: Db,
  whole: MenuFile,
  fields: Fields,
  names: ShopNames,
  menu: readonly StoredItem[],
  refusedIn: WordCheck,
  options: PlanOptions,
): Promise<Checked> {
  const rowsTotal = whole.rows.length
  try {
    const { file, elsewhere } = rowsOfShop(whole, fields, names)
    const plan = await planFile(file, fields, menu, refusedIn, options, names)
    await moveReoffered(db, plan, plan.offers)
    return {
      preview: plan.rows.slice(0, previewRows).map(toPreview),
      rowsTotal: file.rows.length,
      ...outcomeOf(plan, file, fields, elsewhere),
    }
  } catch (error) {
    if (!(error instanceof MenuFileRefused)) throw error
    const nothing: Plan = { rows: [], added: [], changed: [], confirmed: [], missing: [], removed: [], gone: [], menu, offers: noOffers() }
    const rowErrors = [{ row: 1, field: null, message: error.message }]
    return { ...outcomeOf(nothing, whole, fields), preview: [], rowsTotal, rowsRefused: rowsTotal, rowErrors }
  }
}

export function outcomeOf(
  { rows, added, changed, confirmed, missing, removed }: Plan,
  file: MenuFile,
  fields: Fields,
  elsewhere = 0,
): Outcome {
  const refused = rows.filter(({ placed }) => placed.effect === 'refused')
  const flagged = rows.filter(({ read, placed }) => isAccepted(placed) && read.notes.length > 0)
  const countOf = (effect: string) => rows.filter(({ placed }) => placed.effect === effect).length
  return {
    rowErrors: refused.flatMap(({ read, placed }) => placed.errors.map((error) => ({ row: read.row, ...error }))).slice(0, maxRemarks),
    rowNotes: flagged.flatMap(({ read }) => read.notes.map((note) => ({ row: read.row, ...note }))).slice(0, maxRemarks),
    rowsRefused: refused.length,
    rowsInactive: countOf('inactive'),
    rowsElsewhere: elsewhere,
    rowsGrouped: countOf('add_variant'),
    rowsFlagged: flagged.length,
    itemsAdded: added.length,
    itemsChanged: changed.length,
    itemsConfirmed: confirmed.length,
    itemsMissing: missing.length,
    itemsRemoved: removed.length,
    rejectedCsv: refused.length === 0 ? null : rejectedCsv(rows, file, fields),
  }
}

type Column = { name: string; field: MenuFileField | null }

/** Returns the column's name in the file's header, or in this site's exports if another column implies the field. */
export const columnName = (columns: readonly Column[], field: MenuFileField): string =>
  columns.find((column) => column.field === field)?.name || (field in storedFields ? storedFields[field as MenuField].fileName : field)

/** The rejected rows, unchanged except for their reasons, to correct and upload again. */
function rejectedCsv(rows: Plan['rows'], { header }: MenuFile, fields: Fields): string {
  const at = header.indexOf(reasonHeader)
  const columns = header.map((name, i) => ({ name, field: fields[i] ?? null }))
  const own = (cells: readonly string[]) => header.flatMap((_, i) => (i === at ? [] : [cells[i] ?? '']))
  const lines = rows.flatMap(({ read: { row, source }, placed }) => {
    if (placed.effect !== 'refused') return []
    const reason = placed.errors.map(({ field, message }) => (field === null ? message : `${columnName(columns, field)}: ${message}`))
    return [[...own(source), `Row ${row}: ${reason.join('; ')}`]]
  })
  return csvFile([...own(header), reasonHeader], lines).replaceAll('\0', '')
}

/** The row as it would be stored, or as in the file if it can't be stored. */
function toPreview({ read: { row, cells, notes }, placed }: Plan['rows'][number]): MenuImport['preview'][number] {
  const cellOf = (field: MenuFileField) => {
    if (isAccepted(placed) && field === 'imageUrl') return placed.item.picture_url ?? ''
    if (isAccepted(placed) && field in storedFields) return menuCell(placed.item, placed.variant, field as MenuField)
    return beginningOf(cells[field] ?? '', wrongCellLength)
  }
  const shown: readonly MenuFileField[] = isAccepted(placed) ? ['name', 'weight', 'weightUnit', 'price', 'stock', 'isAvailable'] : []
  const fields = [...new Set([...shown, ...(Object.keys(cells) as MenuFileField[])])]
  return {
    row,
    effect: placed.effect,
    errors: placed.errors,
    notes: isAccepted(placed) ? notes : [],
    values: Object.fromEntries(fields.map((field) => [field, cellOf(field)])),
  }
}

/** Strips what PostgreSQL's JSON rejects: NUL, and half of a surrogate pair left by truncation. */
const beginningOf = (text: string, length: number): string => text.slice(0, length).replace(/\0|[\ud800-\udbff]$/g, '')

export function describeColumns(file: MenuFile, fields: Fields): MenuImport['columns'] {
  return file.header.map((name, i) => {
    const examples = new Set<string>()
    for (const { cells } of file.rows) {
      if (cells[i]) examples.add(beginningOf(cells[i], exampleLength))
      if (examples.size >= maxExamples) break
    }
    return { name: beginningOf(name, exampleLength), field: fields[i] ?? null, examples: [...examples] }
  })
}
