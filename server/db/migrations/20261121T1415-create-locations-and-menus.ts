import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table locations (
      -- The main location has the id of its business.
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      name text not null check (name <> ''),
      location text,
      address text,
      city text,
      state text check (state ~ '^[A-Z]{2}$'),
      country text check (country ~ '^[A-Z]{2}$'),
      zip text,
      phone text,
      pin_latitude double precision check (pin_latitude between -90 and 90),
      pin_longitude double precision check (pin_longitude between -180 and 180),
      pin_precision text check (pin_precision in ('premise', 'zip', 'city')),
      -- IANA name.
      time_zone text not null,
      has_hours boolean not null default false,
      -- Whether the business was a farm when this was written; one that became a farm later gets a farm's privacy too.
      is_farm boolean not null default false,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      constraint location_pins_are_whole
        check ((pin_latitude is null) = (pin_longitude is null) and (pin_latitude is null) = (pin_precision is null)),
      constraint farm_locations_are_shown_at_city
        check (not is_farm or (address is null and zip is null and (pin_precision is null or pin_precision = 'city')))
    )`.execute(db)
  await sql`create index locations_of_business on locations (business_id, created_at, id)`.execute(db)

  // Minutes since midnight; a closing time at or before the opening one is on the next day. Weekday 0 is Monday.
  await sql`
    create table location_hours (
      location_id uuid not null references locations on delete cascade,
      weekday smallint not null check (weekday between 0 and 6),
      opens smallint not null check (opens between 0 and 1439),
      closes smallint not null check (closes between 0 and 1440),
      primary key (location_id, weekday, opens)
    )`.execute(db)
  // A day with special hours; closed if it has no intervals.
  await sql`
    create table location_special_days (
      location_id uuid not null references locations on delete cascade,
      day date not null,
      opens smallint[] not null default '{}',
      closes smallint[] not null default '{}',
      note text not null default '',
      primary key (location_id, day),
      constraint special_intervals_are_whole check (cardinality(opens) = cardinality(closes))
    )`.execute(db)

  await sql`
    alter table products
      add column sku text,
      add column member_price_cents integer check (member_price_cents >= 0),
      add column strain text,
      add column brand text,
      add column thc double precision check (thc >= 0),
      add column cbd double precision check (cbd >= 0),
      add column potency_unit text check (potency_unit in ('percent', 'mg')),
      add column weight double precision check (weight >= 0),
      add column weight_unit text check (weight_unit in ('g', 'oz', 'mg', 'ml', 'piece')),
      add column batch text,
      add column certificate_id uuid references media on delete set null,
      add column image_id uuid references media on delete set null,
      add column confirmed_at timestamptz(3) not null default now(),
      add column version integer not null default 1,
      -- Name, brand, strain and SKU, normalized for the text filter: see server/features/menus/product-rows.queries.ts.
      add column search_text text not null default '',
      add constraint percent_is_of_the_whole check (potency_unit is distinct from 'percent' or (coalesce(thc, 0) <= 100 and coalesce(cbd, 0) <= 100))`.execute(
    db,
  )
  // Pictures come from uploads, and this column was never used; the currency belongs to the whole menu: see menu_settings.
  await sql`alter table products drop column image_url, drop column currency`.execute(db)
  // Categories were free text before there was a list.
  await sql`
    update products set category = case
      when category in ('Flower', 'Concentrates', 'Edibles', 'Topicals', 'Accessories') then category
      when category = 'Pre-rolls' then 'Pre-Rolls'
      when category = 'Wholesale flower' then 'Flower'
      else 'Other' end
    where category is not null`.execute(db)
  // In the order of contracts/menu-fields.rules.ts; items without a category come last, with "Other".
  await sql`
    alter table products
      add constraint categories_are_known check (category in
        ('Flower', 'Pre-Rolls', 'Vapes', 'Concentrates', 'Edibles', 'Drinks', 'Tinctures', 'Topicals', 'Seeds & Clones', 'Accessories', 'Other')),
      add column category_rank smallint not null generated always as (
        case category when 'Flower' then 0 when 'Pre-Rolls' then 1 when 'Vapes' then 2 when 'Concentrates' then 3 when 'Edibles' then 4
          when 'Drinks' then 5 when 'Tinctures' then 6 when 'Topicals' then 7 when 'Seeds & Clones' then 8 when 'Accessories' then 9
          else 10 end) stored`.execute(db)
  await sql`create unique index products_by_sku on products (business_id, sku) where sku is not null`.execute(db)
  await sql`drop index products_of_business`.execute(db)
  await sql`create index products_of_menu on products (business_id, category_rank, lower(name), id)`.execute(db)
  await sql`create index products_of_image on products (image_id) where image_id is not null`.execute(db)
  await sql`create index products_of_certificate on products (certificate_id) where certificate_id is not null`.execute(db)

  // Only where a location's price differs from the item's.
  await sql`
    create table product_offers (
      product_id uuid not null references products on delete cascade,
      location_id uuid not null references locations on delete cascade,
      is_offered boolean not null default true,
      price_cents integer check (price_cents >= 0),
      is_available boolean,
      primary key (product_id, location_id)
    )`.execute(db)
  await sql`create index product_offers_of_location on product_offers (location_id)`.execute(db)

  await sql`
    create table menu_settings (
      business_id uuid primary key references businesses on delete cascade,
      currency text not null default 'USD' check (currency in ('USD', 'CAD', 'EUR')),
      -- Thousandths of a percent: 8875 is 8.875%. Null if the business has not set it.
      tax_rate integer check (tax_rate between 0 and 100000),
      prices_include_tax boolean not null default false,
      updated_at timestamptz(3) not null default now()
    )`.execute(db)

  // Limits announcements of new menu items to one a day.
  await sql`
    create table menu_announcements (
      business_id uuid not null references businesses on delete cascade,
      day date not null,
      primary key (business_id, day)
    )`.execute(db)

  await sql`
    create table menu_imports (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      user_id uuid references users on delete set null,
      file_name text not null,
      status text not null check (status in ('receiving', 'ready', 'running', 'done', 'failed', 'undone')),
      byte_size integer not null,
      received_bytes integer not null default 0,
      -- The file's columns in order: name, a few samples, and the mapped field.
      columns jsonb not null default '[]',
      -- The first rows as they would be stored; cleared when the import is done.
      preview jsonb not null default '[]',
      skips_wrong_rows boolean not null default false,
      error text,
      row_errors jsonb not null default '[]',
      rows_total integer not null default 0,
      rows_done integer not null default 0,
      rows_refused integer not null default 0,
      items_added integer not null default 0,
      items_changed integer not null default 0,
      created_at timestamptz(3) not null default now(),
      started_at timestamptz(3),
      finished_at timestamptz(3),
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index menu_imports_of_business on menu_imports (business_id, created_at desc, id desc)`.execute(db)
  await sql`create unique index menu_imports_one_at_a_time on menu_imports (business_id) where status = 'running'`.execute(db)
  await sql`create index menu_imports_by_age on menu_imports (updated_at)`.execute(db)

  // The uploaded file, until it was imported. As a single row, it would be rewritten with every piece.
  await sql`
    create table menu_import_pieces (
      import_id uuid not null references menu_imports on delete cascade,
      starts_at integer not null,
      bytes bytea not null,
      primary key (import_id, starts_at)
    )`.execute(db)

  // For undoing an import: `before` is null if it added the item, else the previous row with its offers.
  await sql`
    create table menu_import_changes (
      import_id uuid not null references menu_imports on delete cascade,
      product_id uuid not null,
      before jsonb,
      -- The item's version after the import. A higher one means that someone has edited the item since.
      version integer not null,
      primary key (import_id, product_id)
    )`.execute(db)
}
