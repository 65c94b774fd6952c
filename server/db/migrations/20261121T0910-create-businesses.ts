import { type Kysely, sql } from 'kysely'
import { addTrigramIndex } from '#server/db/trigram-index.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table businesses (
      id uuid primary key,
      -- Byte order regardless of the database's locale, so that numbered slugs of the same name are adjacent.
      slug text collate "C" not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
      name text not null check (name <> ''),
      type text not null check (type in ('farm', 'dispensary', 'smoke_shop', 'glass_shop', 'food_service', 'delivery', 'other')),
      description text,
      location text,
      address text,
      city text,
      -- A US state or a Canadian province.
      state text check (state ~ '^[A-Z]{2}$'),
      -- Null if the place is unknown. Never guessed, because it determines which law applies.
      country text check (country ~ '^[A-Z]{2}$'),
      zip text,
      phone text,
      website text,
      image_url text,
      -- As stated by the owner; verified ones are in licenses.
      stated_license_number text,
      -- Location according to the record. Not public: see pin_*.
      latitude double precision check (latitude between -90 and 90),
      longitude double precision check (longitude between -180 and 180),
      geo_precision text check (geo_precision in ('premise', 'zip', 'city')),
      -- The public location: for a farm, never more precise than its city.
      pin_latitude double precision check (pin_latitude between -90 and 90),
      pin_longitude double precision check (pin_longitude between -180 and 180),
      pin_precision text check (pin_precision in ('premise', 'zip', 'city')),
      -- Name, description and location, normalized for the text filter: see server/features/businesses/search.ts.
      search_text text not null default '',
      rating_sum integer not null default 0 check (rating_sum >= 0),
      total_ratings integer not null default 0 check (total_ratings >= 0),
      average_rating numeric(3, 2) not null generated always as
        (case when total_ratings = 0 then 0 else round(rating_sum::numeric / total_ratings, 2) end) stored,
      -- The Bayesian average that ranks lists: see server/features/businesses/search.queries.ts for the constants.
      rating_score double precision not null generated always as ((rating_sum + 35) / (total_ratings + 10.0)::double precision) stored,
      subscriber_count integer not null default 0 check (subscriber_count >= 0),
      license_standing text not null default 'none' check (license_standing in ('listed', 'inactive', 'missing', 'none')),
      -- The place key of register listings; null for businesses created by people.
      register_place text unique,
      -- Fields the owner edited, which imports must not overwrite.
      edited_fields text[] not null default '{}',
      claimed_at timestamptz(3),
      is_demo boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      constraint farms_are_shown_at_city check (type <> 'farm' or pin_precision is null or pin_precision = 'city'),
      constraint pins_are_whole check ((pin_latitude is null) = (pin_longitude is null) and (pin_latitude is null) = (pin_precision is null)),
      constraint rating_sum_matches check (rating_sum between total_ratings and total_ratings * 5)
    )`.execute(db)
  await sql`create index businesses_ranked on businesses (rating_score desc, id desc)`.execute(db)
  await sql`create index businesses_ranked_by_type on businesses (type, rating_score desc, id desc)`.execute(db)
  await sql`create index businesses_ranked_by_state on businesses (state, rating_score desc, id desc)`.execute(db)
  await sql`create index businesses_by_name on businesses (lower(name), id)`.execute(db)
  await sql`create index businesses_newest on businesses (created_at desc, id desc)`.execute(db)
  // A large city has tens of thousands of rows to measure and rank, so the index covers that query.
  await sql`
    create index businesses_by_pin on businesses (pin_latitude, pin_longitude)
      include (id, rating_score, type, license_standing, pin_precision)`.execute(db)
  await sql`create index businesses_demo on businesses (id) where is_demo`.execute(db)
  await addTrigramIndex(db, 'businesses_by_text', 'businesses', 'search_text')

  await sql`
    create table business_members (
      business_id uuid not null references businesses on delete cascade,
      user_id uuid not null references users on delete cascade,
      role text not null check (role in ('owner', 'manager', 'staff')),
      created_at timestamptz(3) not null default now(),
      primary key (business_id, user_id)
    )`.execute(db)
  await sql`create index business_members_by_user on business_members (user_id)`.execute(db)
}
