import { type Manifest, sumOf, tablesOf } from '#server/backup/format.ts'
import type { TableComparison } from '#server/backup/tables.ts'

export function readable(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}

export const many = (count: number, one: string) => `${count.toLocaleString('en-US')} ${one}${count === 1 ? '' : 's'}`

export function totals(manifest: Manifest): string {
  const tables = tablesOf(manifest)
  const { files } = manifest
  const rows = many(sumOf(tables.map((table) => table.rows)), 'row')
  const filesText = files.isIncluded ? `${many(files.count, 'file')} of ${readable(files.bytes)}` : 'no files'
  return `${rows} of ${many(tables.length, 'table')} and ${filesText}, as of ${manifest.takenAt}`
}

export function comparisonLines(tables: readonly TableComparison[]): string[] {
  const shown = tables.filter((table) => table.rows > 0 || table.expectedRows > 0)
  const width = Math.max(5, ...shown.map((table) => table.name.length))
  const line = (name: string, was: string, is: string, same: string) =>
    `${name.padEnd(width)}  ${was.padStart(11)}  ${is.padStart(11)}  ${same}`
  const count = (value: number) => value.toLocaleString('en-US')
  return [
    line('table', 'backed up', 'restored', 'content'),
    ...shown.map((table) => line(table.name, count(table.expectedRows), count(table.rows), table.isSame ? 'the same' : 'DIFFERENT')),
    `Empty in both: ${many(tables.length - shown.length, 'table')}.`,
  ]
}
