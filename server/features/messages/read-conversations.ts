import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Conversation, listConversations as contract, UnreadMessages } from '#contracts/messages.endpoints.ts'
import type { BusinessByline } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { toBusinessByline } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { isAlsoCustomer, sharesInbox } from './conversation.queries.ts'
import { loadConversations, requireConversation } from './conversation.ts'
import { toConversation } from './messages.view.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Query = Parsed<(typeof contract)['query']>

export async function getConversation({ db, clock }: Ctx, actor: Actor, id: string): Promise<Conversation> {
  return toConversation(await requireConversation(db, actor, id, clock.now()))
}

/** Most recent message first. @throws AppError not_found for a business inbox the actor doesn't share */
export async function listConversations({ db, clock }: Ctx, actor: Actor, query: Query): Promise<Page<Conversation>> {
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

/** An inbox the actor doesn't share looks like that of a missing business. */
export async function requireInbox(db: Db, actor: Actor, inbox: string): Promise<void> {
  if (inbox === 'me') return
  const { rows } = await sql<{ shares: boolean }>`select ${sharesInbox(sql`${actor.id}::uuid`, sql`${inbox}::uuid`)} as shares`.execute(db)
  if (!rows[0]?.shares) throw notFound('Inbox not found.')
}

type Key = { id: string; last_message_at: Date }

async function keysOfInbox(
  db: Db,
  personId: string,
  { inbox, requests, limit }: Query,
  after: readonly [lastMessageAt: string, id: string] | null,
): Promise<Key[]> {
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
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(sides.last_message_at, sides.conversation_id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('sides.last_message_at', 'desc')
    .orderBy('sides.conversation_id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Scan limit: the header shows at most 99 anyway, so beyond it the count is a lower bound. */
const maxConversations = 1_000
const maxRequests = 100

const unreadOf = (isOfInbox: ReturnType<typeof sql>) => sql<number>`coalesce((
  select sum(unread_count)::int from (
    select sides.unread_count from conversation_sides sides
    where ${isOfInbox} and not sides.is_request and sides.unread_count > 0 and sides.muted_at is null
    limit ${maxConversations}::int
  ) as unread), 0)`

const ownUnread = (self: ReturnType<typeof sql>) => unreadOf(sql`sides.user_id = ${self}`)

/** Correlated to a row of `business_members`. */
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
      businesses.name as business_name, businesses.type as business_type, businesses.image_id as business_image_id
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
