import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications
      drop constraint notifications_type_check,
      add constraint notifications_type_check check (type in
        ('business_post', 'farm_update', 'harvest_ready', 'new_product', 'product_update', 'person_post', 'like', 'comment',
         'reply', 'follow', 'subscriber', 'review', 'review_reply', 'helpful',
         'license_verified', 'license_rejected', 'license_expiring', 'license_ended',
         'hunt_shared', 'hunt_comment',
         'community_request', 'community_joined', 'community_invitation', 'answer_accepted',
         'message', 'message_request', 'moderation_notice', 'appeal_decided')),
      add column community_id uuid references communities on delete cascade,
      add column conversation_id uuid references conversations on delete cascade,
      add column moderation_action_id uuid references moderation_actions on delete cascade`.execute(db)
  for (const column of ['community_id', 'conversation_id', 'moderation_action_id']) {
    const name = sql.ref(`notifications_of_${column.replace('_id', '')}`)
    await sql`create index ${name} on notifications (${sql.ref(column)}) where ${sql.ref(column)} is not null`.execute(db)
  }
  await sql`
    alter table notification_choices
      drop constraint notification_choices_topic_check,
      add constraint notification_choices_topic_check check (topic in
        ('posts', 'products', 'likes', 'comments', 'follows', 'reviews', 'hunts', 'communities', 'messages'))`.execute(db)
}
