import { type Kysely, sql } from 'kysely'

/** One planned move per business. The row is deleted when the business moves or the plan is canceled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table business_moves (
      business_id uuid primary key references businesses on delete cascade,
      -- The first day at the new address, in the time zone of the main location.
      moves_on date not null,
      location text not null,
      address text,
      city text,
      state text,
      country text,
      zip text,
      pin_latitude double precision,
      pin_longitude double precision,
      pin_precision text check (pin_precision in ('premise', 'zip', 'city')),
      created_at timestamptz(3) not null,
      constraint pins_are_whole check (
        (pin_latitude is null) = (pin_longitude is null) and (pin_latitude is null) = (pin_precision is null))
    )`.execute(db)
  await sql`create index business_moves_by_day on business_moves (moves_on, business_id)`.execute(db)
}
