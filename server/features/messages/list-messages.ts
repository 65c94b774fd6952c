import type { Parsed } from '#contracts/endpoint.ts'
import type { listMessages as contract, Message } from '#contracts/messages.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { requireConversation } from './conversation.ts'
import { messageRows } from './messages.queries.ts'
import { toMessages } from './messages.view.ts'

type Query = Parsed<(typeof contract)['query']>

/**
 * The messages the actor has in a conversation, newest first; with `after`, those after that one, oldest first. Sequence numbers
 * become visible in order, so a client that has caught up to one has everything before it.
 * @throws AppError not_found
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
