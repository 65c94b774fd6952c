import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The `sequence` of an event's last change of time or place. Other changes, such as its title, also increase `sequence`.
  await sql`alter table events add column moved_sequence integer not null default 0`.execute(db)
}
