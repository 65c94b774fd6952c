import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Conversation, sendMessage as contract, Message, openConversation as openContract } from '#contracts/messages.endpoints.ts'
import type { Trust } from '#contracts/people.rules.ts'
import { dayMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { countRows } from '#server/db/count-rows.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireReadyMedia } from '#server/features/media/index.ts'
import { lockPeople, requireVisiblePerson } from '#server/features/people/index.ts'
import { requirePermission, roleOf } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, invalidInput, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { type ConversationView, lockConversation, nameOf, requireConversation } from './conversation.ts'
import { signalPages } from './message-signals.ts'
import { insertMessage, type MessageRow, messageRow } from './messages.queries.ts'
import { toConversation, toMessages } from './messages.view.ts'
import { requestIssues, requireMaySend } from './sending.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** Includes requests; listeners must check whether the message is a request to the recipient. */
    'message.sent': { messageId: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'events' | 'live' | 'log'>
type Input = Parsed<(typeof contract)['body']>

/** Limits unaccepted requests per person per day to prevent spam. */
const maxRequestsPerDay: Record<Trust, number> = { new: 5, known: 20, trusted: 50 }

/**
 * Sends a message. Idempotent by ID: a retry returns the message already sent.
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
  requireMaySend(conversation.sending)
  if (new Set(input.mediaIds).size < input.mediaIds.length) throw invalidField('mediaIds', 'Add each photo only once')
  if (!conversation.sending.asRequest) return
  const issues = requestIssues(nameOf(conversation.participant), input)
  if (issues.length > 0) throw invalidInput(issues)
  // Without this lock, concurrent requests could exceed the limit together.
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
      message: 'You’ve messaged many people today who haven’t replied yet. You can message more people tomorrow.',
      retryAfterSeconds: 3600,
    })
  }
}

async function store(tx: Tx, actor: Actor, conversation: ConversationView, input: Input, now: Date): Promise<MessageRow> {
  const { row, sending } = conversation
  // A business's messages await its customer's first reply, like a request. Any other message accepts the conversation.
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

type OpeningCtx = Pick<Context, 'db' | 'clock'>
type Opening = Parsed<(typeof openContract)['body']>

/** Two people, smaller ID first, or a person and a business. */
type Pair = { personId: string; otherId: string | null; businessId: string | null }

/**
 * Returns the conversation between the two, or creates it if the actor may write. Doesn't notify the other participant.
 * @throws AppError not_found, forbidden with the reason if the actor may not write
 */
export function openConversation(ctx: OpeningCtx, actor: Actor, { to, as }: Opening): Promise<Conversation> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const pair = to.kind === 'person' ? await pairWithPerson(tx, actor, to.id, as) : await pairWithBusiness(tx, actor, to.id, as)
    const existing = await findConversation(tx, pair)
    if (existing) return toConversation(await requireConversation(tx, actor, existing, now))
    // A block leaves an existing conversation in place, but prevents a new one.
    if (to.kind === 'person') await requireVisiblePerson(tx, actor.id, to.id)
    const conversation = await requireConversation(tx, actor, await makeConversation(tx, pair, now), now)
    requireMaySend(conversation.sending)
    return toConversation(conversation)
  })
}

async function pairWithPerson(tx: Tx, actor: Actor, personId: string, as: string | null): Promise<Pair> {
  if (as !== null) {
    await requirePermission(tx, actor, as, 'messages', { lock: true })
    if (personId === actor.id) throw new AppError('forbidden', { message: 'You run this business yourself.' })
    await requirePerson(tx, personId)
    return { personId, otherId: null, businessId: as }
  }
  if (personId === actor.id) throw new AppError('forbidden', { message: 'You can’t message yourself.' })
  await requirePerson(tx, personId)
  const [first, second] = [actor.id, personId].sort() as [string, string]
  return { personId: first, otherId: second, businessId: null }
}

async function requirePerson(tx: Tx, personId: string): Promise<void> {
  const person = await tx.selectFrom('users').select('id').where('id', '=', personId).executeTakeFirst()
  if (!person) throw notFound('This person can’t be found or isn’t visible to you.')
}

async function pairWithBusiness(tx: Tx, actor: Actor, businessId: string, as: string | null): Promise<Pair> {
  if (as !== null) throw new AppError('forbidden', { message: 'A business can message people, not other businesses.' })
  const business = await tx.selectFrom('businesses').select('id').where('id', '=', businessId).executeTakeFirst()
  if (!business) throw notFound('Business not found.')
  const pair = { personId: actor.id, otherId: null, businessId }
  // Customers who joined the team later keep their conversation.
  if ((await roleOf(tx, businessId, actor.id)) !== null && !(await findConversation(tx, pair))) {
    throw new AppError('forbidden', { message: 'You run this business yourself.' })
  }
  return pair
}

async function findConversation(tx: Tx, { personId, otherId, businessId }: Pair): Promise<string | undefined> {
  const row = await tx
    .selectFrom('conversations')
    .select('id')
    .where('person_id', '=', personId)
    .$if(otherId !== null, (query) => query.where('other_id', '=', otherId))
    .$if(businessId !== null, (query) => query.where('business_id', '=', businessId))
    .executeTakeFirst()
  return row?.id
}

/** Concurrent calls get the same conversation. */
async function makeConversation(tx: Tx, pair: Pair, now: Date): Promise<string> {
  const added = await tx
    .insertInto('conversations')
    .values({ id: newId(), person_id: pair.personId, other_id: pair.otherId, business_id: pair.businessId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) {
    const found = await findConversation(tx, pair)
    if (!found) throw new Error('a conversation neither exists nor can be created')
    return found
  }
  await sql`
    insert into conversation_sides (conversation_id, user_id, business_id) values
      (${added.id}::uuid, ${pair.personId}::uuid, null),
      (${added.id}::uuid, ${pair.otherId}::uuid, ${pair.businessId}::uuid)`.execute(tx)
  return added.id
}
