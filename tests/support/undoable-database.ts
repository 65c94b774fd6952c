import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type DB, preparingClient, typeParsers } from '#server/db/connect.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export type UndoableDatabase = TestDatabase & {
  /** Runs `work` and rolls back everything it wrote to the database. */
  undone<Answer>(work: () => Promise<Answer>): Promise<Answer>
}

/**
 * A database with one connection. Inside `undone`, the server's transactions are savepoints of an outer one, so thousands of calls
 * can each see the same data. A handler that needs a second connection during a transaction times out here.
 */
export async function createUndoableDatabase(): Promise<UndoableDatabase> {
  const base = await createTestDatabase()
  let isUndoing = false
  const asSavepoint = (text: string): string => {
    if (!isUndoing) return text
    if (/^(begin|start transaction)/i.test(text)) return 'savepoint inner_transaction'
    if (/^commit/i.test(text)) return 'release savepoint inner_transaction'
    if (/^rollback$/i.test(text)) return 'rollback to savepoint inner_transaction'
    return text
  }
  class Client extends preparingClient() {
    // biome-ignore lint/suspicious/noExplicitAny: the signature of an overloaded method of pg
    override query(query: any, ...rest: any[]): any {
      return super.query(typeof query === 'string' ? asSavepoint(query) : query, ...rest)
    }
  }
  const pool = new pg.Pool({ connectionString: base.url, types: typeParsers, max: 1, connectionTimeoutMillis: 5_000, Client })
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  return {
    ...base,
    db,
    pool,
    async undone(work) {
      await pool.query('begin')
      isUndoing = true
      try {
        return await work()
      } finally {
        isUndoing = false
        await pool.query('rollback')
      }
    },
    async drop() {
      await pool.end()
      await base.drop()
    },
  }
}
