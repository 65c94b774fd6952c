import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const person = sql`uuid not null references users (id) on delete cascade`
  const post = sql`uuid not null references posts (id) on delete cascade`
  await sql`
    create table saved_posts (
      user_id ${person},
      post_id ${post},
      created_at timestamptz(3) not null default now(),
      primary key (user_id, post_id)
    )`.execute(db)
  await sql`create index saved_posts_newest on saved_posts (user_id, created_at desc, post_id desc)`.execute(db)
  await sql`
    create table hidden_posts (
      user_id ${person},
      post_id ${post},
      created_at timestamptz(3) not null default now(),
      primary key (user_id, post_id)
    )`.execute(db)
  for (const table of ['saved_posts', 'hidden_posts']) {
    await sql`create index ${sql.raw(`${table}_of_post`)} on ${sql.table(table)} (post_id)`.execute(db)
  }
  await sql`
    create table person_mutes (
      user_id ${person},
      muted_id ${person},
      created_at timestamptz(3) not null default now(),
      primary key (user_id, muted_id),
      check (user_id <> muted_id)
    )`.execute(db)
  await sql`create index person_mutes_newest on person_mutes (user_id, created_at desc, muted_id desc)`.execute(db)
  await sql`create index person_mutes_of_muted on person_mutes (muted_id)`.execute(db)
  await sql`
    create table business_mutes (
      user_id ${person},
      business_id uuid not null references businesses (id) on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (user_id, business_id)
    )`.execute(db)
  await sql`create index business_mutes_newest on business_mutes (user_id, created_at desc, business_id desc)`.execute(db)
  await sql`create index business_mutes_of_business on business_mutes (business_id)`.execute(db)
}
