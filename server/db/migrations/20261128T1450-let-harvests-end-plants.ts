import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Deleting such a harvest brings its plant back. Earlier harvests left their plants alive.
  await sql`alter table harvests add column ended_plant boolean not null default false`.execute(db)
}
