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

  // One row: every writer of the register locks it first, so that concurrent imports take turns.
  await sql`create table license_register (id smallint primary key check (id = 1))`.execute(db)
  await sql`insert into license_register (id) values (1)`.execute(db)

  await sql`
    create table licenses (
      id uuid primary key,
      -- Identity across files: see server/features/directory/license-row.ts.
      register_key text not null unique,
      business_id uuid references businesses on delete set null,
      -- The place key shared by all licenses of a business at a place; null without a place.
      register_place text,
      -- Digest of authority, street and city: an address that many businesses share isn't their premises.
      address_key text,
      -- The name without case, punctuation and legal form.
      name_key text not null,
      -- Changed since the listing at its place was last computed.
      listing_due boolean not null default true,
      state text not null check (state ~ '^[A-Z]{2}$'),
      license_number text,
      -- Uppercase letters and digits only, for matching people's input.
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
      -- Digest of the row in the file: an unchanged row costs no write.
      content_hash text not null,
      last_import_id uuid not null references license_imports,
      -- The date of the newer file that lacks it.
      missing_since date,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index licenses_of_business on licenses (business_id)`.execute(db)
  await sql`create index licenses_by_number on licenses (state, license_number_key)`.execute(db)
  await sql`create index licenses_of_state on licenses (state, id)`.execute(db)
  await sql`create index licenses_at_place on licenses (register_place) where register_place is not null`.execute(db)
  await sql`create index licenses_at_address on licenses (address_key, name_key) where address_key is not null`.execute(db)
  await sql`create index licenses_due on licenses (id) where listing_due`.execute(db)
}
