import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Unpublished posts. A post takes the id of its draft, so that it can't be published twice.
  await sql`
    create table post_drafts (
      id uuid primary key,
      -- Null for a post under the author's own name.
      business_id uuid references businesses on delete cascade,
      -- The author, or the team member who last scheduled it: it is published with their permissions.
      author_id uuid not null references users on delete cascade,
      title text not null default '',
      content text not null default '',
      post_type text not null default 'update' check (post_type in ('update', 'promotion', 'educational', 'product')),
      is_exclusive boolean not null default false,
      -- The address on another site from which a picture is fetched on publication. Only visible to people with access to the draft.
      source_image_url text,
      place text,
      tags text[] not null default '{}',
      status text not null default 'draft' check (status in ('draft', 'scheduled', 'failed')),
      publish_at timestamptz(3),
      -- Why it was not published on schedule, as a sentence for the team.
      error text,
      version integer not null default 1,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      constraint exclusive_drafts_have_a_business check (not is_exclusive or business_id is not null),
      constraint people_draft_no_advertising check (business_id is not null or post_type not in ('promotion', 'product')),
      constraint scheduled_drafts_are_whole check (status <> 'scheduled' or (publish_at is not null and title <> '' and content <> '')),
      constraint failed_drafts_say_why check ((status = 'failed') = (error is not null))
    )`.execute(db)
  await sql`create index post_drafts_of_business on post_drafts (business_id, id desc) where business_id is not null`.execute(db)
  await sql`create index post_drafts_of_person on post_drafts (author_id, id desc)`.execute(db)
  await sql`create index post_drafts_due on post_drafts (publish_at, id) where status = 'scheduled'`.execute(db)

  await sql`
    create table post_draft_media (
      draft_id uuid not null references post_drafts on delete cascade,
      position smallint not null check (position between 0 and 9),
      media_id uuid not null unique references media on delete cascade,
      primary key (draft_id, position)
    )`.execute(db)

  // A separate table, because sharing a menu is independent of how it states prices.
  await sql`
    create table menu_sharing (
      business_id uuid primary key references businesses on delete cascade,
      is_embed_on boolean not null default false,
      -- Identifies the menu's public feed; null if there is none.
      feed_token text unique,
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
}
