import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table subscriptions (
      user_id uuid not null references users on delete cascade,
      business_id uuid not null references businesses on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, business_id)
    )`.execute(db)
  await sql`create index subscriptions_of_business on subscriptions (business_id, user_id)`.execute(db)

  await sql`
    create table favorites (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      business_id uuid not null references businesses on delete cascade,
      created_at timestamptz(3) not null default now(),
      unique (user_id, business_id)
    )`.execute(db)
  await sql`create index favorites_of_user on favorites (user_id, created_at desc, id desc)`.execute(db)
  await sql`create index favorites_of_business on favorites (business_id)`.execute(db)
}
