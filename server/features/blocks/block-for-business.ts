import { sql } from 'kysely'
import type { Person } from '../../../contracts/people.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { lockSubscriberCount } from '../businesses/index.ts'
import { endRsvpsWith } from '../events/index.ts'
import { removeBusinessFollow } from '../follows/index.ts'
import { bylineColumns, lockPeople, toPerson } from '../people/index.ts'
import { endSubscription } from '../subscriptions/index.ts'
import { requirePermission, roleOf } from '../team/index.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>

/**
 * Blocks a person in a business's name or ends that; where it is so already, nothing changes. They cannot write to it, comment under
 * its posts, follow it or subscribe: a subscription ends, and what is paid for it, and they see no events of it. What they wrote stays, and they may review it: else
 * a business could choose its critics.
 * @throws AppError not_found, forbidden, conflict for one of its own team
 */
export async function changeBlockForBusiness(ctx: Ctx, actor: Actor, idOrSlug: string, personId: string, isBlocked: boolean) {
  const { id: businessId } = await requirePermission(ctx.db, actor, idOrSlug, 'blocks')
  const wasSubscribed = await inTransaction(ctx.db, async (tx) => {
    const subscriberCount = (await lockSubscriberCount(tx, businessId)) ?? 0
    const people = await lockPeople(tx, [personId])
    await requirePermission(tx, actor, businessId, 'blocks', { lock: true })
    if (!isBlocked) {
      await tx.deleteFrom('business_person_blocks').where('business_id', '=', businessId).where('person_id', '=', personId).execute()
      return false
    }
    if (!people.has(personId)) throw notFound('There is no such person.')
    if ((await roleOf(tx, businessId, personId)) !== null) {
      throw new AppError('conflict', { message: 'This person is on your team. Remove them from the team first.' })
    }
    await tx
      .insertInto('business_person_blocks')
      .values({ business_id: businessId, person_id: personId, blocked_by: actor.id, created_at: ctx.clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const ended = await endSubscription(ctx, tx, { userId: personId, businessId, subscriberCount })
    await removeBusinessFollow(tx, personId, businessId)
    await endRsvpsWith(tx, personId, businessId)
    return ended !== null
  })
  if (wasSubscribed) ctx.cache.invalidate('businesses')
  return { id: personId, isBlocked }
}

/** Whom a business has blocked, newest first. @throws AppError not_found, forbidden */
export async function listBlockedByBusiness(
  db: Db,
  actor: Actor,
  idOrSlug: string,
  page: { limit: number; cursor?: string | undefined },
): Promise<Page<Person>> {
  const { id } = await requirePermission(db, actor, idOrSlug, 'blocks')
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('business_person_blocks')
    .innerJoin('users', 'users.id', 'person_id')
    .select([...bylineColumns, 'business_person_blocks.created_at'])
    .where('business_id', '=', id)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(business_person_blocks.created_at, person_id) < (${after?.[0]}::timestamptz, ${after?.[1]}::uuid)`),
    )
    .orderBy('business_person_blocks.created_at', 'desc')
    .orderBy('person_id', 'desc')
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: items.map(toPerson), nextCursor }
}
