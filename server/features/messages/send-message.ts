import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { sendMessage as contract, Message } from '#contracts/messages.endpoints.ts'
import type { Trust } from '#contracts/people.rules.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireReadyMedia } from '#server/features/media/index.ts'
import { lockPeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, invalidInput } from '#server/kernel/errors.ts'
import { type ConversationView, lockConversation, nameOf } from './conversation.ts'
import { signalPages } from './message-signals.ts'
import { insertMessage, type MessageRow, messageRow } from './messages.queries.ts'
import { toMessages } from './messages.view.ts'
import { requestIssues } from './sending.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** Includes requests; listeners must check which it is for the recipient. */
    'message.sent': { messageId: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'live' | 'log'>
type Input = Parsed<(typeof contract)['body']>

/** Unaccepted requests per person and day: people who message this many strangers aren't here to talk. */
const maxRequestsPerDay: Record<Trust, number> = { new: 5, known: 20, trusted: 50 }

/**
 * Sends a message. Idempotent by id: a retry returns the message already sent.
 * @throws AppError not_found, forbidden with the reason, invalid_input, too_many_requests, conflict if the ID is taken by another message
 */
export async function sendMessage(ctx: Ctx, actor: Actor, conversationId: string, input: Input): Promise<Message> {
  const { row, conversation, isNew } = await inTransaction(ctx.db, async (tx) => {
    const { conversation, now } = await lockConversation(tx, actor, conversationId, ctx.clock)
    const sent = await messageRow(tx, input.id)
    if (sent) {
      requireRepetition(sent, actor, conversation)
      return { row: sent, conversation, isNew: false }
    }
    await requireSendable(tx, actor, conversation, input, now)
    await requireReadyMedia(tx, actor.id, input.mediaIds, { kinds: ['image'] })
    const row = await store(tx, actor, conversation, input, now)
    await ctx.events.publish(tx, 'message.sent', { messageId: row.id })
    return { row, conversation, isNew: true }
  })
  // Runs after the commit, which releases the conversation's lock.
  if (isNew) await signalPages(ctx, conversation, 'both')
  return view(ctx.db, conversation, row)
}

function requireRepetition(sent: MessageRow, actor: Actor, { row }: ConversationView): void {
  if (sent.conversation_id === row.id && sent.sender_id === actor.id) return
  throw new AppError('conflict', { message: 'This ID is already used. Send the message with a new one.' })
}

async function requireSendable(tx: Tx, actor: Actor, conversation: ConversationView, input: Input, now: Date): Promise<void> {
  if (conversation.sending.refusal !== null) throw new AppError('forbidden', { message: conversation.sending.refusal })
  if (new Set(input.mediaIds).size < input.mediaIds.length) throw invalidField('mediaIds', 'Each photo only once')
  if (!conversation.sending.asRequest) return
  const issues = requestIssues(nameOf(conversation.participant), input)
  if (issues.length > 0) throw invalidInput(issues)
  // Otherwise concurrent requests would each find room.
  await lockPeople(tx, [actor.id])
  const requests = await countRows(
    tx
      .selectFrom('conversations')
      .where('started_by', '=', actor.id)
      .where('accepted_at', 'is', null)
      .where('last_message_at', '>', new Date(now.getTime() - dayMs)),
  )
  if (requests >= maxRequestsPerDay[actor.trust]) {
    throw new AppError('too_many_requests', {
      message: "You've messaged many people today who haven't replied yet. Try more of them tomorrow.",
      retryAfterSeconds: 3600,
    })
  }
}

async function store(tx: Tx, actor: Actor, conversation: ConversationView, input: Input, now: Date): Promise<MessageRow> {
  const { row, sending } = conversation
  // A business's first message waits for its customer like a request; any other message accepts.
  const isAccepted = row.accepted_at !== null || (!sending.asRequest && conversation.as.kind === 'self')
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
    is_from_business: conversation.as.kind === 'business',
    content: input.content,
    created_at: now,
  }
  await insertMessage(tx, { ...message, recipient_id: row.their_id, business_id: row.business_id }, input.mediaIds)
  await sql`
    update conversation_sides set
      last_message_at = ${now}::timestamptz,
      unread_count = unread_count + case when ${isOwn(conversation)} then 0 else 1 end,
      is_request = case when ${isOwn(conversation)} then false else ${sending.asRequest}::boolean end
    where conversation_id = ${row.id}::uuid`.execute(tx)
  return { ...message, moderation: null }
}

const isOwn = ({ row }: ConversationView) => (row.is_self ? sql`user_id is not distinct from ${row.self_id}::uuid` : sql`user_id is null`)

async function view(db: Db, conversation: ConversationView, row: MessageRow): Promise<Message> {
  const [message] = await toMessages(db, new Map([[conversation.row.id, conversation]]), [row])
  if (!message) throw new Error('a message is missing from its own conversation')
  return message
}
