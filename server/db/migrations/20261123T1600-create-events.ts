import { type Kysely, sql } from 'kysely'

const subjects = sql`('post', 'comment', 'review', 'person', 'business', 'hunt', 'hunt_comment', 'community', 'message', 'event')`

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table events (
      id uuid primary key,
      business_id uuid not null references businesses on delete cascade,
      -- The team member who published it.
      created_by uuid references users on delete set null,
      title text not null check (length(title) between 1 and 120),
      description text not null check (length(description) <= 4000),
      audience text not null check (audience in ('everyone', 'subscribers', 'vip')),
      starts_at timestamptz(3) not null,
      ends_at timestamptz(3) not null,
      -- IANA name: everyone sees the times in this zone.
      time_zone text not null,
      -- The place as announced. It doesn't change when the location moves, because people made plans based on it.
      location_id uuid references locations on delete set null,
      venue text check (venue <> ''),
      address text check (address <> ''),
      city text not null check (city <> ''),
      pin_latitude double precision check (pin_latitude between -90 and 90),
      pin_longitude double precision check (pin_longitude between -180 and 180),
      -- Whether the business was a farm when this was written; one that became a farm later gets a farm's privacy too.
      is_farm boolean not null,
      capacity integer check (capacity > 0),
      going_count integer not null default 0 check (going_count >= 0),
      -- Calendar file version: how often attendees were notified of changes.
      sequence integer not null default 0 check (sequence >= 0),
      canceled_at timestamptz(3),
      cancel_note text not null default '' check (length(cancel_note) <= 300),
      moderation text check (moderation in ('held', 'hidden', 'removed')),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      constraint events_end_after_they_start check (ends_at > starts_at and ends_at <= starts_at + interval '15 days'),
      constraint events_are_never_overbooked check (capacity is null or going_count <= capacity),
      constraint event_pins_are_whole check ((pin_latitude is null) = (pin_longitude is null)),
      constraint farm_events_are_shown_at_city check (not is_farm or address is null)
    )`.execute(db)
  const isListed = sql`moderation is null and canceled_at is null`
  await sql`create index events_of_business on events (business_id, starts_at, id)`.execute(db)
  await sql`create index events_upcoming on events (starts_at, id) where ${isListed}`.execute(db)
  await sql`create index events_by_pin on events (pin_latitude, pin_longitude) where ${isListed} and pin_latitude is not null`.execute(db)
  await sql`create index events_of_location on events (location_id) where location_id is not null`.execute(db)
  await sql`create index events_of_created_by on events (created_by) where created_by is not null`.execute(db)

  await sql`
    create table event_rsvps (
      event_id uuid not null references events on delete cascade,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null,
      -- When the reminder is due; null once sent, or if it is too late for one.
      remind_at timestamptz(3),
      primary key (event_id, user_id)
    )`.execute(db)
  await sql`create index event_rsvps_in_order on event_rsvps (event_id, created_at, user_id)`.execute(db)
  await sql`create index event_rsvps_of_user on event_rsvps (user_id)`.execute(db)
  await sql`create index event_rsvps_due on event_rsvps (remind_at) where remind_at is not null`.execute(db)

  await sql`
    alter table notifications
      add column event_id uuid references events on delete cascade,
      drop constraint notifications_type_check,
      add constraint notifications_type_check check (type in
        ('business_post', 'farm_update', 'harvest_ready', 'new_product', 'product_update', 'person_post', 'like', 'comment',
         'reply', 'follow', 'subscriber', 'review', 'review_reply', 'helpful',
         'license_verified', 'license_rejected', 'license_expiring', 'license_ended', 'license_unproven',
         'hunt_shared', 'hunt_comment',
         'community_request', 'community_joined', 'community_invitation', 'answer_accepted',
         'message', 'message_request', 'moderation_notice', 'appeal_decided', 'picture_missing',
         'new_event', 'event_changed', 'event_canceled', 'event_reminder'))`.execute(db)
  await sql`create index notifications_of_event on notifications (event_id) where event_id is not null`.execute(db)
  await sql`
    alter table notification_choices
      drop constraint notification_choices_topic_check,
      add constraint notification_choices_topic_check check (topic in
        ('posts', 'products', 'likes', 'comments', 'follows', 'reviews', 'hunts', 'communities', 'messages', 'events'))`.execute(db)

  for (const table of ['moderation_cases', 'moderation_actions', 'moderation_effects', 'reports']) {
    const name = sql.ref(`${table}_subject_check`)
    await sql`
      alter table ${sql.table(table)} drop constraint ${name}, add constraint ${name} check (subject in ${subjects})`.execute(db)
  }
}
