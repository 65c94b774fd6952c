import { CsvError, parse } from 'csv-parse/browser/esm/sync'
import { findHeader, isLongHistory } from './sensor-columns.ts'

/** Says in a sentence why a file cannot be read. */
export class SensorFileRefused extends Error {
  override readonly name = 'SensorFileRefused'
}

/** `line` counts as a spreadsheet does: from 1, empty lines too. */
export type SensorTable = { header: string[]; rows: { line: number; cells: string[] }[]; isLong: boolean }

export const maxSensorFileBytes = 32 * 1024 * 1024
const mostRecord = 100_000

/** A sensor's export: UTF-8, UTF-16 or Windows-1252, with commas, semicolons or tabs between the cells. @throws SensorFileRefused */
export function readSensorTable(bytes: Uint8Array): SensorTable {
  if (bytes.length > maxSensorFileBytes) throw new SensorFileRefused('A file can have at most 32 MB. Export a shorter time.')
  const records = recordsOf(decode(bytes))
  const at = isLongHistory(records[0] ?? []) ? 0 : findHeader(records)
  const header = records[at] ?? []
  if (header.length < 2) throw new SensorFileRefused('This is no table of readings. Export the sensor’s history as CSV and choose that.')
  const rows = records
    .slice(at + 1)
    .map((cells, nth) => ({ line: at + nth + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
  if (rows.length === 0) throw new SensorFileRefused('The file has a header and no readings.')
  return { header, rows, isLong: isLongHistory(header) }
}

function recordsOf(text: string): string[][] {
  try {
    return parse(text, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: mostRecord,
      skip_empty_lines: false,
      trim: true,
    }) as string[][]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new SensorFileRefused('This is no CSV file that can be read. Export the sensor’s history as CSV and choose that.')
  }
}

function decode(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 4096).includes(0)) throw new SensorFileRefused('This is no text. An Excel file cannot be read: save it as CSV.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The one that most of the first lines have most of, outside of quotes. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split(/\r\n|\n|\r/)
    .slice(0, 30)
  const countOf = (delimiter: string) => lines.reduce((sum, line) => sum + line.replace(/"[^"]*"/g, '').split(delimiter).length - 1, 0)
  return [';', '\t', ','].reduce((best, each) => (countOf(each) > countOf(best) ? each : best))
}
