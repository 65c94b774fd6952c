import { type Kysely, sql } from 'kysely'

/** Follows that ended in the last two weeks, so that following the same business again doesn't count as a new follower. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ended_follows (
      user_id uuid not null references users on delete cascade,
      business_id uuid not null references businesses on delete cascade,
      followed_at timestamptz(3) not null,
      ended_at timestamptz(3) not null,
      primary key (user_id, business_id)
    )`.execute(db)
  await sql`create index ended_follows_of_business on ended_follows (business_id)`.execute(db)
  await sql`create index ended_follows_by_end on ended_follows (ended_at)`.execute(db)
}
