import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { MenuFileField, MenuImport } from '../../../contracts/menu-imports.ts'
import type { StoredItem } from '../menus/index.ts'
import type { WordCheck } from '../screening/index.ts'
import { itemCells } from './item-cells.ts'
import { createPlan, type Placed } from './plan-import.ts'
import { type MenuFile, MenuFileRefused } from './read-menu-file.ts'
import { type ReadRow, readRow } from './read-row.ts'

type Fields = readonly (MenuFileField | null)[]

const previewRows = 20
const mostRowErrors = 100
const mostExamples = 3
const exampleLength = 60
/** Of a cell that cannot be stored; a file may have megabytes of it. */
const wrongCellLength = 300
/** So many rows are looked at before others have their turn. */
const stretch = 250

/** What each row of a file does to a menu, in order. @throws MenuFileRefused for columns by which no item can be found */
export async function planFile(
  file: MenuFile,
  fields: Fields,
  menu: readonly StoredItem[],
  refusedIn: WordCheck,
  see: (placed: Placed, row: ReadRow) => void,
): Promise<void> {
  if (!fields.includes('name') && !fields.includes('sku')) {
    throw new MenuFileRefused('Say which column holds the names (or the SKUs) of the items.')
  }
  const place = createPlan(menu, fields, refusedIn)
  for (const [i, cells] of file.rows.entries()) {
    const row = readRow(cells, fields)
    see(place(row), row)
    if (i % stretch === stretch - 1) await yieldToOthers()
  }
}

export type Checked = {
  preview: MenuImport['preview']
  rowErrors: MenuImport['rowErrors']
  rowsTotal: number
  rowsRefused: number
}

/** What an import of the file would do now, and all that is wrong in it. A file without names is wrong as a whole, but can be mapped. */
export async function checkFile(file: MenuFile, fields: Fields, menu: readonly StoredItem[], refusedIn: WordCheck): Promise<Checked> {
  const checked: Checked = { preview: [], rowErrors: [], rowsTotal: file.rows.length, rowsRefused: 0 }
  await planFile(file, fields, menu, refusedIn, (placed, row) => {
    if (checked.preview.length < previewRows) checked.preview.push(toPreview(placed, row))
    if (placed.effect !== 'refused') return
    checked.rowsRefused++
    for (const error of placed.errors) if (checked.rowErrors.length < mostRowErrors) checked.rowErrors.push({ row: row.row, ...error })
  }).catch((error: unknown) => {
    if (!(error instanceof MenuFileRefused)) throw error
    checked.rowsRefused = checked.rowsTotal
    checked.rowErrors = [{ row: 1, field: null, message: error.message }]
  })
  return checked
}

/** As it would be stored, or as it stands in the file where it cannot be. */
function toPreview({ effect, item, errors }: Placed, { row, cells }: ReadRow): MenuImport['preview'][number] {
  const values = Object.keys(cells) as MenuFileField[]
  return {
    row,
    effect,
    errors,
    values: Object.fromEntries(
      values.map((field) => [field, item ? itemCells[field](item) : beginningOf(cells[field] ?? '', wrongCellLength)]),
    ),
  }
}

/** Without what PostgreSQL's JSON refuses: NUL, and the half of a character that a cut leaves. */
const beginningOf = (text: string, length: number): string => text.slice(0, length).replace(/\0|[\ud800-\udbff]$/g, '')

/** The columns with a few of their cells, by which one sees what they hold. */
export function describeColumns(file: MenuFile, fields: Fields): MenuImport['columns'] {
  return file.header.map((name, i) => {
    const examples = new Set<string>()
    for (const { cells } of file.rows) {
      if (cells[i]) examples.add(beginningOf(cells[i], exampleLength))
      if (examples.size >= mostExamples) break
    }
    return { name: beginningOf(name, exampleLength), field: fields[i] ?? null, examples: [...examples] }
  })
}
