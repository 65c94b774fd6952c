import type { MenuField } from '#contracts/menu-fields.ts'
import type { MenuImport } from '#contracts/menu-imports.endpoints.ts'
import type { StoredItem } from '#server/features/menus/index.ts'
import type { WordCheck } from '#server/features/screening/index.ts'
import { type MenuFile, MenuFileRefused } from './menu-table.ts'
import { type Plan, planFile } from './plan-file.ts'
import { type Fields, menuCell } from './read-row.ts'

const previewRows = 20
const maxRowErrors = 100
const maxExamples = 3
const exampleLength = 60
/** Limit in error messages for a cell that can't be stored; a file may have megabytes in one. */
const wrongCellLength = 300

type Refused = Pick<MenuImport, 'rowErrors' | 'rowsRefused'>
export type Checked = Pick<MenuImport, 'preview' | 'rowsTotal'> & Refused

/**
 * Previews what the import would do now, with up to `maxRowErrors` errors. Without a column for names or SKUs, every row is refused, but
 * the columns can still be mapped.
 */
export async function checkFile(file: MenuFile, fields: Fields, menu: readonly StoredItem[], refusedIn: WordCheck): Promise<Checked> {
  const rowsTotal = file.rows.length
  try {
    const plan = await planFile(file, fields, menu, refusedIn)
    return { preview: plan.rows.slice(0, previewRows).map(toPreview), rowsTotal, ...refusedRows(plan) }
  } catch (error) {
    if (!(error instanceof MenuFileRefused)) throw error
    return { preview: [], rowsTotal, rowsRefused: rowsTotal, rowErrors: [{ row: 1, field: null, message: error.message }] }
  }
}

export function refusedRows({ rows }: Plan): Refused {
  const refused = rows.filter(({ placed }) => placed.effect === 'refused')
  const rowErrors = refused.flatMap(({ read, placed }) => placed.errors.map((error) => ({ row: read.row, ...error })))
  return { rowsRefused: refused.length, rowErrors: rowErrors.slice(0, maxRowErrors) }
}

/** As it would be stored, or as in the file if it can't be. */
function toPreview({ read: { row, cells }, placed }: Plan['rows'][number]): MenuImport['preview'][number] {
  const cellOf = (field: MenuField) =>
    placed.effect === 'refused' ? beginningOf(cells[field] ?? '', wrongCellLength) : menuCell(placed.item, placed.variant, field)
  const fields = Object.keys(cells) as MenuField[]
  return {
    row,
    effect: placed.effect,
    errors: placed.errors,
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
