import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The text is generated on read from the referenced rows: no user content is copied here.
  await sql`
    create table notifications (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      type text not null check (type in
        ('business_post', 'farm_update', 'harvest_ready', 'new_product', 'product_update', 'person_post', 'like', 'comment',
         'reply', 'follow', 'subscriber', 'review', 'review_reply', 'helpful')),
      -- While it is unread, events with the same key are merged into it: "Ann and 11 others".
      group_key text not null,
      business_id uuid references businesses on delete cascade,
      post_id uuid references posts on delete cascade,
      -- The latest of the group: the notification remains if it is deleted.
      comment_id uuid references comments on delete set null,
      review_id uuid references reviews on delete set null,
      -- The latest actor and the number of actors; a business counts as one, without an actor.
      actor_id uuid references users on delete set null,
      actors_count integer not null default 0 check (actors_count >= 0),
      is_read boolean not null default false,
      created_at timestamptz(3) not null default now(),
      -- When it was sent by email (on its own or in a digest) and by push.
      mailed_at timestamptz(3),
      pushed_at timestamptz(3)
    )`.execute(db)
  await sql`create unique index notifications_grouped on notifications (user_id, group_key) where not is_read`.execute(db)
  await sql`create index notifications_newest on notifications (user_id, created_at desc, id desc)`.execute(db)
  // Finds whether a person was named to this recipient before. Most notifications announce posts and name no one.
  await sql`create index notifications_named on notifications (user_id, group_key) where actors_count > 0`.execute(db)
  await sql`create index notifications_unmailed on notifications (user_id) where not is_read and mailed_at is null`.execute(db)
  for (const column of ['business_id', 'post_id', 'comment_id', 'review_id', 'actor_id']) {
    const name = sql.ref(`notifications_of_${column.replace('_id', '')}`)
    await sql`create index ${name} on notifications (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db)
  }
  await sql`create index notifications_by_age on notifications (created_at) where is_read`.execute(db)

  await sql`
    create table notification_actors (
      notification_id uuid not null references notifications on delete cascade,
      user_id uuid not null references users on delete cascade,
      created_at timestamptz(3) not null default now(),
      primary key (notification_id, user_id)
    )`.execute(db)
  await sql`create index notification_actors_of_user on notification_actors (user_id)`.execute(db)

  // Only deviations from the defaults: see server/features/notifications/preferences.ts.
  await sql`
    create table notification_choices (
      user_id uuid not null references users on delete cascade,
      topic text not null check (topic in ('posts', 'products', 'likes', 'comments', 'follows', 'reviews')),
      channel text not null check (channel in ('in_app', 'email', 'push')),
      is_on boolean not null,
      primary key (user_id, topic, channel)
    )`.execute(db)
  await sql`
    create table notification_settings (
      user_id uuid primary key references users on delete cascade,
      is_email_on boolean not null default true,
      email_rhythm text not null default 'daily' check (email_rhythm in ('each', 'daily', 'weekly')),
      quiet_from smallint check (quiet_from between 0 and 1439),
      quiet_until smallint check (quiet_until between 0 and 1439),
      time_zone text not null default 'UTC',
      last_digest_at timestamptz(3),
      constraint quiet_hours_are_whole check ((quiet_from is null) = (quiet_until is null))
    )`.execute(db)
  await sql`create index notification_settings_by_zone on notification_settings (time_zone, user_id)`.execute(db)

  await sql`
    create table push_subscriptions (
      id uuid primary key,
      user_id uuid not null references users on delete cascade,
      endpoint text not null unique,
      p256dh text not null,
      auth text not null,
      created_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create index push_subscriptions_of_user on push_subscriptions (user_id)`.execute(db)
}
