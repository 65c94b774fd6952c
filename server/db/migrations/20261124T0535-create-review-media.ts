import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table review_media (
      review_id uuid not null references reviews on delete cascade,
      position smallint not null check (position between 0 and 3),
      media_id uuid not null unique references media on delete cascade,
      primary key (review_id, position)
    )`.execute(db)
  await sql`
    alter table media_uses
      drop constraint media_uses_kind_check,
      add constraint media_uses_kind_check check (kind in ('post', 'draft', 'business', 'community', 'person', 'product', 'claim',
        'license', 'log', 'observation', 'message', 'gallery_item', 'review')),
      add column review_id uuid generated always as (case when kind = 'review' then subject_id end) stored
        references reviews on delete cascade`.execute(db)
  await sql`create index media_uses_of_review on media_uses (review_id) where review_id is not null`.execute(db)
}
