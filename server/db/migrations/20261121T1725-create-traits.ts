import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table traits (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      name text not null check (name <> ''),
      kind text not null check (kind in ('ordinal', 'number', 'date', 'category', 'checks', 'photo')),
      -- Where its values come from: observations, or what is written down elsewhere.
      source text not null default 'observation' check (source in
        ('observation', 'log_height', 'log_rating', 'flower_days', 'wet_weight', 'dry_weight', 'wash_yield', 'lab')),
      -- Of a lab's trait: the analyte.
      analyte text,
      unit text not null default '',
      -- Ordinal: [{"value": 1, "label": "weak"}, …]. Category and checks: [{"label": "citrus"}, …].
      options jsonb not null default '[]',
      direction text not null default 'none' check (direction in ('none', 'max', 'min', 'target')),
      -- The desirability is 0 at the one and 1 at the other; a target lies between, 1 itself.
      low double precision,
      high double precision,
      target double precision,
      weight double precision not null default 0 check (weight between 0 and 100),
      -- Of a single plant, as the grower believes it; used while there are no replicates. Null: the usual 0.3.
      heritability double precision check (heritability > 0 and heritability < 1),
      from_stage text,
      to_stage text,
      is_expert boolean not null default false,
      position integer not null default 0,
      is_archived boolean not null default false,
      version integer not null default 1,
      created_at timestamptz(3) not null default now(),
      constraint lab_traits_name_the_analyte check ((source = 'lab') = (analyte is not null)),
      constraint scored_traits_are_numbers check (direction = 'none' or kind in ('ordinal', 'number')),
      constraint scored_traits_have_bounds check (direction = 'none' or (low is not null and high is not null and low < high)),
      constraint targets_lie_between check (direction <> 'target' or (target is not null and target between low and high))
    )`.execute(db)
  await sql`create index traits_of_hunt on traits (hunt_id, position, id)`.execute(db)

  // Only ever added to. A correction names what it corrects; one without a value takes it back.
  await sql`
    create table observations (
      -- Made by the one who observed.
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      trait_id uuid not null references traits on delete cascade,
      plant_id uuid not null references plants on delete cascade,
      run_id uuid references runs on delete set null,
      observed_on date not null,
      value_number double precision,
      value_date date,
      -- The options' values.
      value_options integer[],
      media_id uuid unique references media on delete cascade,
      note text not null default '',
      is_blind boolean not null default false,
      observed_by uuid references users on delete set null,
      -- What it stands in the place of. One alone can correct a value: two who do it at once are told.
      corrects_id uuid unique references observations on delete cascade,
      is_withdrawn boolean not null default false,
      -- False once another one corrects it.
      is_current boolean not null default true,
      created_at timestamptz(3) not null default now(),
      constraint observations_say_one_thing check (
        num_nonnulls(value_number, value_date, value_options, media_id) = case when is_withdrawn then 0 else 1 end),
      constraint only_corrections_withdraw check (not is_withdrawn or corrects_id is not null)
    )`.execute(db)
  await sql`create index observations_current on observations (hunt_id, trait_id, plant_id) where is_current and not is_withdrawn`.execute(
    db,
  )
  await sql`create index observations_of_plant on observations (plant_id, trait_id, observed_on desc, id desc)`.execute(db)
  await sql`create index observations_of_trait on observations (trait_id, observed_on desc, id desc)`.execute(db)
  // A hunt's photos, without reading all that was observed in it.
  await sql`create index observations_with_photos on observations (hunt_id, observed_on) where media_id is not null`.execute(db)
  await sql`create index observations_in_time on observations (hunt_id, observed_on desc, id desc)`.execute(db)
  await sql`create index observations_of_run on observations (run_id) where run_id is not null`.execute(db)
  await sql`create index observations_of_observer on observations (observed_by) where observed_by is not null`.execute(db)

  await sql`
    create table harvests (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      plant_id uuid not null unique references plants on delete cascade,
      run_id uuid references runs on delete set null,
      harvested_on date not null,
      flower_days integer check (flower_days between 0 and 400),
      wet_grams double precision check (wet_grams between 0 and 100000),
      dry_grams double precision check (dry_grams between 0 and 100000),
      trim_grams double precision check (trim_grams between 0 and 100000),
      wash_yield_percent double precision check (wash_yield_percent between 0 and 100),
      notes text not null default '',
      version integer not null default 1,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index harvests_of_hunt on harvests (hunt_id, id)`.execute(db)
  await sql`create index harvests_of_run on harvests (run_id) where run_id is not null`.execute(db)

  await sql`
    create table lab_results (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      plant_id uuid not null references plants on delete cascade,
      lab text not null default '',
      tested_on date not null,
      sample_position text not null default '',
      analyte text not null check (analyte <> ''),
      -- Null: below the limit of quantification.
      value double precision check (value >= 0),
      unit text not null default '%',
      quantification_limit double precision check (quantification_limit >= 0),
      version integer not null default 1,
      created_at timestamptz(3) not null default now(),
      constraint unquantified_results_state_their_limit check (value is not null or quantification_limit is not null)
    )`.execute(db)
  await sql`create index lab_results_of_hunt on lab_results (hunt_id, id)`.execute(db)
  await sql`create index lab_results_of_plant on lab_results (plant_id, analyte)`.execute(db)
}
