import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Context } from '#server/kernel/context.ts'

const demoPeople = sql`select id from users where is_demo`
const demoBusinesses = sql`select id from businesses where is_demo`
const demoCommunities = sql`
  select id from communities where is_demo or exists (
    select from community_members where community_id = communities.id and role = 'owner' and user_id in (${demoPeople}))`
const demoHunts = sql`select id from hunts where owner_id in (${demoPeople})`
const demoPosts = sql`
  select id from posts
  where author_id in (${demoPeople}) or business_id in (${demoBusinesses}) or community_id in (${demoCommunities})`
const demoComments = sql`select id from comments where author_id in (${demoPeople}) or business_id in (${demoBusinesses})`

/**
 * Removes the demo's people, businesses and communities with all their data, including what real people wrote there, and nothing else.
 * People may have used demo accounts on real businesses, and real accounts on demo content, so the counts of the remaining rows are
 * recomputed.
 */
export function removeDemo({ db }: Pick<Context, 'db'>): Promise<{ businesses: number; people: number }> {
  return inTransaction(db, async (tx) => {
    const counted = await countedWithDemo(tx)
    await dropReports(tx)
    // Only agreements that demo people pay for: other people's receipts are kept.
    await sql`delete from agreements where payer_id in (${demoPeople})`.execute(tx)
    await sql`delete from visit_events where business_id in (${demoBusinesses})`.execute(tx)
    // Includes the posts of real people who have since joined, because they were written in a demo community.
    await sql`delete from communities where id in (${demoCommunities})`.execute(tx)
    const businesses = await tx.deleteFrom('businesses').where('is_demo', '=', true).executeTakeFirstOrThrow()
    const people = await tx.deleteFrom('users').where('is_demo', '=', true).executeTakeFirstOrThrow()
    await countAgain(tx, counted)
    return { businesses: Number(businesses.numDeletedRows), people: Number(people.numDeletedRows) }
  })
}

/**
 * Counts, by kind, what real people wrote, uploaded, recorded or paid for that `removeDemo` deletes or makes useless. Likes, votes and
 * follows don't count. Omits kinds without any.
 */
export async function countRealContent({ db }: Pick<Context, 'db'>): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::integer as count
    from (
      select 1 as place, 'posts' as kind, author_id as person_id from posts where id in (${demoPosts})
      union all select 2, 'comments', author_id from comments
        where not is_deleted and (post_id in (${demoPosts}) or parent_id in (${demoComments}) or id in (${demoComments}))
      union all select 2, 'comments', author_id from hunt_comments where hunt_id in (${demoHunts})
      union all select 3, 'reviews', user_id from reviews where business_id in (${demoBusinesses})
      union all select 4, 'replies to reviews', replied_by from reviews where user_id in (${demoPeople})
      union all select 5, 'messages', sender_id from messages
        where conversation_id in (select id from conversations where business_id in (${demoBusinesses}))
      union all select 6, 'events', created_by from events where business_id in (${demoBusinesses})
      union all select 7, 'gallery photos', added_by from gallery_items where business_id in (${demoBusinesses})
      union all select 8, 'grow logs', author_id from grow_logs where hunt_id in (${demoHunts}) and deleted_at is null
      union all select 9, 'observations', observed_by from observations where hunt_id in (${demoHunts}) and is_current
      union all select 10, 'subscriptions', payer_id from agreements
        where (business_id in (${demoBusinesses}) or subscribe_to in (${demoBusinesses})) and status <> 'pending' and ended_at is null
    ) as content join users on users.id = person_id and not users.is_demo
    group by place, kind order by place`.execute(db)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}

/** IDs, by kind, of rows whose counts include demo activity. */
type Counted = Record<
  'businesses' | 'people' | 'reviews' | 'posts' | 'comments' | 'hunts' | 'communities' | 'polls' | 'events' | 'notifications',
  string[]
>

async function countedWithDemo(tx: Tx): Promise<Counted> {
  const { rows } = await sql<{ kind: keyof Counted; id: string }>`
    with
      demo_people as (select id from users where is_demo),
      demo_businesses as (select id from businesses where is_demo),
      demo_comments as (
        select post_id, parent_id from comments
        where author_id in (select id from demo_people) or business_id in (select id from demo_businesses))
    select 'businesses' as kind, business_id as id from subscriptions where user_id in (select id from demo_people)
    union select 'businesses', business_id from reviews where user_id in (select id from demo_people)
    union select 'people', follower_id from person_follows where person_id in (select id from demo_people)
    union select 'people', person_id from person_follows where follower_id in (select id from demo_people)
    union select 'people', user_id from business_follows where business_id in (select id from demo_businesses)
    union select 'reviews', review_id from review_votes where user_id in (select id from demo_people)
    union select 'posts', post_id from post_likes where user_id in (select id from demo_people)
    union select 'posts', post_id from demo_comments
    union select 'comments', parent_id from demo_comments where parent_id is not null
    union select 'hunts', hunt_id from hunt_comments where author_id in (select id from demo_people)
    union select 'communities', community_id from community_members where user_id in (select id from demo_people)
    union select 'communities', community_id from posts where author_id in (select id from demo_people) and community_id is not null
    union select 'polls', post_id from poll_votes where user_id in (select id from demo_people)
    union select 'events', event_id from event_rsvps where user_id in (select id from demo_people)
    union select 'notifications', notification_id from notification_actors where user_id in (select id from demo_people)`.execute(tx)
  const idsOf = (kind: keyof Counted) => rows.filter((row) => row.kind === kind).map((row) => row.id)
  return {
    businesses: idsOf('businesses'),
    people: idsOf('people'),
    reviews: idsOf('reviews'),
    posts: idsOf('posts'),
    comments: idsOf('comments'),
    hunts: idsOf('hunts'),
    communities: idsOf('communities'),
    polls: idsOf('polls'),
    events: idsOf('events'),
    notifications: idsOf('notifications'),
  }
}

/** Recomputes counts of the rows that still exist. A deleted comment remains only while it has replies, and isn't counted. */
async function countAgain(
  tx: Tx,
  { businesses, people, reviews, posts, comments, hunts, communities, polls, events, notifications }: Counted,
): Promise<void> {
  await sql`
    update businesses set
      subscriber_count = (select count(*) from subscriptions where business_id = businesses.id),
      (total_ratings, rating_sum, rating_counts) = (
        select count(*), coalesce(sum(rating), 0), array[
          count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
          count(*) filter (where rating = 4), count(*) filter (where rating = 5)]::integer[]
        from reviews where business_id = businesses.id and moderation is null)
    where id = any(${businesses}::uuid[])`.execute(tx)
  await sql`
    update users set
      following_count = (select count(*) from person_follows where follower_id = users.id)
        + (select count(*) from business_follows where user_id = users.id),
      followers_count = (select count(*) from person_follows where person_id = users.id)
    where id = any(${people}::uuid[])`.execute(tx)
  await sql`
    update reviews set helpful_count = (select count(*) from review_votes where review_id = reviews.id)
    where id = any(${reviews}::uuid[])`.execute(tx)
  await sql`
    update comments set replies_count = (select count(*) from comments as reply where reply.parent_id = comments.id and not reply.is_deleted and reply.moderation is null)
    where id = any(${comments}::uuid[])`.execute(tx)
  await sql`delete from comments where id = any(${comments}::uuid[]) and is_deleted and replies_count = 0`.execute(tx)
  await sql`
    update posts set
      likes_count = (select count(*) from post_likes where post_id = posts.id),
      comments_count = (select count(*) from comments where post_id = posts.id and not is_deleted and moderation is null)
    where id = any(${posts}::uuid[])`.execute(tx)
  await sql`
    update hunts set comments_count = (select count(*) from hunt_comments where hunt_id = hunts.id and moderation is null)
    where id = any(${hunts}::uuid[])`.execute(tx)
  await sql`
    update communities set
      member_count = (select count(*) from community_members where community_id = communities.id),
      post_count = (select count(*) from posts where community_id = communities.id and moderation is null)
    where id = any(${communities}::uuid[])`.execute(tx)
  await sql`
    update poll_options set votes_count = (
      select count(*) from poll_votes where poll_votes.post_id = poll_options.post_id and poll_votes.position = poll_options.position)
    where post_id = any(${polls}::uuid[])`.execute(tx)
  await sql`
    update polls set votes_count = (select count(*) from poll_votes where poll_votes.post_id = polls.post_id)
    where post_id = any(${polls}::uuid[])`.execute(tx)
  await sql`
    update events set going_count = (select count(*) from event_rsvps where event_id = events.id)
    where id = any(${events}::uuid[])`.execute(tx)
  await recountActors(tx, notifications)
}

/** Reports and cases refer to their subject without a foreign key, so they must be deleted explicitly. */
async function dropReports(tx: Tx): Promise<void> {
  const gone = sql`
    ${demoPeople} union all ${demoBusinesses} union all ${demoCommunities} union all ${demoPosts} union all ${demoHunts}
    union all ${demoComments} union all select id from comments where post_id in (${demoPosts}) or parent_id in (${demoComments})
    union all select id from hunt_comments where author_id in (${demoPeople}) or hunt_id in (${demoHunts})
    union all select reviews.id from reviews where user_id in (${demoPeople}) or business_id in (${demoBusinesses})
    union all select events.id from events where business_id in (${demoBusinesses})
    union all select messages.id from messages join conversations on conversations.id = messages.conversation_id
      where conversations.person_id in (${demoPeople}) or conversations.other_id in (${demoPeople})
        or conversations.business_id in (${demoBusinesses})`
  await sql`delete from reports where subject_id in (${gone})`.execute(tx)
  await sql`delete from earlier_reports where subject_id in (${gone})`.execute(tx)
  await sql`delete from moderation_cases where subject_id in (${gone})`.execute(tx)
}

/** Recomputes notifications after some of their actors were deleted; deletes those with no actors left. */
async function recountActors(tx: Tx, notificationIds: readonly string[]): Promise<void> {
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
