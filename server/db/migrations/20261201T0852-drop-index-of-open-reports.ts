import { type Kysely, sql } from 'kysely'

/** Moderators read cases, so nothing lists open reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index reports_open`.execute(db)
}
