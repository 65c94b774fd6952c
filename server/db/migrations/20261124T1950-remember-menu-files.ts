import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table menu_imports
      add column keeps_rows_apart boolean not null default false,
      add column missing_items text not null default 'leave' check (missing_items in ('leave', 'out_of_stock', 'remove')),
      -- Whether the file's prices include tax; null leaves the menu's setting as it is. The second is the earlier setting, for undoing.
      add column prices_include_tax boolean,
      add column included_tax_before boolean,
      add column is_mapping_known boolean not null default false,
      add column rows_inactive integer not null default 0,
      add column rows_grouped integer not null default 0,
      add column rows_flagged integer not null default 0,
      add column row_notes jsonb not null default '[]',
      -- The rejected rows with their reasons, to correct and upload again.
      add column rejected_csv text`.execute(db)

  // For an item that an import only confirmed: when it was confirmed before.
  await sql`alter table menu_import_changes add column confirmed_at timestamptz(3)`.execute(db)

  // How a business maps the columns of files with the same header.
  await sql`
    create table menu_file_mappings (
      business_id uuid not null references businesses on delete cascade,
      header_hash text not null,
      fields jsonb not null,
      keeps_rows_apart boolean not null,
      missing_items text not null check (missing_items in ('leave', 'out_of_stock', 'remove')),
      used_at timestamptz(3) not null,
      primary key (business_id, header_hash)
    )`.execute(db)
}
