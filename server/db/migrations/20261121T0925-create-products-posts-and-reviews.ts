import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table products (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      name text not null check (name <> ''),
      price_cents integer not null check (price_cents >= 0),
      currency text not null default 'USD' check (currency in ('USD', 'CAD', 'EUR')),
      description text,
      category text,
      image_url text,
      is_available boolean not null default true,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index products_of_business on products (business_id, created_at desc, id desc)`.execute(db)

  await sql`
    create table posts (
      id uuid primary key,
      author_id uuid not null references users on delete cascade,
      business_id uuid references businesses on delete cascade,
      title text not null check (title <> ''),
      content text not null check (content <> ''),
      image_url text,
      post_type text not null default 'update' check (post_type in ('update', 'promotion', 'educational', 'product')),
      is_exclusive boolean not null default false,
      likes_count integer not null default 0 check (likes_count >= 0),
      comments_count integer not null default 0 check (comments_count >= 0),
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      constraint exclusive_posts_have_a_business check (not is_exclusive or business_id is not null)
    )`.execute(db)
  await sql`create index posts_of_business on posts (business_id, created_at desc, id desc)`.execute(db)
  await sql`create index posts_of_author on posts (author_id, created_at desc, id desc)`.execute(db)

  await sql`
    create table reviews (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      user_id uuid not null references users on delete cascade,
      rating smallint not null check (rating between 1 and 5),
      review text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      unique (business_id, user_id)
    )`.execute(db)
  await sql`create index reviews_of_business on reviews (business_id, created_at desc, id desc)`.execute(db)
  await sql`create index reviews_of_user on reviews (user_id)`.execute(db)
}
