import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Only the hash of a key is stored. Each key stops with the team membership of the person who created it.
  await sql`
    create table business_keys (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      created_by uuid not null references users on delete cascade,
      name text not null,
      scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['menu:read', 'menu:write']),
      secret_hash text not null unique,
      secret_end text not null,
      created_at timestamptz(3) not null,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      last_used_at timestamptz(3)
    )`.execute(db)
  await sql`create index business_keys_of_business on business_keys (business_id, created_at desc, id desc)`.execute(db)
  await sql`create index business_keys_of_creator on business_keys (created_by)`.execute(db)
  await sql`create unique index business_keys_active_names on business_keys (business_id, lower(name)) where revoked_at is null`.execute(db)

  // The IDs that the point of sale has for items and their variants.
  await sql`alter table products add column external_id text`.execute(db)
  await sql`
    create unique index products_by_external_id on products (business_id, external_id) where external_id is not null`.execute(db)
  await sql`alter table product_variants add column external_id text`.execute(db)
  await sql`
    create unique index product_variants_by_external_id on product_variants (product_id, external_id)
    where external_id is not null`.execute(db)

  await sql`
    alter table menu_imports
      add column kind text not null default 'file' check (kind in ('file', 'full_sync', 'update', 'removal')),
      add column key_id uuid references business_keys on delete set null,
      add column key_name text,
      add column items_confirmed integer not null default 0,
      add column items_missing integer not null default 0,
      add column items_removed integer not null default 0,
      add column item_errors jsonb not null default '[]'`.execute(db)
  await sql`create index menu_imports_of_key on menu_imports (key_id)`.execute(db)
  await sql`
    create index menu_syncs_of_business on menu_imports (business_id, created_at desc, id desc) where kind <> 'file'`.execute(db)
}
