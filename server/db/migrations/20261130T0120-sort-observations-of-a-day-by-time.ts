import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Not by ID within a day, because programs' IDs aren't chronological.
  const order = sql`observed_on desc, created_at desc, id desc`
  await sql`drop index observations_of_plant, observations_of_trait, observations_in_time, observations_without_run`.execute(db)
  await sql`create index observations_of_plant on observations (plant_id, trait_id, ${order})`.execute(db)
  await sql`create index observations_of_trait on observations (trait_id, ${order})`.execute(db)
  await sql`create index observations_in_time on observations (hunt_id, ${order})`.execute(db)
  await sql`
    create index observations_without_run on observations (hunt_id, ${order})
      where run_id is null and is_current and not is_withdrawn`.execute(db)
}
