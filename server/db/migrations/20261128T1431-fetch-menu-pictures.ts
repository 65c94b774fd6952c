import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The address of an item's picture, as the point of sale or a file names it.
  await sql`alter table products add column picture_url text check (length(picture_url) <= 1000)`.execute(db)
  await sql`create index products_by_picture on products (business_id, picture_url) where picture_url is not null`.execute(db)

  // What was found at these addresses. A picture may be gone once no item shows it, so picture_id isn't a foreign key.
  await sql`
    create table menu_pictures (
      business_id uuid not null references businesses on delete cascade,
      url text not null check (length(url) <= 1000),
      picture_id uuid,
      etag text,
      last_modified text,
      content_hash text,
      error text,
      tries integer not null default 0,
      due_at timestamptz(3),
      leased_until timestamptz(3),
      checked_at timestamptz(3),
      primary key (business_id, url)
    )`.execute(db)
  await sql`create index menu_pictures_due on menu_pictures (due_at, business_id) where due_at is not null`.execute(db)
  await sql`create index menu_pictures_leased on menu_pictures (business_id) where leased_until is not null`.execute(db)
}
