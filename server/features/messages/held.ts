import type { Conversation, Party } from '../../../contracts/messages.ts'
import type { Person } from '../../../contracts/people.ts'
import type { BusinessByline } from '../../../contracts/posts.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import { notFound } from '../../kernel/errors.ts'
import { toPerson } from '../people/index.ts'
import { toBusinessByline } from '../posts/index.ts'
import { type HeldRow, heldRows } from './held.queries.ts'
import { type Sending, sendingOf } from './sending.ts'

/** A conversation in the hands of somebody who has it. */
export type Held = {
  row: HeldRow
  with: Party
  as: Conversation['as']
  sending: Sending
}

/** Those that the actor has, by id. */
export async function holdAll(db: Db, actor: Actor, ids: readonly string[], now: Date): Promise<Map<string, Held>> {
  const rows = await heldRows(db, actor.id, ids, now)
  return new Map(rows.map((row) => [row.id, toHeld(row, actor, now)]))
}

/** The gate of every call about a conversation. @throws AppError not_found for everybody who is on neither side */
export async function requireHeld(db: Db, actor: Actor, conversationId: string, now: Date): Promise<Held> {
  const held = (await holdAll(db, actor, [conversationId], now)).get(conversationId)
  if (!held) throw notFound('There is no such conversation.')
  return held
}

/**
 * The same, holding the conversation until the transaction ends: messages get their numbers one after the other. Its sides are locked
 * after it. One of a team stays in it for so long.
 * @throws AppError not_found
 */
export async function lockHeld(tx: Tx, actor: Actor, conversationId: string, clock: Clock): Promise<{ held: Held; now: Date }> {
  await tx.selectFrom('conversations').select('id').where('id', '=', conversationId).forNoKeyUpdate().execute()
  // Only now, or a later message could be older than the one before it.
  const now = clock.now()
  const held = await requireHeld(tx, actor, conversationId, now)
  if (held.row.business_id !== null && !held.row.is_self) {
    const member = await tx
      .selectFrom('business_members')
      .select('role')
      .where('business_id', '=', held.row.business_id)
      .where('user_id', '=', actor.id)
      .forShare()
      .executeTakeFirst()
    if (!member) throw notFound('There is no such conversation.')
  }
  return { held, now }
}

function toHeld(row: HeldRow, actor: Actor, now: Date): Held {
  const business = toBusinessByline(row)
  const person = row.their_id === null ? null : toPerson({ ...row, id: row.their_id })
  const between = business === null ? 'people' : row.is_self ? 'customer' : 'team'
  const end = between === 'customer' ? business : person
  const name = end?.name ?? goneName
  return {
    row,
    with: between === 'customer' ? partyOf(null, business) : partyOf(person, null),
    as: business !== null && !row.is_self ? { kind: 'business', business } : { kind: 'self' },
    sending: sendingOf(
      {
        between,
        name,
        isGone: end === null,
        isBarred: row.is_barred,
        hasBlocked: row.has_blocked,
        isBlocked: row.is_blocked,
        isSilenced: actor.mutedUntil !== null,
        acceptedAt: row.accepted_at,
        declinedAt: row.declined_at,
        lastMessageAt: row.conversation_last_message_at,
        requestOf: row.started_by === null ? null : row.started_by === actor.id ? 'own' : 'theirs',
        isFollowed: row.is_followed,
        takesFrom: row.takes_messages_from,
        isSubscriber: row.is_subscriber,
        hasDirectMessages: row.has_direct_messages,
        hasTeam: row.has_team,
      },
      now,
    ),
  }
}

/** What stands in the place of somebody whose account is gone. */
const goneName = 'Member'

export function partyOf(person: Person | null, business: BusinessByline | null): Party {
  if (business !== null) return { kind: 'business', business }
  return person === null ? { kind: 'gone', name: goneName } : { kind: 'person', person }
}

export const nameOf = (party: Party): string =>
  party.kind === 'person' ? party.person.name : party.kind === 'business' ? party.business.name : party.name

/** A request that waits for an answer of this side. */
export const isOpenRequest = ({ row }: Held): boolean => row.is_request && row.accepted_at === null && row.declined_at === null
