import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications
      drop constraint notifications_type_check,
      add constraint notifications_type_check check (type in
        ('business_post', 'farm_update', 'harvest_ready', 'new_product', 'product_update', 'person_post', 'like', 'comment',
         'reply', 'follow', 'subscriber', 'review', 'review_reply', 'helpful',
         'license_verified', 'license_rejected', 'license_expiring', 'license_ended',
         'hunt_shared', 'hunt_comment')),
      add column hunt_id uuid references hunts on delete cascade,
      -- As with other comments: the notification remains if the comment is deleted.
      add column hunt_comment_id uuid references hunt_comments on delete set null`.execute(db)
  await sql`create index notifications_of_hunt on notifications (hunt_id) where hunt_id is not null`.execute(db)
  await sql`create index notifications_of_hunt_comment on notifications (hunt_comment_id) where hunt_comment_id is not null`.execute(db)

  await sql`
    alter table notification_choices
      drop constraint notification_choices_topic_check,
      add constraint notification_choices_topic_check check (topic in
        ('posts', 'products', 'likes', 'comments', 'follows', 'reviews', 'hunts'))`.execute(db)

  await sql`
    alter table reports
      drop constraint reports_subject_check,
      add constraint reports_subject_check check (subject in
        ('post', 'comment', 'review', 'person', 'business', 'hunt', 'hunt_comment'))`.execute(db)

  // For a recurring task, the previous one: unique, so that completing it twice creates only one.
  await sql`alter table hunt_tasks add column follows_id uuid unique references hunt_tasks on delete set null`.execute(db)

  // The first day of each stage of a hunt.
  await sql`
    create index grow_logs_by_stage on grow_logs (hunt_id, stage, logged_on) where deleted_at is null and stage is not null`.execute(db)
}
