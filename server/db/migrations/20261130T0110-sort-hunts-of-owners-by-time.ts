import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Hunts are listed by time. Not by ID, because programs' IDs aren't chronological.
  await sql`create index hunts_of_owner_by_time on hunts (owner_id, created_at desc, id desc)`.execute(db)
  await sql`drop index hunts_of_owner`.execute(db)
}
