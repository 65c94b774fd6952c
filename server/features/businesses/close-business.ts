import { sql } from 'kysely'
import type { Business, NewClosure } from '#contracts/businesses.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField } from '#server/kernel/errors.ts'
import { markForSearch } from '#server/kernel/search.ts'
import { guessTimeZone, localTime } from '#server/kernel/time-zones.ts'
import { lockFacts } from './correct-listing.ts'
import { getBusiness } from './read-businesses.ts'

declare module '#server/kernel/events.ts' {
  interface EventData {
    /** The business was closed for good by its owner or a correction, or another was merged into it after it closed for good. */
    'business.closed': { businessId: string }
  }
}

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>

/**
 * Closes a business as its owner. Its page remains, but it disappears from lists and maps, and no one can subscribe to it. If
 * it closes for good, paid subscriptions are canceled; they last until the paid period ends.
 * @throws AppError not_found, forbidden, invalid_input about `reopensOn`
 */
export function closeBusiness(ctx: Ctx, actor: Actor, idOrSlug: string, { kind, reopensOn }: NewClosure): Promise<Business> {
  const now = ctx.clock.now()
  if (reopensOn !== null && kind === 'permanent') throw invalidField('reopensOn', 'Only a temporary closure can have a reopening day')
  return setClosure(ctx, actor, idOrSlug, async (tx, before) => {
    if (before.closure === kind && before.closed_by === 'owner' && before.reopens_on === reopensOn) return null
    if (reopensOn !== null && reopensOn <= (await todayAt(tx, before, now))) throw invalidField('reopensOn', 'Choose a day in the future')
    if (kind === 'permanent') await ctx.events.publish(tx, 'business.closed', { businessId: before.id })
    // Changing the reopening day doesn't change when the business closed.
    const closed_at = before.closure === kind ? before.closed_at : now
    return { action: 'business.closed', columns: { closure: kind, closed_at, closed_by: 'owner', reopens_on: reopensOn } }
  })
}

/** @throws AppError not_found, forbidden */
export const reopenBusiness = (ctx: Ctx, actor: Actor, idOrSlug: string): Promise<Business> =>
  setClosure(ctx, actor, idOrSlug, async (_tx, { closure }) =>
    closure === null
      ? null
      : { action: 'business.reopened', columns: { closure: null, closed_at: null, closed_by: null, reopens_on: null } },
  )

/** The date at the main location. */
async function todayAt(tx: Tx, business: Locked, now: Date): Promise<string> {
  const main = await tx.selectFrom('locations').select('time_zone').where('id', '=', business.id).executeTakeFirst()
  return localTime(main?.time_zone ?? guessTimeZone(business), now).date
}

type Locked = Awaited<ReturnType<typeof lockFacts>>
type Change = {
  action: 'business.closed' | 'business.reopened'
  columns: { [Name in 'closure' | 'closed_at' | 'closed_by' | 'reopens_on']: Locked[Name] }
}

/** `decide` returns null if nothing changes. */
async function setClosure(
  ctx: Ctx,
  actor: Actor,
  idOrSlug: string,
  decide: (tx: Tx, before: Locked) => Promise<Change | null>,
): Promise<Business> {
  const now = ctx.clock.now()
  const { id } = await requirePermission(ctx.db, actor, idOrSlug, 'closing')
  const answer = await inTransaction(ctx.db, async (tx) => {
    const before = await lockFacts(tx, id)
    await requirePermission(tx, actor, id, 'closing', { lock: true })
    const change = await decide(tx, before)
    if (change === null) return getBusiness(tx, id, now)
    await tx
      .updateTable('businesses')
      .set({ ...change.columns, updated_at: now })
      .where('id', '=', id)
      .execute()
    await markForSearch(tx, 'business', [id])
    const business = await getBusiness(tx, id, now)
    const { closure } = change.columns
    await recordAudit(tx, {
      ...{ at: now, actorId: actor.id, action: change.action, subjectType: 'business', subjectId: id, businessId: id },
      ...(closure && { details: { kind: closure } }),
    })
    return business
  })
  ctx.cache.invalidate('businesses')
  return answer
}

/** @throws AppError conflict if the business is closed */
export async function requireInBusiness(db: Db, businessId: string): Promise<void> {
  const { rows } = await sql`select from businesses where id = ${businessId}::uuid and closure is not null`.execute(db)
  if (rows.length > 0) throw new AppError('conflict', { message: 'This business is closed, so it isn’t taking new subscriptions.' })
}
