import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { Conversation, openConversation as contract } from '#contracts/messages.endpoints.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { requireVisiblePerson } from '#server/features/people/index.ts'
import { requirePermission, roleOf } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { newId } from '#server/kernel/ids.ts'
import { requireConversation } from './conversation.ts'
import { toConversation } from './messages.view.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Input = Parsed<(typeof contract)['body']>

/** Two people, smaller ID first, or a person and a business. */
type Pair = { personId: string; otherId: string | null; businessId: string | null }

/**
 * Returns the conversation between the two, or creates it if the actor may write. Sends nothing, and the other isn't notified.
 * @throws AppError not_found, forbidden with the reason for not being able to write
 */
export function openConversation(ctx: Ctx, actor: Actor, { to, as }: Input): Promise<Conversation> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const pair = to.kind === 'person' ? await pairWithPerson(tx, actor, to.id, as) : await pairWithBusiness(tx, actor, to.id, as)
    const existing = await findConversation(tx, pair)
    if (existing) return toConversation(await requireConversation(tx, actor, existing, now))
    // A block leaves an existing conversation in place, but prevents a new one.
    if (to.kind === 'person') await requireVisiblePerson(tx, actor.id, to.id)
    const conversation = await requireConversation(tx, actor, await makeConversation(tx, pair, now), now)
    if (conversation.sending.refusal !== null) throw new AppError('forbidden', { message: conversation.sending.refusal })
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
  if (personId === actor.id) throw new AppError('forbidden', { message: "You can't message yourself." })
  await requirePerson(tx, personId)
  const [first, second] = [actor.id, personId].sort() as [string, string]
  return { personId: first, otherId: second, businessId: null }
}

async function requirePerson(tx: Tx, personId: string): Promise<void> {
  const person = await tx.selectFrom('users').select('id').where('id', '=', personId).executeTakeFirst()
  if (!person) throw notFound("This person can't be found or isn't visible to you.")
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
