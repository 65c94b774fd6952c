import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table person_follows (
      follower_id uuid not null references users on delete cascade,
      person_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (follower_id, person_id),
      constraint nobody_follows_themselves check (follower_id <> person_id)
    )`.execute(db)
  await sql`create index person_follows_of_person on person_follows (person_id, created_at desc, follower_id desc)`.execute(db)
  await sql`create index person_follows_of_follower on person_follows (follower_id, created_at desc, person_id desc)`.execute(db)

  // Every subscription has a follow. Follows implied only by a subscription (is_implied) are deleted with it.
  await sql`
    create table business_follows (
      user_id uuid not null references users on delete cascade,
      business_id uuid not null references businesses on delete cascade,
      is_implied boolean not null default false,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, business_id)
    )`.execute(db)
  await sql`create index business_follows_of_business on business_follows (business_id, user_id)`.execute(db)
  await sql`create index business_follows_of_user on business_follows (user_id, created_at desc, business_id desc)`.execute(db)
  await sql`
    insert into business_follows (user_id, business_id, is_implied, created_at)
    select user_id, business_id, true, created_at from subscriptions`.execute(db)

  await sql`
    create table person_blocks (
      blocker_id uuid not null references users on delete cascade,
      blocked_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (blocker_id, blocked_id),
      constraint nobody_blocks_themselves check (blocker_id <> blocked_id)
    )`.execute(db)
  await sql`create index person_blocks_of_blocked on person_blocks (blocked_id, blocker_id)`.execute(db)
  await sql`create index person_blocks_newest on person_blocks (blocker_id, created_at desc, blocked_id desc)`.execute(db)
  await sql`
    create table business_blocks (
      user_id uuid not null references users on delete cascade,
      business_id uuid not null references businesses on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, business_id)
    )`.execute(db)
  await sql`create index business_blocks_of_business on business_blocks (business_id)`.execute(db)
  await sql`create index business_blocks_newest on business_blocks (user_id, created_at desc, business_id desc)`.execute(db)
}
