import { type Kysely, sql } from 'kysely'

/** Rows of a menu file that name another shop. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table menu_imports add column rows_elsewhere integer not null default 0`.execute(db)
}
