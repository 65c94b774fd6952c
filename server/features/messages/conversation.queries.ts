import { type RawBuilder, sql } from 'kysely'
import { plansWith } from '#contracts/entitlements.ts'
import type { BusinessByline } from '#contracts/posts.ts'
import type { TakesMessagesFrom } from '#contracts/settings.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { isBlockedByBusiness } from '#server/features/people/index.ts'
import { rolesThatCan } from '#server/features/team/index.ts'
import { businessPictureId } from '#server/kernel/media-address.ts'
import type { NotifiedSubject } from '#server/kernel/notified-subject.ts'

/** A conversation from the viewpoint of one participant, with everything that access depends on. */
export type ConversationRow = {
  id: string
  self_id: string
  /** The viewer takes part in person; false for a team member of the conversation's business. */
  is_self: boolean
  started_by: string | null
  accepted_at: Date | null
  declined_at: Date | null
  last_sequence: number
  conversation_last_message_at: Date | null
  // State of this participant.
  read_sequence: number
  cleared_sequence: number
  muted_at: Date | null
  last_message_at: Date | null
  unread_count: number
  is_request: boolean
  // The other person; null or defaults for a business or a deleted account.
  their_id: string | null
  display_name: string | null
  first_name: string | null
  last_name: string | null
  image_id: string | null
  is_profile_public: boolean
  profile_moderation: LastMessage['moderation']
  is_barred: boolean
  takes_messages_from: TakesMessagesFrom
  // The conversation's business, if any.
  business_id: string | null
  business_slug: string | null
  business_name: string | null
  business_type: BusinessByline['type'] | null
  business_image_id: string | null
  // The relation between the two participants.
  their_read_sequence: number | null
  both_show_marks: boolean
  has_blocked: boolean
  is_blocked: boolean
  /** The other person follows the viewer, or the business the viewer writes for. */
  is_followed: boolean
  is_subscriber: boolean
  has_direct_messages: boolean
  has_team: boolean
  /** The viewer may block people on behalf of the business. */
  may_block: boolean
  last: LastMessage | null
}

export type LastMessage = {
  sequence: number
  beginning: string
  createdAt: string
  senderId: string | null
  isFromBusiness: boolean
  moderation: 'held' | 'hidden' | 'removed' | null
  hasPhotos: boolean
}

/** Number of characters fetched for an excerpt. */
const beginningLength = 400

/** Whether a person shares a business's inbox. Uses a table alias, so that both arguments may be columns of an outer business_members. */
export const sharesInbox = (personId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from business_members as sharing
  where sharing.business_id = ${businessId} and sharing.user_id = ${personId} and sharing.role = any(${rolesThatCan('messages')}::text[]))`

/**
 * Who has access to a conversation, as SQL over `conversations` and `conversation_sides`: the person in it, or people who share the inbox
 * of its business. A customer who is also on the team takes part as the customer.
 */
export const isParticipant = (personId: RawBuilder<unknown>) => sql<boolean>`(conversation_sides.user_id = ${personId}
  or (conversation_sides.business_id is not null and conversations.person_id is distinct from ${personId}
    and ${sharesInbox(personId, sql`conversation_sides.business_id`)}))`

/** Whether the person is the customer in a business conversation, which is then in their own inbox instead. */
export const isAlsoCustomer = (personId: RawBuilder<unknown>, conversationId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from conversation_sides own where own.conversation_id = ${conversationId} and own.user_id = ${personId})`

/** Whether this participant deleted the message individually. */
export const isDeletedFor = (messageId: RawBuilder<unknown>, userId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from message_deletions where message_deletions.message_id = ${messageId} and message_deletions.user_id = ${userId})
  or exists (select from message_deletions where message_deletions.message_id = ${messageId}
    and message_deletions.business_id = ${businessId}))`

/** Omits conversations the person can't access. Unordered. */
export async function conversationRows(db: Db, personId: string, ids: readonly string[], now: Date): Promise<ConversationRow[]> {
  if (ids.length === 0) return []
  const self = sql`${personId}::uuid`
  const { rows } = await sql<ConversationRow>`
    with viewed as (
      select conversations.id, conversations.started_by, conversations.accepted_at, conversations.declined_at,
        conversations.last_sequence, conversations.last_message_at as conversation_last_message_at, conversations.business_id,
        conversation_sides.user_id is not null as is_self, conversation_sides.user_id as side_user_id,
        conversation_sides.business_id as side_business_id,
        conversation_sides.read_sequence, conversation_sides.cleared_sequence, conversation_sides.muted_at,
        conversation_sides.last_message_at, conversation_sides.unread_count, conversation_sides.is_request,
        case when conversation_sides.user_id is null then conversations.person_id
          when conversations.business_id is not null then null
          when conversations.person_id = ${self} then conversations.other_id
          else conversations.person_id end as their_id
      from conversations join conversation_sides on conversation_sides.conversation_id = conversations.id
      where conversations.id = ${pageIds(ids)} and ${isParticipant(self)}
    )
    select viewed.*, own.id as self_id,
      them.display_name, them.first_name, them.last_name, them.image_id, coalesce(them.is_profile_public, false) as is_profile_public,
      them.profile_moderation,
      (them.banned_at is not null or them.leaves_at is not null) as is_barred, coalesce(them.takes_messages_from, 'everybody') as takes_messages_from,
      businesses.slug as business_slug, businesses.name as business_name, businesses.type as business_type,
      ${businessPictureId} as business_image_id,
      (select theirs.read_sequence from conversation_sides theirs
        where theirs.conversation_id = viewed.id
          and theirs.user_id is not distinct from viewed.their_id
          and theirs.business_id is not distinct from case when viewed.is_self then viewed.business_id end) as their_read_sequence,
      -- Businesses always show read receipts.
      ((not viewed.is_self or own.shows_read_marks) and coalesce(them.shows_read_marks, true)) as both_show_marks,
      ${facts(self, now)},
      (select jsonb_build_object('sequence', messages.sequence, 'beginning', left(messages.content, ${beginningLength}::int),
          'createdAt', messages.created_at, 'senderId', messages.sender_id, 'isFromBusiness', messages.is_from_business,
          'moderation', messages.moderation,
          'hasPhotos', exists (select from message_media where message_media.message_id = messages.id))
        from messages
        where messages.conversation_id = viewed.id and messages.sequence > viewed.cleared_sequence
          and not ${isDeletedFor(sql`messages.id`, sql`viewed.side_user_id`, sql`viewed.side_business_id`)}
        order by messages.sequence desc limit 1) as last
    from viewed
    join users own on own.id = ${self}
    left join users them on them.id = viewed.their_id
    left join businesses on businesses.id = viewed.business_id`.execute(db)
  return rows
}

/** Determines whether the two may write to each other; `viewed`, `them` and `businesses` are from the query above. */
const facts = (self: RawBuilder<unknown>, now: Date) => sql`
  (exists (select from person_blocks where viewed.is_self and blocker_id = ${self} and blocked_id = viewed.their_id)
    or exists (select from business_blocks where viewed.is_self and user_id = ${self} and business_blocks.business_id = viewed.business_id)
    or exists (select from business_person_blocks
      where not viewed.is_self and business_person_blocks.business_id = viewed.business_id and person_id = viewed.their_id)) as has_blocked,
  (exists (select from person_blocks where viewed.is_self and blocker_id = viewed.their_id and blocked_id = ${self})
    or exists (select from business_blocks
      where not viewed.is_self and user_id = viewed.their_id and business_blocks.business_id = viewed.business_id)
    or (viewed.is_self and viewed.business_id is not null and ${isBlockedByBusiness(self, sql`viewed.business_id`)})) as is_blocked,
  case when viewed.is_self
    then exists (select from person_follows where follower_id = viewed.their_id and person_follows.person_id = ${self})
    else exists (select from business_follows
      where user_id = viewed.their_id and business_follows.business_id = viewed.business_id) end as is_followed,
  exists (select from subscriptions
    where subscriptions.business_id = viewed.business_id
      and subscriptions.user_id = case when viewed.is_self then ${self} else viewed.their_id end) as is_subscriber,
  (viewed.is_self and viewed.business_id is not null and exists (select from agreements
    where agreements.payer_id = ${self} and agreements.business_id is null
      and agreements.plan_id = any(${plansWith('direct_messages')}::text[])
      and agreements.entitled_until > ${now}::timestamptz)) as has_direct_messages,
  (not viewed.is_self and exists (select from business_members blocking where blocking.business_id = viewed.business_id
    and blocking.user_id = ${self} and blocking.role = any(${rolesThatCan('blocks')}::text[]))) as may_block,
  (viewed.business_id is not null and businesses.moderation is null and exists (select from business_members
    where business_members.business_id = viewed.business_id
      and business_members.role = any(${rolesThatCan('messages')}::text[]))) as has_team`

/** SQL: `side` is the person's own participation in a conversation, or that of a business for which they aren't also the customer. */
const isSideOf = (personId: RawBuilder<unknown>) => sql<boolean>`(side.user_id = ${personId}
  or (${sharesInbox(personId, sql`side.business_id`)} and not ${isAlsoCustomer(personId, sql`side.conversation_id`)}))`

/** SQL: the person, or the team whose inbox they share, has read a conversation up to a time. */
export const hasReadConversation = (personId: RawBuilder<unknown>, conversationId: RawBuilder<unknown>, until: RawBuilder<unknown>) =>
  sql<boolean>`exists (
    select from conversation_sides as side
    where side.conversation_id = ${conversationId} and ${isSideOf(personId)} and side.read_sequence >= (
      select messages.sequence from messages where messages.conversation_id = ${conversationId} and messages.created_at <= ${until}
      order by messages.sequence desc limit 1))`

/** A notification of messages is shown while the recipient's unmuted conversation has unread ones. */
export const notifiedConversations: NotifiedSubject<null> = (asked, viewer) => sql`
  select asked.id, null::jsonb as facts
  from ${asked} asked
  where exists (
    select from conversation_sides as side
    where side.conversation_id = asked.conversation_id and side.unread_count > 0 and side.muted_at is null
      and side.is_request = (asked.type = 'message_request')
      and ${isSideOf(sql`${viewer.id}::uuid`)} offset 0)`
