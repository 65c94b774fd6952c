import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'

/** Sets notifications right of which some of the people are gone: those who are left are told of, or else nothing is. */
export async function tellAgain(tx: Tx, notificationIds: readonly string[]): Promise<void> {
  await sql`
    delete from notifications
    where id = any(${notificationIds}::uuid[]) and not exists (select from notification_actors where notification_id = notifications.id)`.execute(
    tx,
  )
  await sql`
    update notifications set
      actors_count = actors.count,
      actor_id = actors.latest,
      created_at = actors.latest_at,
      comment_id = case when type in ('comment', 'reply') then (
        select comments.id from comments
        where comments.post_id = notifications.post_id and comments.author_id = actors.latest and comments.business_id is null
          and not comments.is_deleted and (notifications.type = 'comment' or notifications.group_key = 'reply:' || comments.parent_id)
        order by comments.created_at desc, comments.id desc limit 1) end,
      review_id = case when type = 'review' then (
        select reviews.id from reviews
        where reviews.business_id = notifications.business_id and reviews.user_id = actors.latest) else review_id end
    from (
      select notification_id, count(*) as count, max(created_at) as latest_at,
        (array_agg(user_id order by created_at desc, user_id desc))[1] as latest
      from notification_actors group by notification_id) as actors
    where actors.notification_id = notifications.id and notifications.id = any(${notificationIds}::uuid[])`.execute(tx)
}
