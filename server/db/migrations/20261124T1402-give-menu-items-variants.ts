import { type Kysely, sql } from 'kysely'

/** The columns that were an item's and are now a variant's. */
const moved = ['sku', 'weight', 'weight_unit', 'price_cents', 'member_price_cents', 'is_available', 'batch']

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table product_variants (
      id uuid primary key,
      product_id uuid not null references products on delete cascade,
      business_id uuid not null references businesses on delete cascade,
      position smallint not null check (position between 0 and 49),
      sku text,
      weight double precision check (weight >= 0),
      weight_unit text check (weight_unit in ('g', 'oz', 'mg', 'ml', 'piece')),
      price_cents integer not null check (price_cents >= 0),
      sale_price_cents integer check (sale_price_cents >= 0),
      -- The subscriber price.
      member_price_cents integer check (member_price_cents >= 0),
      -- Pieces on hand; null if it isn't stated.
      stock double precision check (stock >= 0),
      is_available boolean not null default true,
      batch text,
      constraint sales_are_cheaper check (sale_price_cents < price_cents),
      -- Deferred, because a change may swap weights, SKUs or positions.
      constraint product_variants_in_order unique (product_id, position) deferrable initially deferred,
      constraint product_variants_by_weight unique nulls not distinct (product_id, weight, weight_unit) deferrable initially deferred,
      constraint product_variants_by_sku unique (business_id, sku) deferrable initially deferred
    )`.execute(db)
  await sql`
    alter table products
      add column subcategory text,
      add column strain_type text check (strain_type in ('indica', 'sativa', 'hybrid')),
      -- thc is the lowest value of a range if thc_max is set.
      add column thc_max double precision,
      add column thc_unit text check (thc_unit in ('percent', 'mg')),
      add column cbd_max double precision,
      add column cbd_unit text check (cbd_unit in ('percent', 'mg')),
      -- Figures of the variants, for sorting and filtering: see server/features/menus/variant-rows.queries.ts.
      add column low_price_cents integer not null default 0,
      add column cents_per_gram integer,
      add column is_on_sale boolean not null default false`.execute(db)

  // The only variant of an item has its ID, so that undoing an older import finds it.
  await sql`
    insert into product_variants (id, product_id, business_id, position, sku, weight, weight_unit, price_cents, member_price_cents, is_available, batch)
    select id, id, business_id, 0, sku, weight, weight_unit, price_cents, member_price_cents, is_available, batch from products`.execute(db)
  await sql`
    update products set thc_unit = potency_unit, cbd_unit = potency_unit, low_price_cents = price_cents,
      cents_per_gram = case when weight > 0 then
        least(round(price_cents / (weight * case weight_unit when 'g' then 1 when 'oz' then 28 end)), 2147483646)::integer end`.execute(db)
  await sql`alter table product_offers add column variant_id uuid, add column sale_price_cents integer check (sale_price_cents >= 0)`.execute(
    db,
  )
  await sql`update product_offers set variant_id = product_id`.execute(db)
  await convertImports(db)

  await sql`
    alter table product_offers
      drop constraint product_offers_pkey,
      drop column product_id,
      add primary key (variant_id, location_id),
      add foreign key (variant_id) references product_variants on delete cascade,
      add constraint offered_sales_are_cheaper check (sale_price_cents < price_cents)`.execute(db)
  await sql`
    alter table products
      drop constraint percent_is_of_the_whole,
      drop column sku,
      drop column weight,
      drop column weight_unit,
      drop column price_cents,
      drop column member_price_cents,
      drop column potency_unit,
      drop column batch,
      add constraint thc_is_in_range check (
        (thc_max is null or (thc is not null and thc_max >= thc)) and (thc_unit is distinct from 'percent' or coalesce(thc_max, thc, 0) <= 100)),
      add constraint cbd_is_in_range check (
        (cbd_max is null or (cbd is not null and cbd_max >= cbd)) and (cbd_unit is distinct from 'percent' or coalesce(cbd_max, cbd, 0) <= 100)),
      -- The highest THC first: percents, then milligrams, then items without any.
      add column potency_order double precision not null generated always as (coalesce(
        case thc_unit when 'percent' then -coalesce(thc_max, thc) when 'mg' then 1e6 - coalesce(thc_max, thc) end, 2e6)) stored`.execute(db)
  await sql`create index products_by_price on products (business_id, low_price_cents, lower(name), id)`.execute(db)
  await sql`create index products_by_gram_price on products (business_id, coalesce(cents_per_gram, 2147483647), lower(name), id)`.execute(
    db,
  )
  await sql`create index products_by_potency on products (business_id, potency_order, lower(name), id)`.execute(db)
}

/** Uploaded files stay mapped, and imports of the last 30 days can still be undone. */
async function convertImports(db: Kysely<unknown>): Promise<void> {
  const renamed = (column: string) => sql`${sql.ref(column)} = replace(${sql.ref(column)}::text, '"potencyUnit"', '"thcUnit"')::jsonb`
  const columns = ['columns', 'preview', 'row_errors']
  await sql`
    update menu_imports set ${sql.join(columns.map(renamed))}
    where ${sql.join(
      columns.map((column) => sql`${sql.ref(column)}::text like '%"potencyUnit"%'`),
      sql` or `,
    )}`.execute(db)
  await sql`
    update menu_import_changes set before = jsonb_build_object(
      'item', (before -> 'item') - ${moved}::text[] - 'potency_unit'
        || jsonb_build_object('thc_unit', before -> 'item' -> 'potency_unit', 'cbd_unit', before -> 'item' -> 'potency_unit'),
      'variants', jsonb_build_array(
        jsonb_build_object('id', before -> 'item' -> 'id', 'product_id', before -> 'item' -> 'id', 'position', 0)
        || (select jsonb_object_agg(key, value) from jsonb_each(before -> 'item') where key = any(${moved}::text[]))),
      'offers', coalesce(
        (select jsonb_agg((offer - 'product_id') || jsonb_build_object('variant_id', offer -> 'product_id'))
          from jsonb_array_elements(before -> 'offers') as offer),
        '[]'::jsonb))
    where before is not null`.execute(db)
}
