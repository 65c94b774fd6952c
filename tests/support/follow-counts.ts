import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/**
 * Rows whose counts don't match what is stored (a person's following and followers, a business's subscribers), subscriptions without
 * the follow that they imply, implied follows without a subscription, and follows despite a block.
 */
export const wrongFollowCounts = async (db: Db) =>
  (
    await sql`
      select 'person' as what, id from users u where
        following_count <> (select count(*) from person_follows where follower_id = u.id) + (select count(*) from business_follows where user_id = u.id)
        or followers_count <> (select count(*) from person_follows where person_id = u.id)
      union all
      select 'business', id from businesses b where subscriber_count <> (select count(*) from subscriptions where business_id = b.id)
      union all
      select 'subscription without a follow', business_id from subscriptions s where not exists (
        select from business_follows f where f.user_id = s.user_id and f.business_id = s.business_id)
      union all
      select 'implied follow without a subscription', business_id from business_follows f where is_implied and not exists (
        select from subscriptions s where s.user_id = f.user_id and s.business_id = f.business_id)
      union all
      select 'follow of someone blocked', person_id from person_follows f where exists (
        select from person_blocks b where (b.blocker_id, b.blocked_id) in ((f.follower_id, f.person_id), (f.person_id, f.follower_id)))
      union all
      select 'follow of a blocked business', business_id from business_follows f where exists (
        select from business_blocks b where b.user_id = f.user_id and b.business_id = f.business_id)`.execute(db)
  ).rows
