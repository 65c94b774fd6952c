import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** Counters that don't match the stored rows: "post 0195…: likes_count 3, there are 2". */
export async function findWrongCounters(db: Db): Promise<string[]> {
  const checks = [
    counter('business', 'businesses', 'subscriber_count', 'select count(*) from subscriptions where business_id = it.id'),
    counter('business', 'businesses', 'total_ratings', 'select count(*) from reviews where business_id = it.id and moderation is null'),
    counter(
      'business',
      'businesses',
      'rating_sum',
      'select coalesce(sum(rating), 0) from reviews where business_id = it.id and moderation is null',
    ),
    ...[1, 2, 3, 4, 5].map((stars) =>
      counter(
        'business',
        'businesses',
        `rating_counts[${stars}]`,
        `select count(*) from reviews where business_id = it.id and rating = ${stars} and moderation is null`,
      ),
    ),
    counter(
      'person',
      'users',
      'posts_count',
      'select count(*) from posts where author_id = it.id and business_id is null and community_id is null and moderation is null',
    ),
    counter('community', 'communities', 'member_count', 'select count(*) from community_members where community_id = it.id'),
    counter('community', 'communities', 'post_count', 'select count(*) from posts where community_id = it.id and moderation is null'),
    counter('event', 'events', 'going_count', 'select count(*) from event_rsvps where event_id = it.id'),
    counter(
      'poll',
      '(select post_id as id, votes_count from polls)',
      'votes_count',
      'select count(*) from poll_votes where post_id = it.id',
    ),
    counter(
      'poll option',
      "(select post_id || ' ' || position as id, post_id, position, votes_count from poll_options)",
      'votes_count',
      'select count(*) from poll_votes v where v.post_id = it.post_id and v.position = it.position',
    ),
    counter('hunt', 'hunts', 'comments_count', 'select count(*) from hunt_comments where hunt_id = it.id and moderation is null'),
    counter('person', 'users', 'followers_count', 'select count(*) from person_follows where person_id = it.id'),
    counter(
      'person',
      'users',
      'following_count',
      `select (select count(*) from person_follows where follower_id = it.id) + (select count(*) from business_follows where user_id = it.id)`,
    ),
    counter('post', 'posts', 'likes_count', 'select count(*) from post_likes where post_id = it.id'),
    counter(
      'post',
      'posts',
      'comments_count',
      'select count(*) from comments where post_id = it.id and not is_deleted and moderation is null',
    ),
    counter(
      'comment',
      'comments',
      'replies_count',
      'select count(*) from comments where parent_id = it.id and not is_deleted and moderation is null',
    ),
    counter('review', 'reviews', 'helpful_count', 'select count(*) from review_votes where review_id = it.id'),
    // A business counts as one actor; a post notification has no actors.
    counter(
      'notification',
      'notifications',
      'actors_count',
      `select case when it.post_id is not null and it.group_key like 'post:%' then 0
         else greatest(count(*), 1) end from notification_actors where notification_id = it.id`,
    ),
    `select 'side of conversation ' || conversation_id || ': unread_count ' || unread_count as wrong from conversation_sides it
     where unread_count <> (
       select count(*) from messages m join conversations c on c.id = m.conversation_id
       where m.conversation_id = it.conversation_id and m.sequence > it.read_sequence and m.sequence > it.cleared_sequence
         and not exists (select from message_deletions d
           where d.message_id = m.id and (d.user_id = it.user_id or d.business_id = it.business_id))
         and case when it.business_id is not null then not m.is_from_business
           else m.is_from_business or m.sender_id is distinct from it.user_id end)`,
    // Every subscription has a follow, and every implied follow has a subscription.
    `select 'subscription of ' || user_id || ' without a follow' as wrong from subscriptions s
     where not exists (select from business_follows f where f.user_id = s.user_id and f.business_id = s.business_id)`,
    `select 'implied follow of ' || user_id || ' without a subscription' as wrong from business_follows f
     where is_implied and not exists (select from subscriptions s where f.user_id = s.user_id and f.business_id = s.business_id)`,
  ]
  const found = await Promise.all(checks.map((check) => sql.raw<{ wrong: string }>(check).execute(db)))
  return found.flatMap(({ rows }) => rows.map(({ wrong }) => wrong))
}

const counter = (what: string, table: string, column: string, actual: string) =>
  `select '${what} ' || id || ': ${column} ' || stored || ', there are ' || counted as wrong
   from (select it.id, it.${column} as stored, (${actual}) as counted from ${table} it) as both_of_them where stored <> counted`
