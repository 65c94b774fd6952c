import { type Kysely, sql } from 'kysely'

/** People blocked by a business; `business_blocks` has the businesses blocked by a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table business_person_blocks (
      business_id uuid not null references businesses on delete cascade,
      person_id uuid not null references users on delete cascade,
      -- The team member who did it; null once their account is deleted.
      blocked_by uuid references users on delete set null,
      created_at timestamptz(3) not null default now(),
      primary key (business_id, person_id)
    )`.execute(db)
  await sql`create index business_person_blocks_of_person on business_person_blocks (person_id)`.execute(db)
  await sql`create index business_person_blocks_by on business_person_blocks (blocked_by)`.execute(db)
  await sql`create index business_person_blocks_newest on business_person_blocks (business_id, created_at desc, person_id desc)`.execute(db)
}
