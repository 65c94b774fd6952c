import { type RawBuilder, sql } from 'kysely'
import type { BusinessType } from '#contracts/business-types.ts'
import type { NotificationType } from '#contracts/notification-types.ts'
import { maxUnread } from '#contracts/notifications.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import { isLocked, readerOf } from '#server/features/posts/index.ts'
import type { NotificationReader } from './recipient.ts'
import { isNotificationVisible } from './visible-notifications.ts'

export type NotificationRow = {
  id: string
  type: NotificationType
  is_read: boolean
  created_at: Date
  post_id: string | null
  comment_id: string | null
  review_id: string | null
  hunt_id: string | null
  hunt_name: string | null
  hunt_comment_id: string | null
  community_slug: string | null
  community_name: string | null
  conversation_id: string | null
  event_id: string | null
  event_title: string | null
  event_starts_at: Date | null
  event_time_zone: string | null
  /** Null if the reader may not know it. */
  event_place: string | null
  moderation_action_id: string | null
  moderation_action: string | null
  moderation_subject: string | null
  is_undone: boolean
  is_overturned: boolean
  post_title: string | null
  is_business_post: boolean
  /** The first words of the subject; null if the reader may not read them. */
  excerpt: string | null
  business_id: string | null
  business_slug: string | null
  business_name: string | null
  business_type: BusinessType | null
  business_image_id: string | null
  /** The latest actor the reader may see, and how many others there are. */
  actor_id: string | null
  display_name: string | null
  first_name: string | null
  profile_moderation: string | null
  is_profile_public: boolean
  last_name: string | null
  image_id: string | null
  others: number
}

const excerptLength = 200

type Selection = { where: RawBuilder<boolean>; limit: number }

/** Newest first. Texts come from the current state of the subject, as visible to the reader. */
export async function notificationRows(db: Db, reader: NotificationReader, { where, limit }: Selection): Promise<NotificationRow[]> {
  const seenBy = readerOf(reader)
  const { id } = seenBy
  const { rows } = await sql<NotificationRow>`
    with page as (
      select * from notifications n
      where n.user_id = ${reader.id}::uuid and ${where}
      order by n.created_at desc, n.id desc limit ${limit}
    )
    select n.id, n.type, n.is_read, n.created_at, n.post_id, comments.id as comment_id, n.review_id,
      n.hunt_id, hunts.hunt_name, hunt_comments.id as hunt_comment_id,
      communities.slug as community_slug, communities.name as community_name, n.conversation_id,
      events.id as event_id, events.title as event_title, events.starts_at as event_starts_at, events.time_zone as event_time_zone,
      case when n.type = 'event_changed' then concat_ws(', ', events.venue, events.address, events.city) end as event_place,
      actions.id as moderation_action_id, actions.action as moderation_action, actions.subject as moderation_subject, actions.undone_at is not null as is_undone,
      exists (select from moderation_appeals a where a.action_id = n.moderation_action_id and a.outcome = 'overturned') as is_overturned,
      posts.title as post_title, posts.business_id is not null as is_business_post,
      case
        when n.type = 'picture_missing' then n.reason
        when n.type in ('comment', 'reply') then left(comments.content, ${excerptLength})
        when n.type = 'review_reply' then left(reviews.reply, ${excerptLength})
        when n.type = 'hunt_comment' then left(hunt_comments.content, ${excerptLength})
        when n.type = 'event_canceled' then nullif(events.cancel_note, '')
        when n.type = 'review' then left(reviews.review, ${excerptLength})
        when n.post_id is null or n.type in ('like', 'answer_accepted') or ${isLocked(seenBy)} then null
        else left(posts.content, ${excerptLength})
      end as excerpt,
      businesses.id as business_id, businesses.slug as business_slug, businesses.name as business_name,
      businesses.type as business_type, businesses.image_id as business_image_id,
      users.id as actor_id, users.display_name, users.first_name, users.last_name, users.profile_moderation, users.image_id,
      coalesce(users.is_profile_public, false) as is_profile_public,
      case when n.actors_count > 1 then greatest(n.actors_count - 1 - (
        select count(*) from notification_actors a where a.notification_id = n.id and a.user_id in (${blockedPeople(id)})), 0) else 0
      end::integer as others
    from page n
      left join posts on posts.id = n.post_id
      left join comments on comments.id = n.comment_id and not comments.is_deleted and comments.moderation is null
        and (comments.business_id is not null or ${isNotBlocked(id, sql`comments.author_id`)})
      left join reviews on reviews.id = n.review_id and reviews.moderation is null and ${isNotBlocked(id, sql`reviews.user_id`)}
      left join hunts on hunts.id = n.hunt_id
      left join communities on communities.id = n.community_id
      left join events on events.id = n.event_id
      left join moderation_actions actions on actions.id = n.moderation_action_id
      left join hunt_comments on hunt_comments.id = n.hunt_comment_id and hunt_comments.moderation is null and ${isNotBlocked(id, sql`hunt_comments.author_id`)}
      left join businesses on businesses.id = n.business_id
      left join users on users.id = case
        when n.actor_id is not null and ${isNotBlocked(id, sql`n.actor_id`)} then n.actor_id
        when n.actors_count > 0 then (
          select a.user_id from notification_actors a
          where a.notification_id = n.id and ${isNotBlocked(id, sql`a.user_id`)}
          order by a.created_at desc, a.user_id desc limit 1)
      end
    order by n.created_at desc, n.id desc`.execute(db)
  return rows
}

/** People blocked in either direction. Queried separately because blocks are few and likers may be many. */
const blockedPeople = (id: RawBuilder<unknown>) => sql`
  select blocked_id from person_blocks where blocker_id = ${id} union select blocker_id from person_blocks where blocked_id = ${id}`

export const listed = (reader: NotificationReader, after: readonly [createdAt: string, id: string] | null) =>
  after === null
    ? isNotificationVisible(reader, reader.types.in_app)
    : sql<boolean>`(n.created_at, n.id) < (${after[0]}::timestamptz, ${after[1]}::uuid) and ${isNotificationVisible(reader, reader.types.in_app)}`

/** Capped at `maxUnread`, to bound the cost for people who never read their notifications. */
export async function countUnread(db: Db, reader: NotificationReader): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select 1 from notifications n
      where n.user_id = ${reader.id}::uuid and not n.is_read and ${isNotificationVisible(reader, reader.types.in_app)}
      limit ${maxUnread}) as unread`.execute(db)
  return rows[0]?.count ?? 0
}

/** Returns whether the person has this notification. */
export async function setRead(db: Db, userId: string, id: string): Promise<boolean> {
  const found = await db
    .updateTable('notifications')
    .set({ is_read: true })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  return found !== undefined
}

export const setAllRead = (db: Db, userId: string) =>
  db.updateTable('notifications').set({ is_read: true }).where('user_id', '=', userId).where('is_read', '=', false).execute()

/** Unread notifications not yet sent on this channel, newest first. */
export async function unsentIds(tx: Tx, reader: NotificationReader, channel: 'email' | 'push'): Promise<string[]> {
  const isUnsent = channel === 'email' ? sql`n.mailed_at is null` : sql`n.pushed_at is null`
  const { rows } = await sql<{ id: string }>`
    select n.id from notifications n
    where n.user_id = ${reader.id}::uuid and not n.is_read and ${isUnsent} and ${isNotificationVisible(reader, reader.types[channel])}
    order by n.created_at desc, n.id desc limit 1000`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Marks these as sent on a channel. Of two concurrent processes, each one is claimed by only one. */
export async function claim(tx: Tx, ids: readonly string[], channel: 'email' | 'push', now: Date): Promise<string[]> {
  const column = channel === 'email' ? ('mailed_at' as const) : ('pushed_at' as const)
  const rows = await tx
    .updateTable('notifications')
    .set({ [column]: now })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('is_read', '=', false)
    .where(column, 'is', null)
    .returning('id')
    .execute()
  const claimed = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => claimed.has(id))
}
