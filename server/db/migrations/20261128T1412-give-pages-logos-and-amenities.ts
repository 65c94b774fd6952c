import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table businesses
      add column logo_id uuid references media on delete set null,
      add column amenities text[] not null default '{}',
      add constraint businesses_amenities_check check (amenities <@ array['adult_use', 'medical', 'delivery', 'curbside', 'drive_through',
        'debit', 'atm', 'parking', 'wheelchair', 'restroom', 'lounge', 'tours', 'spanish'])`.execute(db)
  await sql`create index businesses_of_logo on businesses (logo_id) where logo_id is not null`.execute(db)
}
