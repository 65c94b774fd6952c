import { type RawBuilder, sql } from 'kysely'
import type { NotificationType } from '#contracts/notification-types.ts'
import { communityAccess, isInvited, readsCommunity } from '#server/features/communities/index.ts'
import { isEventOpen, isEventVisible, isGoing } from '#server/features/events/index.ts'
import { huntAccess } from '#server/features/hunts/index.ts'
import { sharesInbox } from '#server/features/messages/index.ts'
import { isNotBlocked } from '#server/features/people/index.ts'
import { isLocked, isVisible, readerOf, type Viewer } from '#server/features/posts/index.ts'

/**
 * SQL: whether the reader may still see what notification `n` is about. It must exist, be meant for them, and have no actor with a block
 * in either direction. Lists, counts, emails and pushes all use this.
 */
export function isNotificationVisible(viewer: Viewer & { now: Date }, types: readonly NotificationType[]): RawBuilder<boolean> {
  const reader = readerOf(viewer)
  const { now } = viewer
  const isFree = (person: RawBuilder<unknown>) => isNotBlocked(reader.id, person)
  return sql<boolean>`(
    n.type = any(${types}::text[])
    and (n.post_id is null or exists (
      select 1 from posts left join businesses on businesses.id = posts.business_id
      where posts.id = n.post_id and ${isVisible(reader)}
        -- The comments of a locked post are locked, too.
        and (n.type not in ('comment', 'reply') or not ${isLocked(reader)})))
    and (n.type not in ('comment', 'reply') or n.actors_count > 1 or exists (
      select 1 from comments where comments.id = n.comment_id and not comments.is_deleted and comments.moderation is null))
    and (n.type not in ('review', 'helpful', 'review_reply') or (n.type = 'review' and n.actors_count > 1) or exists (
      select 1 from reviews where reviews.id = n.review_id and reviews.moderation is null and (n.type <> 'review_reply' or reviews.reply is not null)))
    and (n.hunt_id is null or exists (
      select 1 from hunts where hunts.id = n.hunt_id and ${huntAccess(sql`n.user_id`)} is not null
        -- A share is shown while it exists, a comment while the recipient owns the hunt.
        and (n.type <> 'hunt_comment' or hunts.owner_id = n.user_id)
        and (n.type <> 'hunt_shared' or exists (
          select 1 from hunt_shares where hunt_shares.hunt_id = n.hunt_id and hunt_shares.user_id = n.user_id))))
    and (n.type <> 'hunt_comment' or n.actors_count > 1 or exists (
      select 1 from hunt_comments where hunt_comments.id = n.hunt_comment_id and hunt_comments.moderation is null))
    and (n.type <> 'answer_accepted' or exists (
      select 1 from posts where posts.id = n.post_id and posts.accepted_comment_id = n.comment_id offset 0))
    and (n.community_id is null or exists (
      select 1 from communities where communities.id = n.community_id and case n.type
        -- A request is shown to current moderators, an invitation while it is open.
        when 'community_request' then ${communityAccess(sql`n.user_id`, now)} in ('moderate', 'own')
        when 'community_invitation' then ${communityAccess(sql`n.user_id`, now)} is not null
          and ${isInvited(sql`n.user_id`, sql`n.community_id`, sql<Date>`${now}::timestamptz`)}
        else ${readsCommunity(sql`n.user_id`, sql`n.community_id`, sql<Date>`${now}::timestamptz`)} end offset 0))
    -- A new event is shown while it is open to the recipient, changes while they are going, and a reminder until it starts.
    and (n.event_id is null or exists (
      select 1 from events join businesses on businesses.id = events.business_id
      where events.id = n.event_id and (n.type = 'new_event' or ${isGoing(sql`n.user_id`)})
        and (n.type <> 'event_reminder' or events.starts_at > ${now}::timestamptz)
        and case n.type when 'event_canceled' then ${isEventVisible({ ...reader, now })}
          else events.canceled_at is null and ${isEventOpen({ ...reader, now })} end offset 0))
    -- A message is shown while the recipient's unmuted conversation has unread messages.
    and (n.conversation_id is null or exists (
      select 1 from conversation_sides s
      where s.conversation_id = n.conversation_id and s.unread_count > 0 and s.muted_at is null
        and s.is_request = (n.type = 'message_request')
        and (s.user_id = n.user_id or ${sharesInbox(sql`n.user_id`, sql`s.business_id`)}) offset 0))
    -- offset 0: looked up for this row; the planner would else now and then read the whole table into memory.
    and (n.type <> 'subscriber' or exists (
      select 1 from business_members where business_members.user_id = n.user_id and business_members.business_id = n.business_id offset 0))
    and (n.type not like 'license%' or exists (
      select 1 from business_members where business_members.user_id = n.user_id and business_members.business_id = n.business_id
        and business_members.role in ('owner', 'manager') offset 0))
    and (n.business_id is null or not exists (
      select 1 from business_blocks where business_blocks.user_id = n.user_id and business_blocks.business_id = n.business_id))
    and (n.actors_count = 0 or (n.actor_id is null and n.business_id is not null and (n.type in ('comment', 'reply', 'review_reply', 'message') or n.type like 'license%'))
      or n.type in ('community_joined', 'moderation_notice', 'appeal_decided', 'picture_missing')
      or ${isFree(sql`n.actor_id`)} and n.actor_id is not null
      or exists (select 1 from notification_actors a where a.notification_id = n.id and ${isFree(sql`a.user_id`)} offset 0)))`
}

/** Unread notifications among `ids` that also match `and`. */
export const idsAmong = (ids: readonly string[], and: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql<boolean>`n.id = any(${ids}::uuid[]) and not n.is_read and ${and}`
