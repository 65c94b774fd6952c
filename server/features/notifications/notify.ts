import { sql } from 'kysely'
import type { NotificationType } from '#contracts/notification-types.ts'
import { hourMs } from '#contracts/time.ts'
import type { Tx } from '#server/db/connect.ts'
import { hasReadConversation } from '#server/features/messages/index.ts'
import { newId } from '#server/kernel/ids.ts'
import type { Jobs } from '#server/kernel/jobs.ts'
import { descriptionOf } from './notification-types.ts'

export type NewNotification = {
  userId: string
  type: NotificationType
  /** Unread notifications with the same key are merged into one. */
  groupKey: string
  /** Null if a business (see `businessId`) or the site acted. */
  actorId: string | null
  /** When the event happened. The list is sorted by this time, and jobs may run later. */
  doneAt: Date
  /** Notifies once per actor, however often an action such as a like or follow is undone and repeated. */
  isOnce: boolean
  businessId?: string | null
  postId?: string | null
  commentId?: string | null
  reviewId?: string | null
  huntId?: string | null
  huntCommentId?: string | null
  communityId?: string | null
  conversationId?: string | null
  moderationActionId?: string | null
  correctionId?: string | null
  verificationId?: string | null
  webhookId?: string | null
  menuSourceId?: string | null
  draftId?: string | null
  reason?: string | null
}

/** New text is worth another email and push, but only after this long, or once the earlier notification has been read. */
const againAfterMs = hourMs

/** Creates a notification, or merges it into the group's unread one. Idempotent. Returns whether anything changed. */
export async function notify(tx: Tx, news: NewNotification, now: Date): Promise<boolean> {
  if (await wasNotified(tx, news)) return false
  const group = await takeGroup(tx, news)
  if (!group) return false
  if (group.isNew) {
    if (news.actorId) await addActor(tx, group.id, news)
    return true
  }
  const isAnother = news.actorId !== null && (await addActor(tx, group.id, news))
  const { isRepeated, isPrompt } = descriptionOf(news.type)
  const before = sql`${new Date(now.getTime() - againAfterMs)}::timestamptz`
  // Reading messages doesn't mark their notification as read.
  const isSeen = news.conversationId
    ? hasReadConversation(sql`notifications.user_id`, sql`notifications.conversation_id`, sql`notifications.created_at`)
    : sql`false`
  // Digests are at most daily, so resetting `mailed_at` immediately can't repeat them too soon.
  const isMailedAtOnce = sql`coalesce((
    select s.email_rhythm = 'each' or (${isPrompt}::boolean and s.is_prompt_on)
    from notification_settings s where s.user_id = notifications.user_id), ${isPrompt}::boolean)`
  await sql`
    update notifications set
      actors_count = actors_count + ${isAnother ? 1 : 0},
      actor_id = ${news.actorId}::uuid,
      comment_id = coalesce(${news.commentId ?? null}::uuid, comment_id),
      review_id = coalesce(${news.reviewId ?? null}::uuid, review_id),
      hunt_comment_id = coalesce(${news.huntCommentId ?? null}::uuid, hunt_comment_id),
      created_at = greatest(created_at, ${news.doneAt}::timestamptz),
      mailed_at = case when ${isRepeated}::boolean and (mailed_at < ${before} or not ${isMailedAtOnce} or ${isSeen}) then null else mailed_at end,
      pushed_at = case when ${isRepeated}::boolean and (pushed_at < ${before} or ${isSeen}) then null else pushed_at end
    where id = ${group.id}::uuid`.execute(tx)
  return true
}

/** Whether the person was already notified of this action. With `isOnce`, any earlier action by the same actor counts. */
async function wasNotified(
  tx: Tx,
  { userId, groupKey, actorId, doneAt, isOnce, commentId, conversationId }: NewNotification,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from notifications n
    where n.user_id = ${userId}::uuid and n.group_key = ${groupKey} and n.actors_count > 0
      and case when ${actorId}::uuid is null
        then case when ${conversationId ?? null}::uuid is not null then n.created_at >= ${doneAt}::timestamptz
          else ${commentId ?? null}::uuid is null or n.comment_id >= ${commentId ?? null}::uuid end
        else exists (
          select 1 from notification_actors a
          where a.notification_id = n.id and a.user_id = ${actorId}::uuid
            and (${isOnce}::boolean or a.created_at >= ${doneAt}::timestamptz) offset 0) end
    limit 1`.execute(tx)
  return rows.length > 0
}

/** Finds or creates the group's unread notification and locks it. */
async function takeGroup(tx: Tx, news: NewNotification): Promise<{ id: string; isNew: boolean } | null> {
  const find = () =>
    tx
      .selectFrom('notifications')
      .select('id')
      .where('user_id', '=', news.userId)
      .where('group_key', '=', news.groupKey)
      .where('is_read', '=', false)
      .forUpdate()
      .executeTakeFirst()
  // Between the select and the insert, the notification may be marked as read, or another process may create it.
  for (let tries = 0; tries < 5; tries++) {
    const found = await find()
    if (found) return { id: found.id, isNew: false }
    const made = await tx
      .insertInto('notifications')
      .values({
        id: newId(),
        user_id: news.userId,
        type: news.type,
        group_key: news.groupKey,
        actor_id: news.actorId,
        actors_count: 1,
        business_id: news.businessId ?? null,
        post_id: news.postId ?? null,
        comment_id: news.commentId ?? null,
        review_id: news.reviewId ?? null,
        hunt_id: news.huntId ?? null,
        hunt_comment_id: news.huntCommentId ?? null,
        community_id: news.communityId ?? null,
        conversation_id: news.conversationId ?? null,
        moderation_action_id: news.moderationActionId ?? null,
        correction_id: news.correctionId ?? null,
        verification_id: news.verificationId ?? null,
        webhook_id: news.webhookId ?? null,
        menu_source_id: news.menuSourceId ?? null,
        draft_id: news.draftId ?? null,
        reason: news.reason ?? null,
        created_at: news.doneAt,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (made) return { id: made.id, isNew: true }
  }
  return null
}

/** Returns whether the actor is new to the notification. */
async function addActor(tx: Tx, notificationId: string, { actorId, doneAt }: NewNotification): Promise<boolean> {
  const added = await tx
    .insertInto('notification_actors')
    .values({ notification_id: notificationId, user_id: actorId as string, created_at: doneAt })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (added) return true
  await tx
    .updateTable('notification_actors')
    .set({ created_at: doneAt })
    .where('notification_id', '=', notificationId)
    .where('user_id', '=', actorId)
    .where('created_at', '<', doneAt)
    .execute()
  return false
}

/**
 * SQL for a statement that notifies many people: IDs derived from what happened and the person, so that running the statement again adds no
 * notifications. `join` needs `users`. With `timeOf`, a UUIDv7, the IDs have its time and are appended to the end of the index.
 */
export function derivedIds(happened: string, timeOf?: string) {
  const [start, version, at] = timeOf
    ? [sql`${timeOf.slice(0, 13)}::text`, 7, 1]
    : [sql`substr(hash, 1, 8) || '-' || substr(hash, 9, 4)`, 8, 13]
  const part = (offset: number, length: number) => sql`substr(hash, ${sql.lit(at + offset)}, ${sql.lit(length)})`
  return {
    id: sql<string>`(${start} || ${sql.lit(`-${version}`)} || ${part(0, 3)} || '-8' || ${part(3, 3)} || '-' || ${part(6, 12)})::uuid`,
    join: sql`cross join lateral (select md5(${happened} || users.id::text) as hash) hashed`,
  }
}

/** Leaves time for more notifications of the same kind to be merged, and for the person to read them in the app. */
const mailDelaySeconds = 180
const pushDelaySeconds = 10

/**
 * Queues emails for people who get each one separately, and pushes for people with a push subscription. Digests have their own schedule,
 * which urgent notifications and, by default, prompt ones don't wait for.
 */
export async function queueDeliveries(
  jobs: Jobs,
  tx: Tx,
  userIds: readonly string[],
  types: readonly NotificationType[] = [],
): Promise<void> {
  if (userIds.length === 0) return
  const descriptions = types.map(descriptionOf)
  const isUrgent = descriptions.some((each) => each.isUrgent)
  const isPrompt = descriptions.some((each) => each.isPrompt)
  const [each, toPush] = [isUrgent ? [] : await mailedEach(tx, userIds), await pushed(tx, userIds)]
  const atOnce = isUrgent ? [...userIds] : isPrompt ? await mailedPromptly(tx, userIds) : []
  const startAfterSeconds = mailDelaySeconds
  if (each.length > 0) await jobs.enqueue('notifications.mail-due', { userIds: each }, { tx, startAfterSeconds })
  if (atOnce.length > 0) await jobs.enqueue('notifications.mail-urgent-due', { userIds: atOnce }, { tx, startAfterSeconds })
  if (toPush.length > 0) await jobs.enqueue('notifications.push-due', { userIds: toPush }, { tx, startAfterSeconds: pushDelaySeconds })
}

async function mailedEach(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('notification_settings')
    .select('user_id')
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .where('email_rhythm', '=', 'each')
    .where('is_email_on', '=', true)
    .execute()
  return rows.map(({ user_id }) => user_id)
}

/** People with a digest who get prompt notifications immediately. Most have no settings. */
async function mailedPromptly(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const others = await tx
    .selectFrom('notification_settings')
    .select('user_id')
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .where(sql<boolean>`(email_rhythm = 'each' or not is_prompt_on or not is_email_on)`)
    .execute()
  const left = new Set(others.map(({ user_id }) => user_id))
  return userIds.filter((id) => !left.has(id))
}

async function pushed(tx: Tx, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('push_subscriptions')
    .select('user_id')
    .distinct()
    .where(sql<boolean>`user_id = any(${userIds}::uuid[])`)
    .execute()
  return rows.map(({ user_id }) => user_id)
}
