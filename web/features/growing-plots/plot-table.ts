import { type CsvCell, csvFile } from '../../../contracts/csv.ts'
import { dayText, missing, momentText, numberText, shareText } from './format.ts'

type Shown =
  | { kind?: 'text' }
  | { kind: 'number'; digits?: number | undefined }
  /** From 0 to 1, shown as a percentage. */
  | { kind: 'share'; digits?: number | undefined }
  | { kind: 'yes-no' }
  /** `2026-11-21`. */
  | { kind: 'day' }
  /** Milliseconds since 1970; the file has them as ISO 8601 in UTC. */
  | { kind: 'moment'; timeZone?: string | undefined }

export type PlotCell = string | number | boolean | null

/**
 * One column of what a plot shows. The plot, the table and the file read the same rows: what is drawn at a row is `value` of that row, and
 * nothing is rounded before it is written on the screen.
 */
export type PlotColumn<Row> = Shown & {
  key: string
  label: string
  unit?: string | null | undefined
  value: (row: Row) => PlotCell
}

export type PlotTable<Row> = { columns: readonly PlotColumn<Row>[]; rows: readonly Row[] }

/** What the table shows in a cell. */
export function cellText<Row>(column: PlotColumn<Row>, row: Row): string {
  const value = column.value(row)
  if (value === null || value === '') return missing
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string') return column.kind === 'day' ? dayText(value) : value
  if (column.kind === 'share') return shareText(value, column.digits)
  if (column.kind === 'moment') return momentText(value, column.timeZone)
  return numberText(value, column.kind === 'number' ? column.digits : undefined)
}

export const headText = <Row>({ label, unit }: PlotColumn<Row>): string => (unit ? `${label}, ${unit}` : label)

export const isNumeric = <Row>({ kind }: PlotColumn<Row>): boolean => kind === 'number' || kind === 'share'

/** The whole table as CSV: every row, whatever page of it is on the screen. */
export function tableCsv<Row>({ columns, rows }: PlotTable<Row>): string {
  return csvFile(
    columns.map(headText),
    rows.map((row) => columns.map((column) => csvCell(column, row))),
  )
}

function csvCell<Row>(column: PlotColumn<Row>, row: Row): CsvCell {
  const value = column.value(row)
  return column.kind === 'moment' && typeof value === 'number' ? new Date(value).toISOString() : value
}
