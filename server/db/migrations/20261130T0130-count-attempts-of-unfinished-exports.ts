import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The file's name now depends on the attempt; all finished files have the name of the first.
  await sql`update data_exports set attempts = 1 where status = 'ready'`.execute(db)
}
