import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Addresses of merged businesses, which permanently redirect to the business that remains.
  await sql`
    create table business_redirects (
      from_id uuid primary key,
      slug text collate "C" not null unique,
      business_id uuid not null references businesses on delete cascade,
      -- Licenses that a register lists there belong to the business that remains.
      register_place text unique,
      merged_by uuid references users on delete set null,
      created_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index business_redirects_to_business on business_redirects (business_id)`.execute(db)
  await sql`create index business_redirects_by_person on business_redirects (merged_by) where merged_by is not null`.execute(db)

  // Reviews that a merge took off a page: a person's older one of two, and those by the team. Only their authors can read them.
  await sql`
    create table merged_reviews (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      user_id uuid not null references users on delete cascade,
      rating smallint not null check (rating between 1 and 5),
      review text,
      is_freebie boolean not null,
      reply text,
      created_at timestamptz(3) not null,
      edited_at timestamptz(3),
      merged_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index merged_reviews_of_business on merged_reviews (business_id)`.execute(db)
  await sql`create index merged_reviews_of_user on merged_reviews (user_id)`.execute(db)
}
