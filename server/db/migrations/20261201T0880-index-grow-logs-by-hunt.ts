import { type Kysely, sql } from 'kysely'

/** Deleting a hunt read the whole table, because its partial index leaves out rows that go with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A database that ran an unreleased version of these migrations has the index.
  await sql`create index if not exists grow_logs_by_hunt on grow_logs (hunt_id)`.execute(db)
}
