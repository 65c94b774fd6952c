import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table reviews
      add column is_freebie boolean not null default false,
      add column edited_at timestamptz(3),
      add column helpful_count integer not null default 0 check (helpful_count >= 0),
      add column reply text check (reply <> ''),
      add column replied_by uuid references users on delete set null,
      add column replied_at timestamptz(3),
      add constraint replies_have_a_time check ((reply is null) = (replied_at is null))`.execute(db)
  await sql`create index reviews_by_help on reviews (business_id, helpful_count desc, created_at desc, id desc)`.execute(db)
  await sql`create index reviews_highest on reviews (business_id, rating desc, created_at desc, id desc)`.execute(db)
  await sql`create index reviews_lowest on reviews (business_id, rating, created_at desc, id desc)`.execute(db)
  await sql`create index reviews_by_replier on reviews (replied_by) where replied_by is not null`.execute(db)

  await sql`
    create table review_votes (
      review_id uuid not null references reviews on delete cascade,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (review_id, user_id)
    )`.execute(db)
  await sql`create index review_votes_of_user on review_votes (user_id)`.execute(db)

  // Number of reviews with 1, 2, 3, 4 and 5 stars; total_ratings and rating_sum are derived from it.
  await sql`alter table businesses add column rating_counts integer[] not null default '{0,0,0,0,0}'`.execute(db)
  await sql`
    update businesses set rating_counts = counted.counts
    from (
      select business_id, array[
        count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
        count(*) filter (where rating = 4), count(*) filter (where rating = 5)]::integer[] as counts
      from reviews group by business_id) as counted
    where businesses.id = counted.business_id`.execute(db)
  await sql`
    alter table businesses
      add constraint rating_counts_match check (
        array_length(rating_counts, 1) = 5
        and rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5] = total_ratings
        and rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5] = rating_sum)`.execute(
    db,
  )

  await sql`
    create table reports (
      id uuid primary key,
      reporter_id uuid not null references users on delete cascade,
      subject text not null check (subject in ('post', 'comment', 'review', 'person', 'business')),
      subject_id uuid not null,
      reason text not null check (reason in
        ('spam', 'harassment', 'illegal_sale', 'minors', 'health_claim', 'false_information', 'intimate_image', 'other')),
      details text not null default '',
      created_at timestamptz(3) not null default now(),
      resolved_at timestamptz(3),
      unique (reporter_id, subject, subject_id)
    )`.execute(db)
  await sql`create index reports_open on reports (created_at, id) where resolved_at is null`.execute(db)
  await sql`create index reports_of_subject on reports (subject, subject_id)`.execute(db)

  // Recent engagement, decayed by age; written by a job.
  await sql`
    create table business_trends (
      business_id uuid primary key references businesses on delete cascade,
      score double precision not null check (score > 0),
      -- Main reason for the score: "12 new likes this week".
      reason text not null,
      computed_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index business_trends_ranked on business_trends (score desc, business_id desc)`.execute(db)

  // For the job, which reads the last two weeks of each.
  for (const table of ['post_likes', 'comments', 'business_follows', 'favorites', 'reviews']) {
    await sql`create index ${sql.ref(`${table}_by_age`)} on ${sql.table(table)} (created_at)`.execute(db)
  }
  // See server/features/home/index.ts.
  await sql`create index businesses_featured on businesses (rating_score desc, id desc) where total_ratings >= 5`.execute(db)
}
