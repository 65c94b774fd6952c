import { type CsvCell, csvFile } from '#contracts/csv.ts'
import { dateFormat, localDateFormat, numberFormat } from '#web/lib/format.ts'

type Shown =
  | { kind?: 'text' }
  | { kind: 'number'; digits?: number | undefined }
  /** 0 to 1, shown as a percentage. */
  | { kind: 'share'; digits?: number | undefined }
  | { kind: 'yes-no' }
  /** `2026-11-21`. */
  | { kind: 'day' }
  /** Milliseconds since 1970; ISO 8601 in UTC in the file. */
  | { kind: 'moment'; timeZone?: string | undefined }

export type PlotCell = string | number | boolean | null

/**
 * A column shared by plot, table and file. All three use the same `value` of a row, which is rounded only for display.
 */
export type PlotColumn<Row> = Shown & {
  key: string
  label: string
  unit?: string | null | undefined
  value: (row: Row) => PlotCell
}

export type PlotTable<Row> = { columns: readonly PlotColumn<Row>[]; rows: readonly Row[] }

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

/** All rows as CSV, regardless of the visible page. */
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

/** Shown for missing measurements, never zero. */
export const missing = '–'

/** Exactly `digits` decimals, to align columns; at most two by default. */
export const numberText = (value: number, digits?: number | undefined): string =>
  numberFormat(
    digits === undefined ? { maximumFractionDigits: 2 } : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  ).format(value)

/** Formats a share (0 to 1) as a percentage. */
export const shareText = (share: number, digits = 0): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: digits }).format(share)

/** Joins number and unit with a no-break space: "124 cm"; no space before percent: "21.4%". */
export function withUnit(text: string, unit: string | null | undefined): string {
  if (!unit) return text
  return unit === '%' ? `${text}%` : `${text}\u00a0${unit}`
}

/** A calendar day (`2026-11-21`), independent of time zones. */
export function dayText(day: string, options: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' }): string {
  return dateFormat({ ...options, timeZone: 'UTC' }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
}

/** A moment in the room's time zone; the reader's by default. */
export function momentText(
  at: number,
  timeZone?: string | undefined,
  options: Intl.DateTimeFormatOptions & { timeZone?: never } = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
): string {
  return (timeZone ? dateFormat({ ...options, timeZone }) : localDateFormat(options)).format(at)
}
