import { sql } from 'kysely'
import pg from 'pg'
import { vi } from 'vitest'
import type { Db } from '#server/db/connect.ts'

/** Texts of the statements that the server runs during the work, except those about sessions. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await allStatementsOf(work)).filter((text) => !/from sessions|update sessions/.test(text))
}

async function allStatementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return query.mock.calls.map(([given]) => (typeof given === 'string' ? given : (given as { text: string }).text))
  } finally {
    query.mockRestore()
  }
}

type Cost = {
  /** Texts of all the request's statements, including those that read the session. */
  statements: string[]
  /** Statements that PostgreSQL planned again for this request, although the same request had often run before. */
  planned: string[]
}

/**
 * PostgreSQL plans a prepared statement for its values five times before it considers a generic plan, and the server prepares a
 * statement only on its second use.
 */
const repetitions = 10

/**
 * The cost of a request that the server has already handled often. The database must have `databasePoolSize: 1`, because each connection
 * prepares and plans its own statements.
 */
export async function costOf(db: Db, request: () => Promise<{ statusCode: number }>): Promise<Cost> {
  const answer = async () => {
    const { statusCode } = await request()
    if (statusCode !== 200) throw new Error(`The measured request failed: ${statusCode}`)
  }
  for (let round = 0; round < repetitions; round++) await answer()
  const before = await genericExecutions(db)
  const statements = await allStatementsOf(answer)
  const after = await genericExecutions(db)
  const wasPlanned = (text: string) => (after.get(text) ?? 0) === (before.get(text) ?? 0)
  return { statements, planned: statements.filter(wasPlanned) }
}

/** How often the connection has executed each prepared statement with its generic plan. */
async function genericExecutions(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{ statement: string; generic_plans: number }>`
    select statement, generic_plans from pg_prepared_statements`.execute(db)
  return new Map(rows.map((row) => [row.statement, row.generic_plans]))
}
