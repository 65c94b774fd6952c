import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One row per visit. Months are partitions, created ahead and dropped by jobs (server/features/insights/roll-up.ts); the default
  // partition catches rows whose month doesn't exist yet. No reference to businesses: a deleted business's rows expire with their months.
  await sql`
    create table visit_events (
      at timestamptz(3) not null,
      business_id uuid not null,
      kind text not null check (kind in ('page', 'call', 'directions', 'site', 'product', 'post')),
      source text not null check (source in ('search', 'map', 'feed', 'favorites', 'share', 'embed', 'other')),
      -- The product or the post.
      subject_id uuid,
      -- The visitor, hashed with the day's salt and the business: only distinguishes the visitors of a day.
      visitor bigint not null
    ) partition by range (at)`.execute(db)
  await sql`create table visit_events_default partition of visit_events default`.execute(db)
  await sql`create index visit_events_by_time on visit_events (at)`.execute(db)
  await sql`create index visit_events_of_visitor on visit_events (visitor, at)`.execute(db)

  await sql`
    create table visit_salts (
      day date primary key,
      salt bytea not null
    )`.execute(db)

  // Counts by day in the business's own time zone. A visitor who comes from two sources counts once in 'all' and once in each of the
  // two, so visitors of parts don't add up to the total; visits do.
  await sql`
    create table visit_days (
      business_id uuid not null references businesses on delete cascade,
      part text not null check (part in ('all', 'source', 'subject')),
      day date not null,
      kind text not null check (kind in ('page', 'call', 'directions', 'site', 'product', 'post')),
      -- The source or the subject's id; empty for the total.
      key text not null default '',
      visits integer not null check (visits > 0),
      visitors integer not null check (visitors between 1 and visits),
      primary key (business_id, part, day, kind, key)
    )`.execute(db)
  await sql`create index visit_days_by_day on visit_days (day)`.execute(db)

  // The first day that may still change, and the time of the last count. One row.
  await sql`
    create table visit_rollup (
      id boolean primary key default true check (id),
      open_from date,
      counted_at timestamptz(3)
    )`.execute(db)
  await sql`insert into visit_rollup (id) values (true)`.execute(db)

  // Totals as of the last check on that day.
  await sql`
    create table audience_days (
      business_id uuid not null references businesses on delete cascade,
      day date not null,
      followers integer not null check (followers >= 0),
      subscribers integer not null check (subscribers >= 0),
      saves integer not null check (saves >= 0),
      primary key (business_id, day)
    )`.execute(db)
}
