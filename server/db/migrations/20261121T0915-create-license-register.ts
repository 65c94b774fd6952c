import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table license_imports (
      id uuid primary key,
      source text not null,
      started_at timestamptz(3) not null,
      finished_at timestamptz(3),
      rows_read integer not null default 0,
      rows_refused integer not null default 0,
      licenses_added integer not null default 0,
      licenses_changed integer not null default 0,
      licenses_missing integer not null default 0,
      listings_added integer not null default 0,
      listings_changed integer not null default 0
    )`.execute(db)

  await sql`
    create table licenses (
      id uuid primary key,
      -- Identity across files: state and number, or a digest of the row where the register has no number.
      register_key text not null unique,
      business_id uuid references businesses on delete set null,
      state text not null check (state ~ '^[A-Z]{2}$'),
      license_number text,
      -- Upper case, letters and digits only: how people's input is matched.
      license_number_key text,
      business_name text not null,
      license_type text,
      business_type text not null check (business_type in ('farm', 'dispensary', 'smoke_shop', 'glass_shop', 'food_service', 'delivery', 'other')),
      status text,
      standing text not null check (standing in ('listed', 'inactive', 'missing')),
      designation text,
      street text,
      city text,
      county text,
      zip text,
      phone text,
      website text,
      latitude double precision,
      longitude double precision,
      geo_precision text check (geo_precision in ('premise', 'zip', 'city')),
      authority text,
      authority_id text,
      source text not null,
      source_date date,
      -- Digest of all that the file says: an unchanged row costs no write.
      content_hash text not null,
      last_import_id uuid not null references license_imports,
      missing_since timestamptz(3),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index licenses_of_business on licenses (business_id)`.execute(db)
  await sql`create index licenses_by_number on licenses (state, license_number_key)`.execute(db)
  await sql`create index licenses_by_import on licenses (last_import_id)`.execute(db)
}
