import { type RawBuilder, sql } from 'kysely'
import { plansWith } from '../../../contracts/entitlements.ts'
import type { TakesMessagesFrom } from '../../../contracts/messages.ts'
import type { BusinessByline } from '../../../contracts/posts.ts'
import type { Db } from '../../db/connect.ts'
import { theseIds } from '../../db/these-ids.ts'
import { isShutOut } from '../people/index.ts'
import { rolesThatMay } from '../team/index.ts'

/** A conversation as one of its two sides has it, with all that decides about it. */
export type HeldRow = {
  id: string
  self_id: string
  /** One's own; false for one of the team of its business. */
  is_self: boolean
  started_by: string | null
  accepted_at: Date | null
  declined_at: Date | null
  last_sequence: number
  conversation_last_message_at: Date | null
  // What this side keeps.
  read_sequence: number
  cleared_sequence: number
  muted_at: Date | null
  last_message_at: Date | null
  unread_count: number
  is_request: boolean
  // The person at the other end; all null where that is a business, or where the account is gone.
  their_id: string | null
  display_name: string | null
  first_name: string | null
  last_name: string | null
  image_id: string | null
  is_profile_public: boolean
  profile_moderation: LastMessage['moderation']
  is_barred: boolean
  takes_messages_from: TakesMessagesFrom
  // Its business, where it has one.
  business_id: string | null
  business_slug: string | null
  business_name: string | null
  business_type: BusinessByline['type'] | null
  business_image_id: string | null
  // Between the two.
  their_read_sequence: number | null
  both_show_marks: boolean
  has_blocked: boolean
  is_blocked: boolean
  /** The person at the other end follows oneself, or the business in whose name one is here. */
  is_followed: boolean
  is_subscriber: boolean
  has_direct_messages: boolean
  has_team: boolean
  /** The one of the team who is here may block people in its name. */
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

/** As many characters as an excerpt is made of. */
const beginningLength = 400

/** Whether a person shares the inbox of a business. The table has another name in here, so that both may be columns of it around it. */
export const sharesInbox = (personId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from business_members as sharing
  where sharing.business_id = ${businessId} and sharing.user_id = ${personId} and sharing.role = any(${rolesThatMay('messages')}::text[]))`

/**
 * Who is in a conversation, as SQL over `conversations` and `conversation_sides`: the side is the person's own, or that of a business
 * whose inbox they share. Whoever is both is there as oneself. This is the one rule: nobody else has any conversation.
 */
export const isOnSide = (personId: RawBuilder<unknown>) => sql<boolean>`(conversation_sides.user_id = ${personId}
  or (conversation_sides.business_id is not null and conversations.person_id is distinct from ${personId}
    and ${sharesInbox(personId, sql`conversation_sides.business_id`)}))`

/** Of a conversation in the inbox of a business: whether the person is its customer, and has it among their own instead. */
export const isAlsoCustomer = (personId: RawBuilder<unknown>, conversationId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from conversation_sides own where own.conversation_id = ${conversationId} and own.user_id = ${personId})`

/** Whether the side has deleted a message for itself, one by one. */
export const isDeletedFor = (messageId: RawBuilder<unknown>, userId: RawBuilder<unknown>, businessId: RawBuilder<unknown>) => sql<boolean>`(
  exists (select from message_deletions where message_deletions.message_id = ${messageId} and message_deletions.user_id = ${userId})
  or exists (select from message_deletions where message_deletions.message_id = ${messageId}
    and message_deletions.business_id = ${businessId}))`

/** Of these conversations, those that the person has, in no order. */
export async function heldRows(db: Db, personId: string, ids: readonly string[], now: Date): Promise<HeldRow[]> {
  if (ids.length === 0) return []
  const self = sql`${personId}::uuid`
  const { rows } = await sql<HeldRow>`
    with held as (
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
      where conversations.id = ${theseIds(ids)} and ${isOnSide(self)}
    )
    select held.*, own.id as self_id,
      them.display_name, them.first_name, them.last_name, them.image_id, coalesce(them.is_profile_public, false) as is_profile_public,
      them.profile_moderation,
      (them.banned_at is not null or them.leaves_at is not null) as is_barred, coalesce(them.takes_messages_from, 'everybody') as takes_messages_from,
      businesses.slug as business_slug, businesses.name as business_name, businesses.type as business_type,
      businesses.image_id as business_image_id,
      (select theirs.read_sequence from conversation_sides theirs
        where theirs.conversation_id = held.id
          and theirs.user_id is not distinct from held.their_id
          and theirs.business_id is not distinct from case when held.is_self then held.business_id end) as their_read_sequence,
      -- A business always shows how far it has read.
      ((not held.is_self or own.shows_read_marks) and coalesce(them.shows_read_marks, true)) as both_show_marks,
      ${facts(self, now)},
      (select jsonb_build_object('sequence', messages.sequence, 'beginning', left(messages.content, ${beginningLength}::int),
          'createdAt', messages.created_at, 'senderId', messages.sender_id, 'isFromBusiness', messages.is_from_business,
          'moderation', messages.moderation,
          'hasPhotos', exists (select from message_media where message_media.message_id = messages.id))
        from messages
        where messages.conversation_id = held.id and messages.sequence > held.cleared_sequence
          and not ${isDeletedFor(sql`messages.id`, sql`held.side_user_id`, sql`held.side_business_id`)}
        order by messages.sequence desc limit 1) as last
    from held
    join users own on own.id = ${self}
    left join users them on them.id = held.their_id
    left join businesses on businesses.id = held.business_id`.execute(db)
  return rows
}

/** What decides whether the two may write to each other: `held`, `them` and `businesses` are as above. */
const facts = (self: RawBuilder<unknown>, now: Date) => sql`
  (exists (select from person_blocks where held.is_self and blocker_id = ${self} and blocked_id = held.their_id)
    or exists (select from business_blocks where held.is_self and user_id = ${self} and business_blocks.business_id = held.business_id)
    or exists (select from business_person_blocks
      where not held.is_self and business_person_blocks.business_id = held.business_id and person_id = held.their_id)) as has_blocked,
  (exists (select from person_blocks where held.is_self and blocker_id = held.their_id and blocked_id = ${self})
    or exists (select from business_blocks
      where not held.is_self and user_id = held.their_id and business_blocks.business_id = held.business_id)
    or (held.is_self and held.business_id is not null and ${isShutOut(self, sql`held.business_id`)})) as is_blocked,
  case when held.is_self
    then exists (select from person_follows where follower_id = held.their_id and person_follows.person_id = ${self})
    else exists (select from business_follows
      where user_id = held.their_id and business_follows.business_id = held.business_id) end as is_followed,
  exists (select from subscriptions
    where subscriptions.business_id = held.business_id
      and subscriptions.user_id = case when held.is_self then ${self} else held.their_id end) as is_subscriber,
  (held.is_self and held.business_id is not null and exists (select from agreements
    where agreements.payer_id = ${self} and agreements.business_id is null
      and agreements.plan_id = any(${plansWith('direct_messages')}::text[])
      and agreements.entitled_until > ${now}::timestamptz)) as has_direct_messages,
  (not held.is_self and exists (select from business_members blocking where blocking.business_id = held.business_id
    and blocking.user_id = ${self} and blocking.role = any(${rolesThatMay('blocks')}::text[]))) as may_block,
  (held.business_id is not null and businesses.moderation is null and exists (select from business_members
    where business_members.business_id = held.business_id
      and business_members.role = any(${rolesThatMay('messages')}::text[]))) as has_team`
