import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'

/**
 * Takes so many numbers for genotypes of a hunt, and answers the first of them. They are never given again, whatever becomes of the
 * genotypes. The hunt is to be held for update, so that nobody waits for another who waits for them.
 * @throws AppError not_found
 */
export async function takeNumbers(tx: Tx, huntId: string, count: number): Promise<number> {
  const { rows } = await sql<{ first: number }>`
    update hunts set next_number = next_number + ${count} where id = ${huntId}::uuid returning next_number - ${count}::integer as first`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw notFound('There is no such hunt.')
  return row.first
}
