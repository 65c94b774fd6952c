import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Deleting a harvest that ended its plant restores the plant. Harvests from before this column left their plants alive.
  await sql`alter table harvests add column ended_plant boolean not null default false`.execute(db)
}
