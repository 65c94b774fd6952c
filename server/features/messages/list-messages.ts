import type { Parsed } from '../../../contracts/endpoint.ts'
import type { listMessages as contract, Message } from '../../../contracts/messages.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requireHeld } from './held.ts'
import { messageRows } from './messages.queries.ts'
import { toMessages } from './messages.view.ts'

type Query = Parsed<(typeof contract)['query']>

/**
 * What one still has of a conversation, the newest first; with `after`, what came after that one, the oldest first. Numbers become
 * visible in their order: whoever has caught up to one has all before it.
 * @throws AppError not_found
 */
export async function listMessages({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, conversationId: string, query: Query) {
  const held = await requireHeld(db, actor, conversationId, clock.now())
  const cursor = decodeCursor(query.cursor, ['integer'])?.[0] ?? null
  const limit = query.limit + 1
  const rows = await messageRows(
    db,
    held,
    query.after === undefined ? { before: cursor, limit } : { after: Math.max(query.after, cursor ?? 0), limit },
  )
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.sequence])
  const page: Page<Message> = { items: await toMessages(db, new Map([[conversationId, held]]), items), nextCursor }
  return page
}
