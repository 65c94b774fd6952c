import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // For assigning observations to a run. Usually, only a few of many have none.
  await sql`
    create index observations_without_run on observations (hunt_id, observed_on desc, id desc)
      where run_id is null and is_current and not is_withdrawn`.execute(db)
}
