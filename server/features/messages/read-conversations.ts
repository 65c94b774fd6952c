import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Conversation, listConversations as contract } from '#contracts/messages.ts'
import type { Db } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { isAlsoCustomer, sharesInbox } from './conversation.queries.ts'
import { loadConversations, requireConversation } from './conversation.ts'
import { toConversation } from './conversations.view.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Query = Parsed<(typeof contract)['query']>

/** @throws AppError not_found */
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

/** An inbox the actor doesn't share looks like that of a missing business. @throws AppError not_found */
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
