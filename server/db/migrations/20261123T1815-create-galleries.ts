import { type Kysely, sql } from 'kysely'

const subjects = sql`('post', 'comment', 'review', 'person', 'business', 'hunt', 'hunt_comment', 'community', 'message', 'event', 'gallery_item')`

export async function up(db: Kysely<unknown>): Promise<void> {
  // Kept when a plan ends, and shown again with the next one.
  await sql`
    create table gallery_items (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      media_id uuid not null unique references media on delete cascade,
      kind text not null check (kind in ('image', 'video')),
      position smallint not null,
      alt text not null check (length(alt) <= 300),
      -- The team member who added it.
      added_by uuid references users on delete set null,
      moderation text check (moderation in ('held', 'hidden', 'removed')),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      -- One video, and twelve photos in order. Deferred: photos change places within a transaction.
      constraint gallery_places check (case kind when 'video' then position = 0 else position between 1 and 12 end),
      constraint gallery_places_are_taken_once unique (business_id, position) deferrable initially deferred
    )`.execute(db)
  await sql`create index gallery_items_of_added_by on gallery_items (added_by) where added_by is not null`.execute(db)

  await sql`
    create table business_social_links (
      business_id uuid not null references businesses on delete cascade,
      network text not null check (network in ('instagram', 'facebook', 'x', 'youtube', 'tiktok', 'linkedin')),
      url text not null check (length(url) <= 300),
      primary key (business_id, network),
      constraint social_links_lead_to_their_network check (case network
        when 'instagram' then url like 'https://www.instagram.com/_%'
        when 'facebook' then url like 'https://www.facebook.com/_%'
        when 'x' then url like 'https://x.com/_%'
        when 'youtube' then url like 'https://www.youtube.com/_%'
        when 'tiktok' then url like 'https://www.tiktok.com/_%'
        when 'linkedin' then url like 'https://www.linkedin.com/_%'
        else false end)
    )`.execute(db)

  await sql`
    alter table media_uses
      drop constraint media_uses_kind_check,
      add constraint media_uses_kind_check check (kind in
        ('post', 'draft', 'business', 'community', 'person', 'product', 'claim', 'license', 'log', 'observation', 'message', 'gallery_item')),
      add column gallery_item_id uuid generated always as (case when kind = 'gallery_item' then subject_id end) stored
        references gallery_items on delete cascade`.execute(db)
  await sql`create index media_uses_of_gallery_item on media_uses (gallery_item_id) where gallery_item_id is not null`.execute(db)

  for (const table of ['moderation_cases', 'moderation_actions', 'moderation_effects', 'reports']) {
    const name = sql.ref(`${table}_subject_check`)
    await sql`
      alter table ${sql.table(table)} drop constraint ${name}, add constraint ${name} check (subject in ${subjects})`.execute(db)
  }
}
