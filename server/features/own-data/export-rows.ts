import fs from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Part } from './map/index.ts'

const rowsAtOnce = 1_000

type Columns = readonly string[]

/** The columns of every table, in their order. */
export async function columnsOfTables(tx: Tx): Promise<Map<string, Columns>> {
  const { rows } = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' group by table_name`.execute(tx)
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}

export const camelCase = (column: string): string => column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const exportedColumns = (part: Part, columns: Columns): string[] => columns.filter((column) => part.leftOut?.[column] === undefined)

type Source = { table: string; part: Part; columns: Columns; ownerId: string }

/**
 * Writes rows into a file as a JSON array, one row a line, a thousand rows in memory at a time. `tx` is a snapshot that nobody waits for.
 * Answers how many there were; without any there is no file.
 */
export async function writeRows(tx: Tx, { table, part, columns, ownerId }: Source, file: string): Promise<number> {
  const names = exportedColumns(part, columns)
  const fields = sql.join(names.map((name) => sql`${sql.ref(name)} as ${sql.ref(camelCase(name))}`))
  await sql`
    declare own_rows no scroll cursor for
    select ${fields} from ${sql.table(table)} where ${part.whose(sql`${ownerId}::uuid`)} order by ${sql.ref(columns[0] as string)}`.execute(
    tx,
  )
  let out: fs.promises.FileHandle | undefined
  let count = 0
  try {
    for (;;) {
      const { rows } = await sql<object>`fetch ${sql.lit(rowsAtOnce)} from own_rows`.execute(tx)
      if (rows.length === 0) break
      out ??= await create(file)
      const lines = rows.map((row, i) => `${count + i === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`)
      count += rows.length
      await out.appendFile(lines.join(''))
    }
    await out?.appendFile('\n]\n')
  } finally {
    await out?.close()
  }
  await sql`close own_rows`.execute(tx)
  return count
}

async function create(file: string): Promise<fs.promises.FileHandle> {
  await fs.promises.mkdir(path.dirname(file), { recursive: true })
  return fs.promises.open(file, 'w', 0o600)
}
