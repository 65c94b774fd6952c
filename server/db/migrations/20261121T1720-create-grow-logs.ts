import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table grow_logs (
      -- Made by the one who writes it, so that sending it twice is known for what it is.
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      -- Null: of the whole hunt.
      plant_id uuid references plants on delete cascade,
      logged_on date not null,
      week integer check (week between 0 and 520),
      stage text check (stage in ('germination', 'seedling', 'vegetative', 'flower', 'drying', 'curing')),
      height_cm double precision check (height_cm between 0 and 1000),
      rating integer check (rating between 1 and 10),
      notes text not null default '',
      air_celsius double precision check (air_celsius between -30 and 70),
      leaf_celsius double precision check (leaf_celsius between -30 and 70),
      humidity_percent double precision check (humidity_percent between 0 and 100),
      co2_ppm double precision check (co2_ppm between 0 and 20000),
      ppfd double precision check (ppfd between 0 and 5000),
      ec_in double precision check (ec_in between 0 and 20),
      ec_out double precision check (ec_out between 0 and 20),
      ph_in double precision check (ph_in between 0 and 14),
      ph_out double precision check (ph_out between 0 and 14),
      feed text not null default '',
      pest_control text not null default '',
      training text not null default '',
      author_id uuid references users on delete set null,
      version integer not null default 1,
      deleted_at timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index grow_logs_of_hunt on grow_logs (hunt_id, logged_on desc, id desc) where deleted_at is null`.execute(db)
  await sql`create index grow_logs_of_plant on grow_logs (plant_id, logged_on desc, id desc) where plant_id is not null`.execute(db)
  await sql`create index grow_logs_of_author on grow_logs (author_id) where author_id is not null`.execute(db)

  await sql`
    create table grow_log_photos (
      log_id uuid not null references grow_logs on delete cascade,
      position smallint not null check (position between 0 and 9),
      media_id uuid not null unique references media on delete cascade,
      primary key (log_id, position)
    )`.execute(db)

  // What a log said before it was changed: a correction keeps what it corrects.
  await sql`
    create table grow_log_versions (
      log_id uuid not null references grow_logs on delete cascade,
      version integer not null,
      said jsonb not null,
      changed_by uuid references users on delete set null,
      changed_at timestamptz(3) not null default now(),
      primary key (log_id, version)
    )`.execute(db)
  await sql`create index grow_log_versions_of_changer on grow_log_versions (changed_by) where changed_by is not null`.execute(db)

  // Those that can still be brought back, and then go for good.
  await sql`create index grow_logs_deleted on grow_logs (deleted_at) where deleted_at is not null`.execute(db)

  await sql`
    create table climate_sensors (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      name text not null check (name <> ''),
      created_at timestamptz(3) not null default now(),
      unique (hunt_id, name)
    )`.execute(db)

  // One file of a sensor, so that a whole import can be undone.
  await sql`
    create table climate_imports (
      id uuid primary key,
      hunt_id uuid not null references hunts on delete cascade,
      sensor_id uuid not null references climate_sensors on delete cascade,
      file_name text not null,
      time_zone text not null,
      readings_count integer not null default 0 check (readings_count >= 0),
      imported_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index climate_imports_of_hunt on climate_imports (hunt_id, id desc)`.execute(db)
  await sql`create index climate_imports_of_sensor on climate_imports (sensor_id)`.execute(db)
  await sql`create index climate_imports_of_importer on climate_imports (imported_by) where imported_by is not null`.execute(db)

  await sql`
    create table climate_readings (
      sensor_id uuid not null references climate_sensors on delete cascade,
      read_at timestamptz(3) not null,
      import_id uuid not null references climate_imports on delete cascade,
      air_celsius real not null,
      humidity_percent real not null check (humidity_percent between 0 and 100),
      leaf_celsius real,
      co2_ppm real,
      -- Computed when it was written down: one formula, that of agronomy/, and no work when a million of them are drawn.
      vpd_kpa real not null,
      primary key (sensor_id, read_at)
    )`.execute(db)
  await sql`create index climate_readings_of_import on climate_readings (import_id)`.execute(db)

  // The band that a grower aims at in a stage.
  await sql`
    create table climate_targets (
      hunt_id uuid not null references hunts on delete cascade,
      stage text not null check (stage in ('germination', 'seedling', 'vegetative', 'flower', 'drying', 'curing')),
      measure text not null check (measure in ('airCelsius', 'humidityPercent', 'leafCelsius', 'co2Ppm', 'vpdKpa')),
      low double precision not null,
      high double precision not null check (high >= low),
      primary key (hunt_id, stage, measure)
    )`.execute(db)
}
