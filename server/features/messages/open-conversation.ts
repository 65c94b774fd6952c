import { sql } from 'kysely'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { Conversation, openConversation as contract } from '../../../contracts/messages.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { requireVisiblePerson } from '../people/index.ts'
import { requirePermission, roleOf } from '../team/index.ts'
import { toConversation } from './conversations.view.ts'
import { requireHeld } from './held.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type Input = Parsed<(typeof contract)['body']>

/** Between whom: two people, the smaller id first, or one and a business. */
type Ends = { personId: string; otherId: string | null; businessId: string | null }

/**
 * The one conversation of the two, made where there is none and one may write there. Nothing is sent, and the other learns nothing.
 * @throws AppError not_found, forbidden with the reason why one may not write
 */
export function openConversation(ctx: Ctx, actor: Actor, { to, as }: Input): Promise<Conversation> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const ends = to.kind === 'person' ? await endsWithPerson(tx, actor, to.id, as) : await endsWithBusiness(tx, actor, to.id, as)
    const existing = await findConversation(tx, ends)
    if (existing) return toConversation(await requireHeld(tx, actor, existing, now))
    // To whom there is a conversation, one keeps it through a block. Anew, they are not there.
    if (to.kind === 'person') await requireVisiblePerson(tx, actor.id, to.id)
    const held = await requireHeld(tx, actor, await makeConversation(tx, ends, now), now)
    if (held.sending.whyNot !== null) throw new AppError('forbidden', { message: held.sending.whyNot })
    return toConversation(held)
  })
}

async function endsWithPerson(tx: Tx, actor: Actor, personId: string, as: string | null): Promise<Ends> {
  if (as !== null) {
    await requirePermission(tx, actor, as, 'messages', { lock: true })
    if (personId === actor.id) throw new AppError('forbidden', { message: 'You run this business yourself.' })
    await requirePerson(tx, personId)
    return { personId, otherId: null, businessId: as }
  }
  if (personId === actor.id) throw new AppError('forbidden', { message: 'You cannot write to yourself.' })
  await requirePerson(tx, personId)
  const [first, second] = [actor.id, personId].sort() as [string, string]
  return { personId: first, otherId: second, businessId: null }
}

async function requirePerson(tx: Tx, personId: string): Promise<void> {
  const person = await tx.selectFrom('users').select('id').where('id', '=', personId).executeTakeFirst()
  if (!person) throw notFound('This person is not here, or not visible to you.')
}

async function endsWithBusiness(tx: Tx, actor: Actor, businessId: string, as: string | null): Promise<Ends> {
  if (as !== null) throw new AppError('forbidden', { message: 'A business writes to people, not to other businesses.' })
  const business = await tx.selectFrom('businesses').select('id').where('id', '=', businessId).executeTakeFirst()
  if (!business) throw notFound('Business not found.')
  const ends = { personId: actor.id, otherId: null, businessId }
  // Whoever came to run it keeps what they wrote as a customer.
  if ((await roleOf(tx, businessId, actor.id)) !== null && !(await findConversation(tx, ends))) {
    throw new AppError('forbidden', { message: 'You run this business yourself.' })
  }
  return ends
}

async function findConversation(tx: Tx, { personId, otherId, businessId }: Ends): Promise<string | undefined> {
  const row = await tx
    .selectFrom('conversations')
    .select('id')
    .where('person_id', '=', personId)
    .$if(otherId !== null, (query) => query.where('other_id', '=', otherId))
    .$if(businessId !== null, (query) => query.where('business_id', '=', businessId))
    .executeTakeFirst()
  return row?.id
}

/** Two who open it at one moment get the same. */
async function makeConversation(tx: Tx, ends: Ends, now: Date): Promise<string> {
  const added = await tx
    .insertInto('conversations')
    .values({ id: newId(), person_id: ends.personId, other_id: ends.otherId, business_id: ends.businessId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) {
    const found = await findConversation(tx, ends)
    if (!found) throw new Error('a conversation is neither there nor can it be made')
    return found
  }
  await sql`
    insert into conversation_sides (conversation_id, user_id, business_id) values
      (${added.id}::uuid, ${ends.personId}::uuid, null),
      (${added.id}::uuid, ${ends.otherId}::uuid, ${ends.businessId}::uuid)`.execute(tx)
  return added.id
}
