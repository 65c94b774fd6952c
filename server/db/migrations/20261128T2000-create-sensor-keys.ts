import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A key with which a sensor or hub adds readings to one sensor of a hunt. Revoking it deletes it; the readings stay.
  await sql`
    create table sensor_keys (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      -- A room has one key, so that its readings have one source.
      sensor_id uuid not null unique references climate_sensors on delete cascade,
      secret_hash text not null unique,
      secret_end text not null,
      -- The key works for as long as this person may edit the hunt.
      created_by uuid not null references users on delete cascade,
      created_at timestamptz(3) not null,
      last_used_at timestamptz(3)
    )`.execute(db)
  await sql`create index sensor_keys_of_hunt on sensor_keys (hunt_id, id)`.execute(db)
  await sql`create index sensor_keys_of_creator on sensor_keys (created_by)`.execute(db)
}
