import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { setRatingCounts } from '#server/features/businesses/index.ts'
import { endRsvpsWith } from '#server/features/events/index.ts'
import { changeFollowingCount, lockPeople } from '#server/features/people/index.ts'
import type { LockedPair } from './merge-tables.ts'
import { supersededReviews } from './merges.queries.ts'

/**
 * Moves followers, subscribers and blocks. Relations to the remaining business win: a follower of both keeps one follow, a follow ends if
 * the remaining business and the person are separated by a block, and a block ends if the person follows or subscribes to the remaining
 * business or is on either team. Paid subscriptions always move; `findObstacle` refuses merges in which they would conflict. RSVPs end for
 * people with a block between them and the remaining business.
 */
export async function mergePeople(tx: Tx, { fromId, intoId }: LockedPair): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from business_follows where business_id in (${fromId}::uuid, ${intoId}::uuid) group by user_id
    having bool_or(business_id = ${fromId}::uuid)`.execute(tx)
  await lockPeople(
    tx,
    rows.map(({ user_id }) => user_id),
  )
  const blockTables = [
    ['business_blocks', 'user_id'],
    ['business_person_blocks', 'person_id'],
  ] as const
  for (const [table, person] of blockTables) {
    await sql`
      delete from ${sql.table(table)} blocked using business_members
      where blocked.business_id in (${fromId}::uuid, ${intoId}::uuid) and business_members.business_id in (${fromId}::uuid, ${intoId}::uuid)
        and business_members.user_id = blocked.${sql.ref(person)}`.execute(tx)
  }
  await sql`
    update subscriptions present set is_paid = true from subscriptions moving
    where present.business_id = ${intoId}::uuid and moving.business_id = ${fromId}::uuid
      and present.user_id = moving.user_id and moving.is_paid and not present.is_paid`.execute(tx)
  const isBlocked = (userId: string) => sql<boolean>`(exists (select from business_blocks b
      where b.business_id = ${intoId}::uuid and b.user_id = ${sql.ref(userId)})
    or exists (select from business_person_blocks b where b.business_id = ${intoId}::uuid and b.person_id = ${sql.ref(userId)}))`
  await sql`
    update subscriptions moving set business_id = ${intoId}::uuid
    where business_id = ${fromId}::uuid and not ${isBlocked('moving.user_id')} and not exists (
      select from subscriptions present where present.business_id = ${intoId}::uuid and present.user_id = moving.user_id)`.execute(tx)
  // An explicit follow outlasts a subscription; an implied one doesn't.
  await sql`
    update business_follows present set is_implied = false from business_follows moving
    where present.business_id = ${intoId}::uuid and moving.business_id = ${fromId}::uuid
      and present.user_id = moving.user_id and not moving.is_implied and present.is_implied`.execute(tx)
  await sql`
    update business_follows moving set business_id = ${intoId}::uuid
    where business_id = ${fromId}::uuid and not ${isBlocked('moving.user_id')} and not exists (
      select from business_follows present where present.business_id = ${intoId}::uuid and present.user_id = moving.user_id)`.execute(tx)
  const ended = await tx.deleteFrom('business_follows').where('business_id', '=', fromId).returning('user_id').execute()
  for (const { user_id } of ended) await changeFollowingCount(tx, user_id, -1)
  for (const [table, person] of blockTables) {
    const same = sql`present.business_id = ${intoId}::uuid and present.${sql.ref(person)} = moving.${sql.ref(person)}`
    await sql`
      update ${sql.table(table)} moving set business_id = ${intoId}::uuid where business_id = ${fromId}::uuid
        and not exists (select from ${sql.table(table)} present where ${same})
        and not exists (select from business_follows present where present.business_id = ${intoId}::uuid
          and present.user_id = moving.${sql.ref(person)})`.execute(tx)
  }
  const { rows: going } = await sql<{ user_id: string }>`
    select distinct user_id from event_rsvps join events on events.id = event_rsvps.event_id
    where events.business_id in (${fromId}::uuid, ${intoId}::uuid) and ${isBlocked('event_rsvps.user_id')}`.execute(tx)
  const blocked = await lockPeople(
    tx,
    going.map(({ user_id }) => user_id),
  )
  for (const userId of blocked) {
    if (userId) await endRsvpsWith(tx, userId, [fromId, intoId])
  }
  await sql`
    update businesses set subscriber_count = (select count(*) from subscriptions where business_id = ${intoId}::uuid)
    where id = ${intoId}::uuid`.execute(tx)
}

/**
 * Keeps each person's most recently written or edited review. Moves the other review, and reviews by either team, to `merged_reviews` for
 * the author's export, with their replies but without votes. Returns the IDs of the reviews that are no longer shown.
 */
export async function mergeReviews(tx: Tx, { fromId, intoId }: LockedPair, now: Date): Promise<string[]> {
  const { rows: superseded } = await sql<{ id: string }>`
    insert into merged_reviews (id, business_id, user_id, rating, review, is_freebie, reply, created_at, edited_at, merged_at)
    select reviews.id, ${intoId}::uuid, user_id, rating, review, is_freebie, reply, created_at, edited_at, ${now}::timestamptz
    from reviews where id in (${supersededReviews({ fromId, intoId })})
    returning id`.execute(tx)
  const ids = superseded.map(({ id }) => id)
  await sql`delete from reviews where id = any(${ids}::uuid[])`.execute(tx)
  await tx.updateTable('reviews').set({ business_id: intoId }).where('business_id', '=', fromId).execute()
  const { rows } = await sql<{ count: number }>`
    select count(reviews.id)::int as count from generate_series(1, 5) as stars
    left join reviews on business_id = ${intoId}::uuid and rating = stars and moderation is null
    group by stars order by stars`.execute(tx)
  await setRatingCounts(
    tx,
    intoId,
    rows.map(({ count }) => count),
  )
  return ids
}

/**
 * Moves conversations with the merged business. A person who wrote to both gets one conversation, with all messages in the order they were
 * written.
 */
export async function mergeMessages(tx: Tx, { fromId, intoId }: LockedPair): Promise<void> {
  const { rows } = await sql<{ from_id: string; into_id: string }>`
    select moving.id as from_id, present.id as into_id from conversations moving
    join conversations present on present.business_id = ${intoId}::uuid and present.person_id = moving.person_id
    where moving.business_id = ${fromId}::uuid order by present.id`.execute(tx)
  for (const table of ['conversation_sides', 'messages', 'message_deletions'] as const) {
    await tx.updateTable(table).set({ business_id: intoId }).where('business_id', '=', fromId).execute()
  }
  for (const pair of rows) await joinConversations(tx, pair.from_id, pair.into_id)
  await tx.updateTable('conversations').set({ business_id: intoId }).where('business_id', '=', fromId).execute()
}

async function joinConversations(tx: Tx, fromId: string, intoId: string): Promise<void> {
  const both = sql`(${fromId}::uuid, ${intoId}::uuid)`
  await sql`select from conversations where id in ${both} order by id for update`.execute(tx)
  // Messages that a participant had deleted up to some number are now marked as deleted one by one, because the numbers change.
  await sql`
    insert into message_deletions (message_id, user_id, business_id)
    select messages.id, sides.user_id, sides.business_id from conversation_sides sides
    join messages on messages.conversation_id = sides.conversation_id and messages.sequence <= sides.cleared_sequence
    where sides.conversation_id in ${both}
    on conflict do nothing`.execute(tx)
  // The first message that a participant hasn't read, in either conversation.
  const unread = await unreadBySide(tx, both)
  await sql`update messages set sequence = -sequence + 9007199254740991 where conversation_id = ${intoId}::uuid`.execute(tx)
  await sql`
    with numbered as (select id, row_number() over (order by created_at, id) as place from messages where conversation_id in ${both})
    update messages set conversation_id = ${intoId}::uuid, sequence = numbered.place from numbered where numbered.id = messages.id`.execute(
    tx,
  )
  await sql`
    update conversation_sides present set
      cleared_sequence = 0,
      muted_at = coalesce(present.muted_at, moving.muted_at),
      is_request = present.is_request and moving.is_request,
      last_message_at = greatest(present.last_message_at, moving.last_message_at)
    from conversation_sides moving
    where present.conversation_id = ${intoId}::uuid and moving.conversation_id = ${fromId}::uuid
      and present.user_id is not distinct from moving.user_id`.execute(tx)
  await sql`
    update conversations present set
      last_sequence = (select count(*) from messages where conversation_id = ${intoId}::uuid),
      last_message_at = greatest(present.last_message_at, moving.last_message_at),
      accepted_at = coalesce(present.accepted_at, moving.accepted_at),
      declined_at = case when coalesce(present.accepted_at, moving.accepted_at) is null then present.declined_at end
    from conversations moving where present.id = ${intoId}::uuid and moving.id = ${fromId}::uuid`.execute(tx)
  for (const { user_id, first } of unread) await markUnread(tx, intoId, user_id, first)
  await tx.updateTable('notifications').set({ conversation_id: intoId }).where('conversation_id', '=', fromId).execute()
  await tx.deleteFrom('conversations').where('id', '=', fromId).execute()
}

/** `user_id` is null for the business; `first` is null if nothing is unread. */
type Unread = { user_id: string | null; first: string | null }

/** SQL over `conversation_sides sides`: this participant deleted the message. */
const isDeleted = (messageId: string) => sql<boolean>`exists (select from message_deletions
  where message_id = ${sql.ref(messageId)} and (user_id = sides.user_id or business_id = sides.business_id))`

async function unreadBySide(tx: Tx, both: RawBuilder<unknown>): Promise<Unread[]> {
  const { rows } = await sql<Unread>`
    select sides.user_id, (array_agg(messages.id order by messages.created_at, messages.id) filter (where messages.id is not null))[1] as first
    from conversation_sides sides
    left join messages on messages.conversation_id = sides.conversation_id
      and messages.sequence > greatest(sides.read_sequence, sides.cleared_sequence) and not ${isDeleted('messages.id')}
    where sides.conversation_id in ${both} group by sides.user_id`.execute(tx)
  return rows
}

/** Marks everything before the first unread message as read, so that nothing unseen counts as read. */
async function markUnread(tx: Tx, conversationId: string, userId: string | null, first: string | null): Promise<void> {
  await sql`
    update conversation_sides sides set read_sequence = marks.sequence, unread_count = (
      select count(*) from messages m where m.conversation_id = sides.conversation_id and m.sequence > marks.sequence
        and not ${isDeleted('m.id')} and case when sides.business_id is not null then not m.is_from_business
          else m.is_from_business or m.sender_id is distinct from sides.user_id end)
    from (select coalesce(
      (select sequence - 1 from messages where id = ${first}::uuid),
      (select last_sequence from conversations where id = ${conversationId}::uuid)) as sequence) marks
    where sides.conversation_id = ${conversationId}::uuid and sides.user_id is not distinct from ${userId}::uuid`.execute(tx)
}
