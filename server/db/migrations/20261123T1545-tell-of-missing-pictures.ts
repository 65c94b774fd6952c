import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table notifications
      drop constraint notifications_type_check,
      add constraint notifications_type_check check (type in
        ('business_post', 'farm_update', 'harvest_ready', 'new_product', 'product_update', 'person_post', 'like', 'comment',
         'reply', 'follow', 'subscriber', 'review', 'review_reply', 'helpful',
         'license_verified', 'license_rejected', 'license_expiring', 'license_ended', 'license_unproven',
         'hunt_shared', 'hunt_comment',
         'community_request', 'community_joined', 'community_invitation', 'answer_accepted',
         'message', 'message_request', 'moderation_notice', 'appeal_decided', 'picture_missing')),
      -- The reason, if no other stored data states it.
      add column reason text check (length(reason) <= 500)`.execute(db)
}
