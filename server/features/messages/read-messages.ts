import { type RawBuilder, sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type {
  Conversation,
  FoundMessage,
  listConversations as inboxContract,
  listMessages as listContract,
  Message,
  searchMessages as searchContract,
  UnreadMessages,
} from '#contracts/messages.endpoints.ts'
import type { BusinessByline } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { containsWord } from '#server/features/businesses/index.ts'
import { toBusinessByline } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, encodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { businessPictureId } from '#server/kernel/media-address.ts'
import { isAlsoCustomer, isDeletedFor, sharesInbox } from './conversation.queries.ts'
import { type ConversationView, loadConversations, requireConversation } from './conversation.ts'
import { type MessageRow, messageRows } from './messages.queries.ts'
import { toConversation, toMessages } from './messages.view.ts'

type Query = Parsed<(typeof listContract)['query']>

/**
 * Newest first or, with `after`, the messages after that one, oldest first. Sequence numbers become visible in order, so a client that has
 * caught up to one has everything before it.
 */
export async function listMessages({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, conversationId: string, query: Query) {
  const conversation = await requireConversation(db, actor, conversationId, clock.now())
  const cursor = decodeCursor(query.cursor, ['integer'])?.[0] ?? null
  const limit = query.limit + 1
  const rows = await messageRows(
    db,
    conversation,
    query.after === undefined ? { before: cursor, limit } : { after: Math.max(query.after, cursor ?? 0), limit },
  )
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.sequence])
  const page: Page<Message> = { items: await toMessages(db, new Map([[conversationId, conversation]]), items), nextCursor }
  return page
}

type SearchQuery = Parsed<(typeof searchContract)['query']>

/** Messages scanned per page, so that no search reads a whole large inbox. */
const maxExamined = 5_000
const maxWords = 8

const wordsOf = (question: string): string[] => [...new Set(question.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, maxWords)

/**
 * Finds messages in an inbox that contain the first eight words of `q`, newest first. A page ends when it is full or the scan limit is
 * reached, so it may be short or empty and still have a next page.
 * @throws AppError not_found for a business inbox the actor doesn't share, invalid_input for a bad cursor
 */
export async function searchMessages(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { inbox, q, limit, cursor }: SearchQuery,
): Promise<Page<FoundMessage>> {
  await requireInbox(db, actor, inbox)
  const words = wordsOf(q)
  if (words.length === 0) return { items: [], nextCursor: null }
  const of: Inbox = { personId: actor.id, businessId: inbox === 'me' ? null : inbox }
  const before = decodeCursor(cursor, ['time', 'id'])
  const last = await lastToLookAt(db, of, before)
  const found = toPage(await matches(db, of, words, { before, last, limit: limit + 1 }), limit, keyOf)
  const views = await loadConversations(db, actor, [...new Set(found.items.map((row) => row.conversation_id))], clock.now())
  const items = (await toMessages(db, views, found.items)).map((message) => ({
    message,
    participant: (views.get(message.conversationId) as ConversationView).participant,
  }))
  return { items, nextCursor: found.nextCursor ?? (last && encodeCursor(keyOf(last))) }
}

type Inbox = { personId: string; businessId: string | null }
type Key = { created_at: Date; id: string }
const keyOf = (row: Key) => [row.created_at.toISOString(), row.id] as const
type Before = readonly [createdAt: string, id: string] | null

/** The last message within the scan limit; null if fewer are left. Reads only the index. */
async function lastToLookAt(db: Db, inbox: Inbox, before: Before): Promise<Key | null> {
  const { rows } = await sql<Key>`
    select created_at, id from (${newest(inbox, { before, last: null }, sql`created_at, id`)}) as mine
    order by created_at desc, id desc offset ${maxExamined - 1}::int limit 1`.execute(db)
  return rows[0] ?? null
}

type Wanted = { before: Before; last: Key | null; limit: number }

async function matches(db: Db, inbox: Inbox, words: readonly string[], { before, last, limit }: Wanted): Promise<MessageRow[]> {
  const person = sql`${inbox.personId}::uuid`
  const [userId, businessId] = inbox.businessId === null ? [person, sql`null::uuid`] : [sql`null::uuid`, sql`${inbox.businessId}::uuid`]
  const isOfInbox = inbox.businessId === null ? sql`sides.user_id = ${userId}` : sql`sides.business_id = ${businessId}`
  const isOwn = inbox.businessId === null ? sql`(mine.sender_id = ${person} and not mine.is_from_business)` : sql`mine.is_from_business`
  const holds = words.map((word) => sql`${containsWord(sql<string>`lower(mine.content)`, word)}`)
  const columns = sql`id, sequence, conversation_id, sender_id, is_from_business, content, moderation, created_at`
  const { rows } = await sql<MessageRow>`
    select mine.* from (${newest(inbox, { before, last }, columns)}) as mine
    where ${sql.join(holds, sql` and `)}
      and (mine.moderation is null or (mine.moderation <> 'removed' and ${isOwn}))
      and exists (select from conversation_sides sides
        where sides.conversation_id = mine.conversation_id and ${isOfInbox} and sides.cleared_sequence < mine.sequence)
      ${inbox.businessId === null ? sql`` : sql`and not ${isAlsoCustomer(person, sql`mine.conversation_id`)}`}
      and not ${isDeletedFor(sql`mine.id`, userId, businessId)}
    order by mine.created_at desc, mine.id desc limit ${limit}::int`.execute(db)
  return rows
}

/** Newest messages in an inbox. Each part (for a person, sent and received messages) uses its own index in order. */
function newest(
  { personId, businessId }: Inbox,
  { before, last }: Pick<Wanted, 'before' | 'last'>,
  columns: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const part = (where: RawBuilder<unknown>) => sql`(
    select ${columns} from messages
    where ${where}
      ${before === null ? sql`` : sql`and (created_at, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`}
      ${last === null ? sql`` : sql`and (created_at, id) >= (${last.created_at}::timestamptz, ${last.id}::uuid)`}
    order by created_at desc, id desc limit ${maxExamined}::int)`
  if (businessId !== null) return part(sql`business_id = ${businessId}::uuid`)
  const person = sql`${personId}::uuid`
  return sql`${part(sql`sender_id = ${person} and not is_from_business`)} union all ${part(sql`recipient_id = ${person}`)}`
}

type Ctx = Pick<Context, 'db' | 'clock'>
type InboxQuery = Parsed<(typeof inboxContract)['query']>

export async function getConversation({ db, clock }: Ctx, actor: Actor, id: string): Promise<Conversation> {
  return toConversation(await requireConversation(db, actor, id, clock.now()))
}

/** Most recent message first. @throws AppError not_found for a business inbox the actor doesn't share, invalid_input for a bad cursor */
export async function listConversations({ db, clock }: Ctx, actor: Actor, query: InboxQuery): Promise<Page<Conversation>> {
  await requireInbox(db, actor, query.inbox)
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const page = toPage(await keysOfInbox(db, actor.id, query, after), query.limit, (row) => [row.last_message_at.toISOString(), row.id])
  const views = await loadConversations(
    db,
    actor,
    page.items.map(({ id }) => id),
    clock.now(),
  )
  const items = page.items.flatMap(({ id }) => {
    const each = views.get(id)
    return each ? [toConversation(each)] : []
  })
  return { items, nextCursor: page.nextCursor }
}

/** @throws AppError not_found for an inbox the actor doesn't share, as for a missing business */
async function requireInbox(db: Db, actor: Actor, inbox: string): Promise<void> {
  if (inbox === 'me') return
  const { rows } = await sql<{ shares: boolean }>`select ${sharesInbox(sql`${actor.id}::uuid`, sql`${inbox}::uuid`)} as shares`.execute(db)
  if (!rows[0]?.shares) throw notFound('Inbox not found.')
}

type InboxKey = { id: string; last_message_at: Date }

async function keysOfInbox(
  db: Db,
  personId: string,
  { inbox, requests, limit }: InboxQuery,
  after: readonly [lastMessageAt: string, id: string] | null,
): Promise<InboxKey[]> {
  const isOfInbox =
    inbox === 'me'
      ? sql<boolean>`sides.user_id = ${personId}::uuid`
      : sql<boolean>`sides.business_id = ${inbox}::uuid and not ${isAlsoCustomer(sql`${personId}::uuid`, sql`sides.conversation_id`)}`
  return db
    .selectFrom('conversation_sides as sides')
    .select(['sides.conversation_id as id', 'sides.last_message_at'])
    .$narrowType<{ last_message_at: Date }>()
    .where(isOfInbox)
    .where('sides.is_request', '=', requests)
    .where('sides.last_message_at', 'is not', null)
    .$call((rows) => newestAfter(rows, 'sides.last_message_at', 'sides.conversation_id', after))
    .limit(limit + 1)
    .execute()
}

/** Scan limit, beyond which the count is a lower bound. The header shows at most 99 anyway. */
const maxConversations = 1_000
const maxRequests = 100

const unreadOf = (isOfInbox: ReturnType<typeof sql>) => sql<number>`coalesce((
  select sum(unread_count)::int from (
    select sides.unread_count from conversation_sides sides
    where ${isOfInbox} and not sides.is_request and sides.unread_count > 0 and sides.muted_at is null
    limit ${maxConversations}::int
  ) as unread), 0)`

const ownUnread = (self: ReturnType<typeof sql>) => unreadOf(sql`sides.user_id = ${self}`)

/** Correlated with a row of `business_members`. */
const teamUnread = (self: ReturnType<typeof sql>) =>
  unreadOf(sql`sides.business_id = business_members.business_id and not ${isAlsoCustomer(self, sql`sides.conversation_id`)}`)

const memberships = (self: ReturnType<typeof sql>) => sql`
  business_members.user_id = ${self} and ${sharesInbox(self, sql`business_members.business_id`)}`

/** Unread count for the header: excludes requests and muted conversations, includes shared inboxes. */
export async function unreadMessages(db: Db, userId: string): Promise<number> {
  const self = sql`${userId}::uuid`
  const { rows } = await sql<{ unread: number }>`
    select ${ownUnread(self)} + coalesce((
      select sum(${teamUnread(self)})::int from business_members where ${memberships(self)}), 0) as unread`.execute(db)
  return rows[0]?.unread ?? 0
}

type InboxRow = {
  unread: number
  business_id: string
  business_slug: string
  business_name: string
  business_type: BusinessByline['type']
  business_image_id: string | null
}

export async function unreadByInbox(db: Db, userId: string): Promise<UnreadMessages> {
  const self = sql`${userId}::uuid`
  const own = await sql<{ unread: number; requests: number }>`
    select ${ownUnread(self)} as unread, (
      select count(*)::int from (
        select from conversation_sides sides join conversations on conversations.id = sides.conversation_id
        where sides.user_id = ${self} and sides.is_request and sides.last_message_at is not null
        limit ${maxRequests}::int
      ) as requests) as requests`.execute(db)
  const inboxes = await sql<InboxRow>`
    select ${teamUnread(self)} as unread, businesses.id as business_id, businesses.slug as business_slug,
      businesses.name as business_name, businesses.type as business_type, ${businessPictureId} as business_image_id
    from business_members join businesses on businesses.id = business_members.business_id
    where ${memberships(self)}
    order by lower(businesses.name), businesses.id`.execute(db)
  const businesses = inboxes.rows.flatMap((row) => {
    const business = toBusinessByline(row)
    return business ? [{ business, count: row.unread }] : []
  })
  const { unread = 0, requests = 0 } = own.rows[0] ?? {}
  return { count: businesses.reduce((sum, { count }) => sum + count, unread), own: unread, requests, businesses }
}
