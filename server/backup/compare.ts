import type pg from 'pg'
import { type Manifest, tablesOf } from './manifest.ts'
import { digestTable } from './tables.ts'

export type TableComparison = { name: string; expectedRows: number; rows: number; isSame: boolean }

/** Counts and sums up every table of a database that was restored, and holds it against what was backed up. */
export async function compareTables(client: pg.Client, manifest: Manifest): Promise<TableComparison[]> {
  const compared: TableComparison[] = []
  for (const table of tablesOf(manifest)) {
    const { rows, digest } = await digestTable(client, table)
    compared.push({ name: table.name, expectedRows: table.rows, rows, isSame: rows === table.rows && digest === table.digest })
  }
  return compared
}
