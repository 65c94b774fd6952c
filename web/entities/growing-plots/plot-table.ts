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
  /** Milliseconds since 1970. The file contains ISO 8601 in UTC. */
  | { kind: 'moment'; timeZone?: string | undefined }

export type PlotCell = string | number | boolean | null

/** Plot, table and file use the same `value` of a row, and round it only for display. */
export type PlotColumn<Row> = Shown & {
  key: string
  label: string
  unit?: string | null | undefined
  value: (row: Row) => PlotCell
}

export type PlotTable<Row> = { columns: readonly PlotColumn<Row>[]; rows: readonly Row[] }

export function cellText<Row>(column: PlotColumn<Row>, row: Row): string {
  const value = column.value(row)
  if (value === null || value === '') return missingText
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value === 'string') return column.kind === 'day' ? dayText(value) : value
  if (column.kind === 'share') return shareText(value, column.digits)
  if (column.kind === 'moment') return momentText(value, column.timeZone)
  return numberText(value, column.kind === 'number' ? column.digits : undefined)
}

export const headText = <Row>({ label, unit }: PlotColumn<Row>): string => (unit ? `${label}, ${unit}` : label)

export const isNumeric = <Row>({ kind }: PlotColumn<Row>): boolean => kind === 'number' || kind === 'share'

/** Includes all rows, not only the visible page. */
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

/** A missing measurement must not look like zero. */
export const missingText = '–'

/** Rounds to exactly `digits` decimals, to align columns, or to at most two by default. */
export const numberText = (value: number, digits?: number | undefined): string =>
  numberFormat(
    digits === undefined ? { maximumFractionDigits: 2 } : { minimumFractionDigits: digits, maximumFractionDigits: digits },
  ).format(value)

/** 0.214 → "21%". */
export const shareText = (share: number, digits = 0): string =>
  numberFormat({ style: 'percent', maximumFractionDigits: digits }).format(share)

/** "124 cm" with a no-break space; "21.4%" without a space. */
export function withUnit(text: string, unit: string | null | undefined): string {
  if (!unit) return text
  return unit === '%' ? `${text}%` : `${text}\u00a0${unit}`
}

/** `2026-11-21` is the same day in every time zone. */
export function dayText(day: string, options: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' }): string {
  return dateFormat({ ...options, timeZone: 'UTC' }).format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
}

export function momentText(
  at: number,
  timeZone?: string | undefined,
  options: Intl.DateTimeFormatOptions & { timeZone?: never } = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
): string {
  return (timeZone ? dateFormat({ ...options, timeZone }) : localDateFormat(options)).format(at)
}
