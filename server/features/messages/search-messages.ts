import { type RawBuilder, sql } from 'kysely'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { searchMessages as contract, FoundMessage } from '../../../contracts/messages.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, encodeCursor, type Page } from '../../kernel/keyset.ts'
import { containsWord } from '../businesses/index.ts'
import { isDeletedFor } from './held.queries.ts'
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
  const rows = await lookAt(db, actor.id, inbox, words, { before: decodeCursor(cursor, ['time', 'id']), limit })
  const found = rows.filter((row) => row.fits)
  const held = await holdAll(db, actor, [...new Set(found.map((row) => row.conversation_id))], clock.now())
  const items = (await toMessages(db, held, found)).map((message) => ({
    message,
    with: (held.get(message.conversationId) as Held).with,
  }))
  const last = rows.at(-1)
  const isMore = last !== undefined && (last.seen >= mostLookedAt || found.length >= limit)
  return { items, nextCursor: isMore ? encodeCursor([last.created_at.toISOString(), last.id]) : null }
}

type Looked = MessageRow & {
  /** False for the last that was looked at, where it does not fit: the next page begins after it. */
  fits: boolean
  /** How many were looked at up to this one. */
  seen: number
}

/** What fits, and the last that was looked at. */
async function lookAt(
  db: Db,
  personId: string,
  inbox: string,
  words: readonly string[],
  { before, limit }: { before: readonly [createdAt: string, id: string] | null; limit: number },
): Promise<Looked[]> {
  const self = sql`${personId}::uuid`
  const isMine = inbox === 'me'
  const side = isMine ? sql`sides.user_id = ${self}` : sql`sides.business_id = ${inbox}::uuid`
  const holds = sql.join(
    words.map((word) => sql`${containsWord(sql<string>`lower(looked.content)`, word)}`),
    sql` and `,
  )
  const { rows } = await sql<Looked>`
    with looked as materialized (
      select *, row_number() over (order by created_at desc, id desc)::int as seen from (${newest(self, inbox, before)}) as mine
    ), judged as (
      select looked.*, ${holds} and (looked.moderation is null or (looked.moderation <> 'removed' and looked.is_own))
        and exists (select from conversation_sides sides
          where sides.conversation_id = looked.conversation_id and ${side} and sides.cleared_sequence < looked.sequence)
        ${
          isMine
            ? sql``
            : sql`and not exists (select from conversation_sides own
          where own.conversation_id = looked.conversation_id and own.user_id = ${self})`
        }
        and not ${isDeletedFor(sql`looked.id`, isMine ? self : sql`null::uuid`, isMine ? sql`null::uuid` : sql`${inbox}::uuid`)} as fits
      from looked
    )
    (select * from judged where fits order by seen limit ${limit}::int)
    union all
    (select * from judged where not fits and seen = ${mostLookedAt}::int
      and (select count(*) from (select from judged where fits limit ${limit}::int) as enough) < ${limit}::int)
    order by seen`.execute(db)
  return rows
}

/** The newest of an inbox, by its own index: of a person, what they sent and what they received, each read in its order. */
function newest(self: RawBuilder<unknown>, inbox: string, before: readonly [string, string] | null): RawBuilder<unknown> {
  const part = (where: RawBuilder<unknown>, isOwn: RawBuilder<unknown>) => sql`(
    select id, sequence, conversation_id, sender_id, is_from_business, content, moderation, created_at, ${isOwn} as is_own
    from messages
    where ${where} ${before === null ? sql`` : sql`and (created_at, id) < (${before[0]}::timestamptz, ${before[1]}::uuid)`}
    order by created_at desc, id desc limit ${mostLookedAt}::int)`
  const parts =
    inbox === 'me'
      ? sql`${part(sql`sender_id = ${self} and not is_from_business`, sql`true`)} union all ${part(sql`recipient_id = ${self}`, sql`false`)}`
      : part(sql`business_id = ${inbox}::uuid`, sql`is_from_business`)
  return sql`select * from (${parts}) as parts order by created_at desc, id desc limit ${mostLookedAt}::int`
}
