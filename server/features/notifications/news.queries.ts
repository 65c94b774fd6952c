import { sql } from 'kysely'
import type { NotificationTopic } from '#contracts/notification-types.ts'
import { compileOnce, type Slots } from '#server/db/compile-once.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import { type Permission, rolesThatCan } from '#server/features/team/index.ts'
import { isWanted } from './preferences.ts'

/**
 * A like and the people to notify: the author, or the team of the business. No row if it was undone, or if this person's like of the post
 * has already notified all of them (see `isOnce`).
 */
export const newLike = compileOnce(
  ['postId', 'userId', 'groupKey'],
  (_db, { postId, userId, groupKey }: Slots<{ postId: string; userId: string; groupKey: string }>) => sql<{
    created_at: Date
    owner_ids: string[]
  }>`
    select post_likes.created_at, owners.ids as owner_ids
    from post_likes
      join posts on posts.id = post_likes.post_id
      cross join lateral (
        select case when posts.business_id is null then array[posts.author_id]
          else array(select user_id from business_members where business_members.business_id = posts.business_id) end as ids) as owners
    where post_likes.post_id = ${postId}::uuid and post_likes.user_id = ${userId}::uuid and exists (
      select from unnest(owners.ids) as owner (id)
      where owner.id <> ${userId}::uuid and not exists (
        select from notifications n join notification_actors a on a.notification_id = n.id and a.user_id = ${userId}::uuid
        where n.user_id = owner.id and n.group_key = ${groupKey}::text and n.actors_count > 0))`,
)

export const postOf = (tx: Tx, postId: string) =>
  tx
    .selectFrom('posts')
    .select(['id as post_id', 'author_id', 'business_id'])
    // An edit may add mentions.
    .select(sql<Date>`greatest(posts.created_at, posts.edited_at, ${approvedAt('max', 'posts')})`.as('changed_at'))
    .where('id', '=', postId)
    .where('moderation', 'is', null)
    .executeTakeFirst()

type Approvable = 'comments' | 'events' | 'posts' | 'reviews'

/** When moderators approved what a filter had held. */
const approvedAt = (which: 'min' | 'max', table: Approvable) => sql<Date | null>`(
  select ${sql.raw(which)}(actions.created_at)
  from moderation_effects effects join moderation_actions actions on actions.id = effects.action_id
  where effects.subject = ${sql.lit(table.slice(0, -1))} and effects.subject_id = ${sql.ref(`${table}.id`)}
    and effects.before = 'held' and effects.after is null)`

/** When something was written or, if a filter held it at first, when a moderator first approved it. */
export const shownAt = (table: Approvable) => sql<Date>`coalesce(
  case when exists (select from moderation_cases cases where cases.subject = ${sql.lit(table.slice(0, -1))}
    and cases.subject_id = ${sql.ref(`${table}.id`)} and cases.source = 'filter' and cases.opened_at = ${sql.ref(`${table}.created_at`)})
  then ${approvedAt('min', table)} end, ${sql.ref(`${table}.created_at`)})`

export const writtenComment = (tx: Tx, commentId: string) =>
  tx
    .selectFrom('comments')
    .innerJoin('posts', 'posts.id', 'comments.post_id')
    .leftJoin('comments as parents', 'parents.id', 'comments.parent_id')
    .select(['comments.id', 'comments.post_id', 'comments.author_id', 'comments.business_id', 'comments.parent_id'])
    .select([
      shownAt('comments').as('shown_at'),
      sql<Date>`greatest(${shownAt('comments')}, comments.edited_at, ${approvedAt('max', 'comments')})`.as('changed_at'),
    ])
    .select(['posts.author_id as post_author_id', 'posts.business_id as post_business_id'])
    .select(['parents.author_id as parent_author_id', 'parents.business_id as parent_business_id'])
    .where('comments.id', '=', commentId)
    .where('comments.is_deleted', '=', false)
    .executeTakeFirst()

export const followOf = (tx: Tx, personId: string, followerId: string) =>
  tx
    .selectFrom('person_follows')
    .select('created_at')
    .where('person_id', '=', personId)
    .where('follower_id', '=', followerId)
    .executeTakeFirst()

export const subscriptionOf = (tx: Tx, businessId: string, userId: string) =>
  tx.selectFrom('subscriptions').select('created_at').where('business_id', '=', businessId).where('user_id', '=', userId).executeTakeFirst()

export const reviewOf = (tx: Tx, reviewId: string) =>
  tx
    .selectFrom('reviews')
    .select(['id', 'business_id', 'user_id', 'rating', 'reply', 'replied_at', 'replied_by', 'created_at'])
    .select([
      shownAt('reviews').as('shown_at'),
      sql<Date>`greatest(reviews.created_at, reviews.edited_at, ${approvedAt('max', 'reviews')})`.as('changed_at'),
    ])
    .where('id', '=', reviewId)
    .executeTakeFirst()

/** Shows a rewritten review in the notification about the deleted one. */
export const showRewritten = (
  tx: Tx,
  { userIds, groupKey, reviewId }: { userIds: readonly string[]; groupKey: string; reviewId: string },
) =>
  tx
    .updateTable('notifications')
    .set({ review_id: reviewId })
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .where('group_key', '=', groupKey)
    .where('review_id', 'is', null)
    .execute()

export const helpfulVoteOf = (tx: Tx, reviewId: string, userId: string) =>
  tx.selectFrom('review_votes').select('created_at').where('review_id', '=', reviewId).where('user_id', '=', userId).executeTakeFirst()

export const huntShareOf = (tx: Tx, huntId: string, personId: string) =>
  tx
    .selectFrom('hunt_shares')
    .innerJoin('hunts', 'hunts.id', 'hunt_shares.hunt_id')
    .select(['hunts.owner_id', 'hunt_shares.created_at'])
    .where('hunt_shares.hunt_id', '=', huntId)
    .where('hunt_shares.user_id', '=', personId)
    .executeTakeFirst()

export const huntCommentOf = (tx: Tx, commentId: string) =>
  tx
    .selectFrom('hunt_comments')
    .innerJoin('hunts', 'hunts.id', 'hunt_comments.hunt_id')
    .select(['hunt_comments.hunt_id', 'hunt_comments.author_id', 'hunt_comments.created_at', 'hunts.owner_id'])
    .where('hunt_comments.id', '=', commentId)
    .executeTakeFirst()

export async function membersOf(tx: Db, businessId: string): Promise<string[]> {
  const rows = await tx.selectFrom('business_members').select('user_id').where('business_id', '=', businessId).execute()
  return rows.map(({ user_id }) => user_id)
}

/**
 * Filters to people who want the topic on some channel, aren't the actor and, unless a business acted, aren't separated from the actor by a
 * block.
 */
export async function filterRecipients(
  tx: Tx,
  userIds: readonly string[],
  { doer, isByBusiness, topic, now }: { doer: string | null; isByBusiness: boolean; topic: NotificationTopic; now: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select users.id from users
    where users.id = any(${userIds}::uuid[]) and users.id is distinct from ${doer}::uuid and ${isWanted(sql`users.id`, topic, now)}
      and (${isByBusiness}::boolean or ${isNotBlocked(sql`users.id`, sql`${doer}::uuid`)})
    order by users.id`.execute(tx)
  return rows.map(({ id }) => id)
}

export const licenseOf = (tx: Db, verificationId: string) =>
  tx
    .selectFrom('license_verifications')
    .select(['business_id', 'expires_on', 'warned_days', 'updated_at'])
    .where('id', '=', verificationId)
    .executeTakeFirst()

export const connectionOf = (db: Db, id: string, table: 'webhooks' | 'menu_sources') =>
  db.selectFrom(table).select(['business_id', 'url', 'failing_since', 'stopped_at']).where('id', '=', id).executeTakeFirst()

export const failedDraftOf = (db: Db, id: string) =>
  db
    .selectFrom('post_drafts')
    .select(['business_id', 'author_id', 'error', 'publish_at', 'updated_at'])
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .executeTakeFirst()

export const correctionOf = (db: Db, id: string) =>
  db
    .selectFrom('corrections')
    .select(['business_id', 'user_id', 'kind', 'state', 'settled_by', 'settled_at', 'created_at'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Content that a filter holds while its case is open, with the first explanation for its author. */
export const heldContentOf = (db: Db, caseId: string) =>
  db
    .selectFrom('moderation_cases')
    .select(['subject', 'subject_id', 'user_id', 'opened_at'])
    .select(
      sql<
        string | null
      >`(select finding ->> 'says' from jsonb_array_elements(findings) finding where finding ->> 'says' is not null limit 1)`.as('says'),
    )
    .where('id', '=', caseId)
    .where('status', '=', 'open')
    .executeTakeFirst()

export async function membersWhoCan(tx: Db, businessId: string, permission: Permission): Promise<string[]> {
  const rows = await tx
    .selectFrom('business_members')
    .select('user_id')
    .where('business_id', '=', businessId)
    .where('role', 'in', rolesThatCan(permission))
    .orderBy('user_id')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Filters out people separated from `personId` by a block. */
export async function filterNotBlocked(tx: Tx, userIds: readonly string[], personId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select users.id from users
    where users.id = any(${userIds}::uuid[]) and ${isNotBlocked(sql`users.id`, sql`${personId}::uuid`)}`.execute(tx)
  return rows.map(({ id }) => id)
}

export const membershipOf = (tx: Tx, communityId: string, userId: string) =>
  tx
    .selectFrom('community_members')
    .select('joined_at')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export const requestOf = (tx: Tx, communityId: string, userId: string) =>
  tx
    .selectFrom('community_requests')
    .select('created_at')
    .where('community_id', '=', communityId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

export async function moderatorsOf(tx: Tx, communityId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('community_members')
    .select('user_id')
    .where('community_id', '=', communityId)
    .where('role', '<>', 'member')
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** Undefined if the invitation was used or revoked. */
export const invitationOf = (tx: Tx, invitationId: string) =>
  tx
    .selectFrom('community_invitations')
    .select(['community_id', 'invited_id', 'invited_by', 'created_at'])
    .where('id', '=', invitationId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()

export const acceptedAnswerOf = (tx: Tx, postId: string) =>
  tx
    .selectFrom('posts')
    .innerJoin('comments', 'comments.id', 'posts.accepted_comment_id')
    .select(['comments.id as comment_id', 'comments.author_id as answered_by'])
    .select(['posts.author_id as asked_by', 'posts.updated_at as accepted_at'])
    .where('posts.id', '=', postId)
    .where('comments.is_deleted', '=', false)
    .executeTakeFirst()

/**
 * A message and its recipient. `receiver_id` is null for a business's team. A business writes first only to its subscribers, so its messages
 * are never requests.
 */
export const sentMessage = (db: Db, messageId: string) =>
  db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .select(['messages.conversation_id', 'messages.sender_id', 'messages.is_from_business', 'messages.created_at'])
    .select('conversations.business_id')
    .select(sql<boolean>`conversations.business_id is null and conversations.accepted_at is null`.as('is_request'))
    .select(
      sql<string | null>`case
        when conversations.business_id is not null then case when messages.is_from_business then conversations.person_id end
        when conversations.person_id = messages.sender_id then conversations.other_id
        else conversations.person_id
      end`.as('receiver_id'),
    )
    .where('messages.id', '=', messageId)
    .executeTakeFirst()

export const moderationOf = (db: Db, actionId: string) =>
  db
    .selectFrom('moderation_actions as actions')
    .select(['actions.action', 'actions.user_id', 'actions.created_at', 'actions.undone_at'])
    .where('actions.id', '=', actionId)
    .executeTakeFirst()

export const appealOf = (db: Db, appealId: string) =>
  db
    .selectFrom('moderation_appeals as appeals')
    .select(['appeals.action_id', 'appeals.user_id', 'appeals.decided_at'])
    .where('appeals.id', '=', appealId)
    .executeTakeFirst()

/** Undefined for demo accounts, because no one reads their mail. */
export const mailboxOf = async (db: Db, userId: string): Promise<string | undefined> =>
  (await db.selectFrom('users').select('email').where('id', '=', userId).where('is_demo', '=', false).executeTakeFirst())?.email
