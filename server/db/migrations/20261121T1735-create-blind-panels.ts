import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Jars with codes instead of names, scored by people who need no account.
  await sql`
    create table blind_panels (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      name text not null check (name <> ''),
      -- What testers read before they score.
      instructions text not null default '',
      -- What was scored is hidden from everybody while it is open; one that was closed never opens again.
      is_open boolean not null default true,
      closed_at timestamptz(3),
      created_by uuid references users on delete set null,
      version integer not null default 1,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index blind_panels_of_hunt on blind_panels (hunt_id, id desc)`.execute(db)
  await sql`create index blind_panels_of_maker on blind_panels (created_by) where created_by is not null`.execute(db)

  await sql`
    create table panel_traits (
      panel_id uuid not null references blind_panels on delete cascade,
      trait_id uuid not null references traits on delete cascade,
      position smallint not null,
      primary key (panel_id, trait_id)
    )`.execute(db)
  await sql`create index panel_traits_of_trait on panel_traits (trait_id)`.execute(db)

  await sql`
    create table panel_jars (
      id uuid primary key,
      panel_id uuid not null references blind_panels on delete cascade,
      plant_id uuid not null references plants on delete cascade,
      -- What the jar is called by before everybody: drawn, so that it tells nothing of number or order.
      jar_name text not null,
      cure_days integer check (cure_days between 0 and 3650),
      -- The highest number that a card of it ever had.
      last_card integer not null default 0,
      unique (panel_id, jar_name),
      unique (panel_id, plant_id)
    )`.execute(db)
  await sql`create index panel_jars_of_plant on panel_jars (plant_id)`.execute(db)

  // One answer each: a card beside the jar, with a code that is made when it is printed and kept as a hash alone.
  await sql`
    create table panel_cards (
      id uuid primary key,
      jar_id uuid not null references panel_jars on delete cascade,
      card_number integer not null check (card_number > 0),
      token_hash text unique,
      answered_at timestamptz(3),
      -- As the tester signs; may stay empty.
      taster text not null default '',
      comment text not null default '',
      unique (jar_id, card_number)
    )`.execute(db)

  await sql`
    create table panel_scores (
      card_id uuid not null references panel_cards on delete cascade,
      trait_id uuid not null references traits on delete cascade,
      value_number double precision,
      value_options integer[],
      primary key (card_id, trait_id),
      constraint scores_say_one_thing check (num_nonnulls(value_number, value_options) = 1)
    )`.execute(db)
  await sql`create index panel_scores_of_trait on panel_scores (trait_id)`.execute(db)
}
