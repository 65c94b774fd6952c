import { sql } from 'kysely'
import type { UnreadMessages } from '#contracts/messages.ts'
import type { BusinessByline } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { toBusinessByline } from '#server/features/posts/index.ts'
import { isAlsoCustomer, sharesInbox } from './conversation.queries.ts'

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

/** Unread counts by inbox. */
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
