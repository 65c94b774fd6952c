import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The files are in storage under the id. A row that has no owner or is unattached is swept with its files.
  await sql`
    create table media (
      id uuid primary key,
      owner_id uuid references users on delete set null,
      kind text not null check (kind in ('image', 'video')),
      status text not null default 'receiving' check (status in ('receiving', 'processing', 'ready', 'failed')),
      byte_size integer not null check (byte_size > 0),
      received_bytes integer not null default 0 check (received_bytes between 0 and byte_size),
      -- Why it failed, as a sentence for the person.
      error text,
      width integer check (width > 0),
      height integer check (height > 0),
      duration_ms integer check (duration_ms >= 0),
      placeholder text,
      alt text not null default '',
      -- Stored widths of an image, narrowest first.
      widths integer[] not null default '{}',
      -- File extension of a video.
      extension text,
      -- The address on another site it was fetched from. Never shown.
      source_url text,
      created_at timestamptz(3) not null default now(),
      updated_at timestamptz(3) not null default now(),
      constraint ready_media_have_a_size check (status <> 'ready' or (width is not null and height is not null))
    )`.execute(db)
  await sql`create index media_of_owner on media (owner_id, created_at desc)`.execute(db)
  await sql`create index media_by_age on media (created_at, id)`.execute(db)

  // Chunks of an upload that storage may have, recorded before they are written, so that none is orphaned.
  await sql`
    create table media_chunks (
      media_id uuid not null references media on delete cascade,
      starts_at integer not null check (starts_at >= 0),
      ends_at integer not null check (ends_at > starts_at),
      -- Part of the upload, without gaps from 0 to received_bytes.
      is_counted boolean not null default false,
      primary key (media_id, starts_at, ends_at)
    )`.execute(db)

  await sql`alter table businesses add column image_id uuid references media on delete set null`.execute(db)
  await sql`create index businesses_of_image on businesses (image_id) where image_id is not null`.execute(db)
  await sql`alter table users add column image_id uuid references media on delete set null`.execute(db)
  await sql`create index users_of_image on users (image_id) where image_id is not null`.execute(db)
}
