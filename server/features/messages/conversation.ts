import type { Conversation, Participant } from '#contracts/messages.endpoints.ts'
import type { Person } from '#contracts/people.ts'
import type { BusinessByline } from '#contracts/posts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { toPersonOrNull } from '#server/features/people/index.ts'
import { toBusinessByline } from '#server/features/posts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Clock } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { type ConversationRow, conversationRows } from './conversation.queries.ts'
import { type Sending, sendingOf } from './sending.ts'

export type ConversationView = {
  row: ConversationRow
  participant: Participant
  as: Conversation['as']
  sending: Sending
}

export async function loadConversations(db: Db, actor: Actor, ids: readonly string[], now: Date): Promise<Map<string, ConversationView>> {
  const rows = await conversationRows(db, actor.id, ids, now)
  return new Map(rows.map((row) => [row.id, toView(row, actor, now)]))
}

/** Every call about a conversation checks access here. @throws AppError not_found for everyone but its participants */
export async function requireConversation(db: Db, actor: Actor, conversationId: string, now: Date): Promise<ConversationView> {
  const conversation = (await loadConversations(db, actor, [conversationId], now)).get(conversationId)
  if (!conversation) throw notFound('Conversation not found.')
  return conversation
}

/**
 * Like `requireConversation`, but locks the conversation until the transaction ends, which serializes message numbers, and the actor's team
 * membership. Lock its rows in `conversation_sides` afterward.
 */
export async function lockConversation(
  tx: Tx,
  actor: Actor,
  conversationId: string,
  clock: Clock,
): Promise<{ conversation: ConversationView; now: Date }> {
  await tx.selectFrom('conversations').select('id').where('id', '=', conversationId).forNoKeyUpdate().execute()
  // Read the clock after locking; otherwise, a later message could have an earlier time.
  const now = clock.now()
  const conversation = await requireConversation(tx, actor, conversationId, now)
  if (conversation.row.business_id !== null && !conversation.row.is_self) {
    const member = await tx
      .selectFrom('business_members')
      .select('role')
      .where('business_id', '=', conversation.row.business_id)
      .where('user_id', '=', actor.id)
      .forShare()
      .executeTakeFirst()
    if (!member) throw notFound('Conversation not found.')
  }
  return { conversation, now }
}

function toView(row: ConversationRow, actor: Actor, now: Date): ConversationView {
  const business = toBusinessByline(row)
  const person = toPersonOrNull({ ...row, id: row.their_id })
  const between = business === null ? 'people' : row.is_self ? 'customer' : 'team'
  const end = between === 'customer' ? business : person
  const name = end?.name ?? goneName
  return {
    row,
    participant: between === 'customer' ? toParticipant(null, business) : toParticipant(person, null),
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

const goneName = 'Member'

export function toParticipant(person: Person | null, business: BusinessByline | null): Participant {
  if (business !== null) return { kind: 'business', business }
  return person === null ? { kind: 'gone', name: goneName } : { kind: 'person', person }
}

export const nameOf = (participant: Participant): string =>
  participant.kind === 'person' ? participant.person.name : participant.kind === 'business' ? participant.business.name : participant.name

export const isOpenRequest = ({ row }: ConversationView): boolean => row.is_request && row.accepted_at === null && row.declined_at === null
