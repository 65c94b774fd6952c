import {
  CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'

/** EXPLAIN ANALYZE plans of the statements that `work` sends to a recorder, which returns no rows. */
export async function plansOf(db: Db, work: (recorder: Db) => Promise<unknown>): Promise<string> {
  const asked: CompiledQuery[] = []
  const connection: DatabaseConnection = {
    executeQuery: async (query) => {
      asked.push(query)
      return { rows: [] }
    },
    async *streamQuery() {},
  }
  class Recording extends DummyDriver {
    override acquireConnection = async () => connection
  }
  const recorder = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Recording(),
      createIntrospector: (of) => new PostgresIntrospector(of),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  await work(recorder)
  if (asked.length === 0) throw new Error('There is no statement to explain.')
  const plans: string[] = []
  for (const { sql: text, parameters } of asked) {
    const explained = CompiledQuery.raw(`explain (analyze, buffers) ${text}`, [...parameters])
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explained)
    plans.push(...rows.map((row) => row['QUERY PLAN']))
  }
  return plans.join('\n')
}
