import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Jars with codes instead of names, scored by people without an account.
  await sql`
    create table blind_panels (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      name text not null check (name <> ''),
      -- Instructions for the testers.
      instructions text not null default '',
      -- Scores are hidden from everyone while it is open; a closed panel never reopens.
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
      -- The jar's public code: random, so that it reveals neither number nor order.
      jar_name text not null,
      cure_days integer check (cure_days between 0 and 3650),
      -- The highest card number it ever had.
      last_card integer not null default 0,
      unique (panel_id, jar_name),
      unique (panel_id, plant_id)
    )`.execute(db)
  await sql`create index panel_jars_of_plant on panel_jars (plant_id)`.execute(db)

  // One response each: a card next to the jar, with a code that is generated for printing and stored only as a hash.
  await sql`
    create table panel_cards (
      id uuid primary key,
      jar_id uuid not null references panel_jars on delete cascade,
      card_number integer not null check (card_number > 0),
      token_hash text unique,
      answered_at timestamptz(3),
      -- Name given by the tester; may be empty.
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
