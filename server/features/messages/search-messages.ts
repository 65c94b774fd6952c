import { type RawBuilder, sql } from 'kysely'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { searchMessages as contract, FoundMessage } from '../../../contracts/messages.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, encodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { containsWord } from '../businesses/index.ts'
import { isAlsoCustomer, isDeletedFor } from './held.queries.ts'
import { type Held, holdAll } from './held.ts'
import type { MessageRow } from './messages.queries.ts'
import { toMessages } from './messages.view.ts'
import { requireInbox } from './read-conversations.ts'

type Query = Parsed<(typeof contract)['query']>

/** So many messages of an inbox are looked at for one page, whether they fit or not: nobody's search reads everything. */
const mostLookedAt = 5_000
const mostWords = 8

const wordsOf = (question: string): string[] => [...new Set(question.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, mostWords)

/**
 * Messages that one still has and that hold all these words, newest first. A page ends where it is full, or where so many were looked
 * at: then it may be short, or empty, and the next one goes on from there.
 * @throws AppError not_found for the inbox of a business that one does not share
 */
export async function searchMessages(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { inbox, q, limit, cursor }: Query,
): Promise<Page<FoundMessage>> {
  await requireInbox(db, actor, inbox)
  const words = wordsOf(q)
  if (words.length === 0) return { items: [], nextCursor: null }
  const of: Inbox = { personId: actor.id, businessId: inbox === 'me' ? null : inbox }
  const before = decodeCursor(cursor, ['time', 'id'])
  const last = await lastToLookAt(db, of, before)
  const found = toPage(await matches(db, of, words, { before, last, limit: limit + 1 }), limit, keyOf)
  const held = await holdAll(db, actor, [...new Set(found.items.map((row) => row.conversation_id))], clock.now())
  const items = (await toMessages(db, held, found.items)).map((message) => ({
    message,
    with: (held.get(message.conversationId) as Held).with,
  }))
  return { items, nextCursor: found.nextCursor ?? (last && encodeCursor(keyOf(last))) }
}

/** One's own, or that of a business. */
type Inbox = { personId: string; businessId: string | null }
type Key = { created_at: Date; id: string }
const keyOf = (row: Key) => [row.created_at.toISOString(), row.id] as const
type Before = readonly [createdAt: string, id: string] | null

/** Where a page ends that is not full before, or null where there is less. Read from the indexes alone. */
async function lastToLookAt(db: Db, inbox: Inbox, before: Before): Promise<Key | null> {
  const { rows } = await sql<Key>`
    select created_at, id from (${newest(inbox, { before, last: null }, sql`created_at, id`)}) as mine
    order by created_at desc, id desc offset ${mostLookedAt - 1}::int limit 1`.execute(db)
  return rows[0] ?? null
}

type Wanted = { before: Before; last: Key | null; limit: number }

async function matches(db: Db, inbox: Inbox, words: readonly string[], { before, last, limit }: Wanted): Promise<MessageRow[]> {
  const person = sql`${inbox.personId}::uuid`
  const [userId, businessId] = inbox.businessId === null ? [person, sql`null::uuid`] : [sql`null::uuid`, sql`${inbox.businessId}::uuid`]
  const isOfSide = inbox.businessId === null ? sql`sides.user_id = ${userId}` : sql`sides.business_id = ${businessId}`
  const isOwn = inbox.businessId === null ? sql`(mine.sender_id = ${person} and not mine.is_from_business)` : sql`mine.is_from_business`
  const holds = words.map((word) => sql`${containsWord(sql<string>`lower(mine.content)`, word)}`)
  const columns = sql`id, sequence, conversation_id, sender_id, is_from_business, content, moderation, created_at`
  const { rows } = await sql<MessageRow>`
    select mine.* from (${newest(inbox, { before, last }, columns)}) as mine
    where ${sql.join(holds, sql` and `)}
      and (mine.moderation is null or (mine.moderation <> 'removed' and ${isOwn}))
      and exists (select from conversation_sides sides
        where sides.conversation_id = mine.conversation_id and ${isOfSide} and sides.cleared_sequence < mine.sequence)
      ${inbox.businessId === null ? sql`` : sql`and not ${isAlsoCustomer(person, sql`mine.conversation_id`)}`}
      and not ${isDeletedFor(sql`mine.id`, userId, businessId)}
    order by mine.created_at desc, mine.id desc limit ${limit}::int`.execute(db)
  return rows
}

/** The newest of an inbox, each part by an index of its own in its order: of a person, what they sent and what they received. */
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
    order by created_at desc, id desc limit ${mostLookedAt}::int)`
  if (businessId !== null) return part(sql`business_id = ${businessId}::uuid`)
  const person = sql`${personId}::uuid`
  return sql`${part(sql`sender_id = ${person} and not is_from_business`)} union all ${part(sql`recipient_id = ${person}`)}`
}
