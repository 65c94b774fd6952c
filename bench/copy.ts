import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type Value = string | number | boolean | Date | null | readonly (string | number)[]

const chunkLength = 128 * 1024

/** Streams rows into a table with COPY, which keeps memory use constant. Returns the number of rows. */
export async function copyRows(
  client: pg.Client,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
): Promise<number> {
  let count = 0
  function* chunks() {
    let chunk = ''
    for (const row of rows) {
      count++
      chunk += lineOf(row)
      if (chunk.length < chunkLength) continue
      yield chunk
      chunk = ''
    }
    if (chunk) yield chunk
  }
  await pipeline(
    Readable.from(chunks(), { objectMode: true, highWaterMark: 2 }),
    client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`)),
  )
  return count
}

const lineOf = (row: readonly Value[]) => `${row.map(field).join('\t')}\n`

function field(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (value instanceof Date) return value.toISOString()
  return escaped(`{${value.map((each) => (typeof each === 'number' ? each : `"${each.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`)
}

const special: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (text: string) => text.replace(/[\\\t\n\r]/g, (character) => special[character] as string)
