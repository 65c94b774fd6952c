import pg from 'pg'
import { setAsideConstraints } from '#server/backup/secrets.ts'
import { copyRows } from './copy.ts'
import type { Table } from './dataset-table.ts'

export type LoadedTable = { table: string; rows: number; seconds: number }

const printLoaded = ({ table, rows, seconds }: LoadedTable): void =>
  console.log(`${table.padEnd(26)} ${String(rows || '').padStart(10)} ${seconds.toFixed(1).padStart(8)} s`)

/**
 * Fills tables in one transaction, so a failed load leaves nothing behind. In the same transaction, `finish` runs after the rows are loaded
 * and before indexes and foreign keys are recreated.
 */
export async function loadTables(
  url: string,
  tables: readonly Table[],
  finish: (client: pg.Client) => Promise<unknown>,
  report: (loaded: LoadedTable) => void = printLoaded,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'sungrove bench' })
  await client.connect()
  const timed = async (table: string, work: () => Promise<number>) => {
    const start = performance.now()
    report({ table, rows: await work(), seconds: (performance.now() - start) / 1000 })
  }
  try {
    await client.query('begin')
    await client.query("set local maintenance_work_mem = '512MB'")
    const restore = await setAsideConstraints(
      client,
      tables.map(({ name }) => name),
    )
    for (const { name, columns, rows } of tables) await timed(name, () => copyRows(client, name, columns, rows()))
    await finish(client)
    await timed('indexes and foreign keys', async () => {
      await restore()
      return 0
    })
    await client.query('commit')
    await timed('statistics', async () => {
      await client.query('vacuum analyze')
      return 0
    })
  } finally {
    await client.end()
  }
}
