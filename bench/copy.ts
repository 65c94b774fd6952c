import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

export type Value = string | number | boolean | Date | null | readonly (string | number)[]

const chunkLength = 128 * 1024

/** Writes rows into a table by COPY, as they are made: memory stays flat however many there are. Answers how many. */
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

/**
 * Takes the foreign keys and the indexes of tables away; what it answers makes them again, which proves every reference.
 * Row by row they cost several times as much. Only within a transaction: when the load fails, they were never gone.
 */
export async function setAsideIndexes(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows: keys } = await client.query<{ owner: string; name: string; definition: string }>(
    `select conrelid::regclass::text as owner, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])`,
    [tables],
  )
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { owner, name } of keys) await client.query(`alter table ${owner} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  return async () => {
    for (const { definition } of indexes) await client.query(definition)
    for (const { owner, name, definition } of keys) await client.query(`alter table ${owner} add constraint ${name} ${definition}`)
  }
}
