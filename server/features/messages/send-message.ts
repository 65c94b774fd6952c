import { sql } from 'kysely'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { sendMessage as contract, Message } from '../../../contracts/messages.ts'
import type { Trust } from '../../../contracts/trust.ts'
import type { Db, Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, invalidInput } from '../../kernel/errors.ts'
import { requireReadyMedia } from '../media/index.ts'
import { lockPeople } from '../people/index.ts'
import { type Held, lockHeld, nameOf } from './held.ts'
import { insertMessage, type MessageRow, messageRow } from './messages.queries.ts'
import { toMessages } from './messages.view.ts'
import { requestIssues } from './sending.ts'
import { tellPages } from './tell-pages.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'live' | 'log'>
type Input = Parsed<(typeof contract)['body']>

/** Requests of one person a day that nobody has accepted: whoever writes to so many strangers is not here to talk. */
const mostRequestsOfDay: Record<Trust, number> = { new: 5, known: 20, trusted: 50 }

/**
 * Sends a message, or answers the one that was sent with this id.
 * @throws AppError not_found, forbidden with the reason, invalid_input, too_many_requests, conflict where another has the id
 */
export async function sendMessage(ctx: Ctx, actor: Actor, conversationId: string, input: Input): Promise<Message> {
  const { row, held, isNew } = await inTransaction(ctx.db, async (tx) => {
    const { held, now } = await lockHeld(tx, actor, conversationId, ctx.clock)
    const sent = await messageRow(tx, input.id)
    if (sent) {
      requireRepetition(sent, actor, held)
      return { row: sent, held, isNew: false }
    }
    await requireSendable(tx, actor, held, input, now)
    await requireReadyMedia(tx, actor.id, input.mediaIds, { kinds: ['image'] })
    const row = await store(tx, actor, held, input, now)
    await ctx.events.publish(tx, 'message.sent', { messageId: row.id })
    return { row, held, isNew: true }
  })
  // Only now: whoever writes next waits for the conversation.
  if (isNew) await tellPages(ctx, held, 'both')
  return view(ctx.db, held, row)
}

/** @throws AppError conflict */
function requireRepetition(sent: MessageRow, actor: Actor, { row }: Held): void {
  if (sent.conversation_id === row.id && sent.sender_id === actor.id) return
  throw new AppError('conflict', { message: 'This id is used already. Send the message with a new one.' })
}

/** @throws AppError forbidden, invalid_input, too_many_requests */
async function requireSendable(tx: Tx, actor: Actor, held: Held, input: Input, now: Date): Promise<void> {
  if (held.sending.whyNot !== null) throw new AppError('forbidden', { message: held.sending.whyNot })
  if (new Set(input.mediaIds).size < input.mediaIds.length) throw invalidField('mediaIds', 'Each photo only once')
  if (!held.sending.asRequest) return
  const issues = requestIssues(nameOf(held.with), input)
  if (issues.length > 0) throw invalidInput(issues)
  // Or many at one moment would each find that there is room.
  await lockPeople(tx, [actor.id])
  const { requests } = await tx
    .selectFrom('conversations')
    .select((eb) => eb.fn.countAll<number>().as('requests'))
    .where('started_by', '=', actor.id)
    .where('accepted_at', 'is', null)
    .where('last_message_at', '>', new Date(now.getTime() - 86_400_000))
    .executeTakeFirstOrThrow()
  if (requests >= mostRequestsOfDay[actor.trust]) {
    throw new AppError('too_many_requests', {
      message: 'You have written to many people today who have not answered yet. Write to more of them tomorrow.',
      retryAfterSeconds: 3600,
    })
  }
}

/** The message with its number, what it makes of the conversation, and what each side has of it. */
async function store(tx: Tx, actor: Actor, held: Held, input: Input, now: Date): Promise<MessageRow> {
  const { row, sending } = held
  // A business that writes first waits for its customer as one who asks does; all else is accepted by being said.
  const isAccepted = row.accepted_at !== null || (!sending.asRequest && held.as.kind === 'self')
  const { last_sequence: sequence } = await tx
    .updateTable('conversations')
    .set((eb) => ({
      last_sequence: eb('last_sequence', '+', 1),
      last_message_at: now,
      accepted_at: isAccepted ? (row.accepted_at ?? now) : null,
      ...(sending.asRequest ? { started_by: actor.id } : {}),
      ...(isAccepted || sending.asRequest ? { declined_at: null } : {}),
    }))
    .where('id', '=', row.id)
    .returning('last_sequence')
    .executeTakeFirstOrThrow()
  const message = {
    id: input.id,
    conversation_id: row.id,
    sequence,
    sender_id: actor.id,
    is_from_business: held.as.kind === 'business',
    content: input.content,
    created_at: now,
  }
  await insertMessage(tx, { ...message, recipient_id: row.their_id, business_id: row.business_id }, input.mediaIds)
  await sql`
    update conversation_sides set
      last_message_at = ${now}::timestamptz,
      unread_count = unread_count + case when ${isOwn(held)} then 0 else 1 end,
      is_request = case when ${isOwn(held)} then false else ${sending.asRequest}::boolean end
    where conversation_id = ${row.id}::uuid`.execute(tx)
  return { ...message, moderation: null }
}

const isOwn = ({ row }: Held) => (row.is_self ? sql`user_id is not distinct from ${row.self_id}::uuid` : sql`user_id is null`)

async function view(db: Db, held: Held, row: MessageRow): Promise<Message> {
  const [message] = await toMessages(db, new Map([[held.row.id, held]]), [row])
  if (!message) throw new Error('a message is not in its own conversation')
  return message
}
