import { type Kysely, sql } from 'kysely'

/** Preferred units and formats. Null: the default for the device's region. Everything is stored in SI units. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users
      add column region text check (region ~ '^[A-Z]{2}$'),
      add column temperature_unit text check (temperature_unit in ('C', 'F')),
      add column length_unit text check (length_unit in ('cm', 'in')),
      add column mass_unit text check (mass_unit in ('g', 'oz')),
      add column distance_unit text check (distance_unit in ('km', 'mi'))`.execute(db)
}
