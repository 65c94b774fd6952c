import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // A cross and its amount of seed. Parents are strain names, or phenotypes of the same hunt.
  await sql`
    create table seed_lots (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      mother text not null default '',
      father text not null default '',
      mother_genotype_id uuid,
      father_genotype_id uuid,
      is_selfed boolean not null default false,
      generation text not null default '',
      breeder text not null default '',
      seed_type text not null default 'regular' check (seed_type in ('regular', 'feminized', 'auto')),
      seed_count integer not null default 0 check (seed_count between 0 and 10000),
      source text not null default '',
      version integer not null default 1,
      created_at timestamptz(3) not null default now(),
      constraint selfed_lots_have_no_father check (not is_selfed or (father = '' and father_genotype_id is null))
    )`.execute(db)
  await sql`create index seed_lots_of_hunt on seed_lots (hunt_id, id)`.execute(db)

  // One seed, “#7”: shared by its plant and all its clones.
  await sql`
    create table genotypes (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      seed_lot_id uuid references seed_lots on delete set null,
      number integer not null check (number > 0),
      label text not null default '',
      sex text not null default 'unknown' check (sex in ('unknown', 'female', 'male', 'intersex')),
      notes text not null default '',
      -- The last decision that was not undone; null if there is none.
      standing text check (standing in ('keep', 'retest', 'cull', 'breed')),
      version integer not null default 1,
      created_at timestamptz(3) not null default now(),
      unique (hunt_id, number)
    )`.execute(db)
  await sql`create index genotypes_of_lot on genotypes (seed_lot_id)`.execute(db)
  await sql`alter table seed_lots add foreign key (mother_genotype_id) references genotypes on delete set null`.execute(db)
  await sql`alter table seed_lots add foreign key (father_genotype_id) references genotypes on delete set null`.execute(db)
  await sql`create index seed_lots_of_mother on seed_lots (mother_genotype_id) where mother_genotype_id is not null`.execute(db)
  await sql`create index seed_lots_of_father on seed_lots (father_genotype_id) where father_genotype_id is not null`.execute(db)

  // A decision about a phenotype, with what was known at the time. It is undone, not deleted.
  await sql`
    create table decisions (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      genotype_id uuid not null references genotypes on delete cascade,
      kind text not null check (kind in ('keep', 'retest', 'cull', 'breed')),
      reason text not null default '',
      known jsonb not null default '{}',
      -- The plants it ended, as a record; plants refer to the decision that currently ends them.
      ended_plant_ids uuid[] not null default '{}',
      decided_by uuid references users on delete set null,
      decided_on date not null,
      created_at timestamptz(3) not null default now(),
      undone_at timestamptz(3),
      undone_by uuid references users on delete set null
    )`.execute(db)
  await sql`create index decisions_of_hunt on decisions (hunt_id, id desc)`.execute(db)
  await sql`create index decisions_of_genotype on decisions (genotype_id, id desc)`.execute(db)
  await sql`create index decisions_of_decider on decisions (decided_by) where decided_by is not null`.execute(db)
  await sql`create index decisions_of_undoer on decisions (undone_by) where undone_by is not null`.execute(db)

  // A seed plant or a clone, identified by the code on its label.
  await sql`
    create table plants (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      genotype_id uuid not null references genotypes on delete cascade,
      kind text not null check (kind in ('seed', 'clone')),
      -- Number within its genotype: 0 is the seed plant, clones count from 1.
      copy integer not null check (copy >= 0),
      -- The plant a clone was cut from, if known.
      cut_from_id uuid references plants on delete set null,
      code text not null unique check (code ~ '^[0-9A-HJKMNP-TV-Z]{8}$'),
      started_on date,
      cut_on date,
      rooted_on date,
      is_mother boolean not null default false,
      notes text not null default '',
      -- Null while it is alive.
      ended_on date,
      ended_how text check (ended_how in ('culled', 'harvested', 'died', 'given_away')),
      -- The decision that ended it, so that undoing the decision restores it.
      ended_by_decision_id uuid references decisions on delete set null,
      version integer not null default 1,
      created_at timestamptz(3) not null default now(),
      unique (genotype_id, copy),
      constraint plants_of_seed_come_first check ((kind = 'seed') = (copy = 0)),
      constraint ended_plants_say_how check ((ended_on is null) = (ended_how is null))
    )`.execute(db)
  await sql`create index plants_of_hunt on plants (hunt_id, id)`.execute(db)
  await sql`create index plants_cut_from on plants (cut_from_id) where cut_from_id is not null`.execute(db)
  await sql`create index plants_ended_by on plants (ended_by_decision_id) where ended_by_decision_id is not null`.execute(db)

  await sql`
    create table runs (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      name text not null check (name <> ''),
      room text not null default '',
      medium text not null default '',
      light text not null default '',
      started_on date,
      flowered_on date,
      ended_on date,
      -- The clone repeated in every run, for comparing runs.
      check_genotype_id uuid references genotypes on delete set null,
      bench_rows integer check (bench_rows between 1 and 100),
      bench_columns integer check (bench_columns between 1 and 100),
      version integer not null default 1,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index runs_of_hunt on runs (hunt_id, id)`.execute(db)
  await sql`create index runs_of_check on runs (check_genotype_id) where check_genotype_id is not null`.execute(db)

  await sql`
    create table placements (
      run_id uuid not null references runs on delete cascade,
      plant_id uuid not null references plants on delete cascade,
      bench_row integer check (bench_row between 1 and 100),
      bench_column integer check (bench_column between 1 and 100),
      primary key (run_id, plant_id),
      unique (run_id, bench_row, bench_column),
      constraint places_are_whole check ((bench_row is null) = (bench_column is null))
    )`.execute(db)
  await sql`create index placements_of_plant on placements (plant_id)`.execute(db)

  // Events for the history of a plant and the recent activity of a hunt. Append-only.
  await sql`
    create table hunt_events (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      genotype_id uuid references genotypes on delete cascade,
      plant_id uuid references plants on delete cascade,
      kind text not null,
      -- The log, observation, decision, … it is about.
      subject_id uuid,
      detail jsonb not null default '{}',
      happened_on date not null,
      recorded_by uuid references users on delete set null,
      recorded_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index hunt_events_recent on hunt_events (hunt_id, id desc)`.execute(db)
  await sql`create index hunt_events_of_genotype on hunt_events (genotype_id, happened_on desc, id desc) where genotype_id is not null`.execute(
    db,
  )
  await sql`create index hunt_events_of_plant on hunt_events (plant_id, happened_on desc, id desc) where plant_id is not null`.execute(db)
  await sql`create index hunt_events_of_recorder on hunt_events (recorded_by) where recorded_by is not null`.execute(db)

  await sql`
    create table hunt_tasks (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      genotype_id uuid references genotypes on delete cascade,
      title text not null check (title <> ''),
      due_on date not null,
      -- Recurs this many days after it was due; null if it doesn't.
      every_days integer check (every_days between 1 and 365),
      done_at timestamptz(3),
      done_by uuid references users on delete set null,
      version integer not null default 1,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index hunt_tasks_open on hunt_tasks (hunt_id, due_on, id) where done_at is null`.execute(db)
  await sql`create index hunt_tasks_of_hunt on hunt_tasks (hunt_id, id desc)`.execute(db)
  await sql`create index hunt_tasks_of_genotype on hunt_tasks (genotype_id) where genotype_id is not null`.execute(db)
  await sql`create index hunt_tasks_of_doer on hunt_tasks (done_by) where done_by is not null`.execute(db)
}
