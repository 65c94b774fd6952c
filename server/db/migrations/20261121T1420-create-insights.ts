import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // One visit a row. The months are partitions, made ahead and dropped by jobs (server/features/insights/partitions.ts); the default one
  // catches what comes before its month is there. No reference to businesses: a dropped business leaves with its months.
  await sql`
    create table visit_events (
      at timestamptz(3) not null,
      business_id uuid not null,
      kind text not null check (kind in ('page', 'call', 'directions', 'site', 'product', 'post')),
      source text not null check (source in ('search', 'map', 'feed', 'favorites', 'share', 'embed', 'other')),
      -- The product or the post.
      subject_id uuid,
      -- Who, under the day's salt and for this business alone: tells two visitors of a day apart and nothing else.
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

  // Counts by day of the business's own time zone. A visitor who comes by two ways is one in 'all' and one in each of the two, so that
  // visitors of parts do not add up to those of all; visits do.
  await sql`
    create table visit_days (
      business_id uuid not null references businesses on delete cascade,
      part text not null check (part in ('all', 'source', 'subject')),
      day date not null,
      kind text not null check (kind in ('page', 'call', 'directions', 'site', 'product', 'post')),
      -- The source or the subject's id; empty for all.
      key text not null default '',
      visits integer not null check (visits > 0),
      visitors integer not null check (visitors between 1 and visits),
      primary key (business_id, part, day, kind, key)
    )`.execute(db)
  await sql`create index visit_days_by_day on visit_days (day)`.execute(db)

  // The first day that may still change, and when it was last counted. One row.
  await sql`
    create table visit_rollup (
      id boolean primary key default true check (id),
      open_from date,
      counted_at timestamptz(3)
    )`.execute(db)
  await sql`insert into visit_rollup (id) values (true)`.execute(db)

  // How many there were, as last seen on that day.
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
