import type { Business } from '#contracts/businesses.ts'
import type { MergePreview } from '#contracts/merges.endpoints.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { getBusiness, loadSummaries, requireBusiness } from '#server/features/businesses/index.ts'
import { roleOf } from '#server/features/team/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { mergePage } from './merge-page.ts'
import { mergeMessages, mergePeople, mergeReviews } from './merge-people.ts'
import { type LockedPair, mergeTables, type Pair } from './merge-tables.ts'
import {
  closeCases,
  countMerge,
  findObstacle,
  lockMergingBusinesses,
  type MergingBusiness,
  mergingBusinesses,
  settleCorrections,
  wasMerged,
} from './merges.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>

/**
 * Merges a business into another one for good. Everything that people have at it moves, its address leads to the other one, and it is
 * deleted. Idempotent.
 * @param confirm throws if the reason for the merge no longer holds once both businesses are locked
 * @throws AppError not_found, forbidden, conflict with the reason if they can't be merged now
 */
export async function mergeBusinesses(
  ctx: Ctx,
  actor: Actor,
  fromIdOrSlug: string,
  intoIdOrSlug: string,
  confirm?: (tx: Tx, from: Locked<'businesses'>) => Promise<void>,
): Promise<Business> {
  const now = ctx.clock.now()
  const pair = await findPair(ctx.db, actor, fromIdOrSlug, intoIdOrSlug)
  await requireMerger(ctx.db, actor, pair)
  if (pair.fromId === pair.intoId) return mergedBefore(ctx.db, fromIdOrSlug, pair.intoId, now)
  const isMerged = await inTransaction(ctx.db, async (tx) => {
    const both = await lockMergingBusinesses(tx, pair)
    // Merged or hidden while this waited for the locks.
    if (!both) return false
    await confirm?.(tx, both.fromId)
    const as = await requireMerger(tx, actor, pair)
    const obstacle = await findObstacle(tx, both.from, both.into, now)
    if (obstacle !== null) throw new AppError('conflict', { message: obstacle })
    await merge(tx, ctx, both, { actorId: actor.id, as, now })
    return true
  })
  ctx.cache.invalidate('businesses')
  if (isMerged) return getBusiness(ctx.db, pair.intoId, now)
  const { id } = await requireBusiness(ctx.db, fromIdOrSlug, actor.id)
  return mergedBefore(ctx.db, fromIdOrSlug, id, now)
}

async function findPair(db: Db, actor: Actor, fromIdOrSlug: string, intoIdOrSlug: string): Promise<Pair> {
  const from = await requireBusiness(db, fromIdOrSlug, actor.id)
  const into = await requireBusiness(db, intoIdOrSlug, actor.id)
  return { fromId: from.id, intoId: into.id }
}

/** The answer to a merge that is done. @throws AppError conflict if it wasn't a merge, or into another business */
async function mergedBefore(db: Db, fromIdOrSlug: string, id: string, now: Date): Promise<Business> {
  if (!(await wasMerged(db, fromIdOrSlug))) throw new AppError('conflict', { message: 'Choose two different businesses.' })
  return getBusiness(db, id, now)
}

type Decision = { actorId: string; as: 'owner' | 'moderators'; now: Date }

async function merge(
  tx: Tx,
  ctx: Ctx,
  { from, into, ...pair }: { from: MergingBusiness; into: MergingBusiness } & LockedPair,
  decision: Decision,
): Promise<void> {
  const { actorId, now } = decision
  const settled = await settleCorrections(tx, pair, decision)
  await mergePeople(tx, pair)
  const superseded = await mergeReviews(tx, pair, now)
  await mergeMessages(tx, pair)
  await mergePage(tx, pair, now)
  await mergeTables(tx, pair)
  await closeCases(tx, from.id, actorId, now)
  await tx.deleteFrom('businesses').where('id', '=', from.id).execute()
  await tx
    .insertInto('business_redirects')
    .values({
      ...{ from_id: from.id, slug: from.slug, business_id: into.id, register_place: from.register_place },
      ...{ merged_by: actorId, created_at: now },
    })
    .execute()
  for (const correctionId of settled) await ctx.events.publish(tx, 'correction.settled', { correctionId })
  await recordAudit(tx, {
    ...{ at: now, actorId, action: 'business.merged', subjectType: 'business', subjectId: from.id, businessId: into.id },
    details: { as: decision.as, slug: from.slug, reviewsTakenOff: superseded.join(' ') },
  })
}

/** The owner of both, or a moderator who runs neither. @throws AppError forbidden */
async function requireMerger(db: Db, actor: Actor, { fromId, intoId }: Pair): Promise<Decision['as']> {
  const [from, into] = [await roleOf(db, fromId, actor.id), await roleOf(db, intoId, actor.id)]
  if (from === 'owner' && into === 'owner') return 'owner'
  if (!hasRole(actor, 'moderator')) {
    throw new AppError('forbidden', { message: 'Only moderators, or someone who owns both businesses, can merge them.' })
  }
  if (from !== null || into !== null)
    throw new AppError('forbidden', { message: 'You help run one of the two. Another moderator decides.' })
  return 'moderators'
}

/** @throws AppError not_found, forbidden */
export async function previewMerge(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  fromIdOrSlug: string,
  intoIdOrSlug: string,
): Promise<MergePreview> {
  const now = clock.now()
  const pair = await findPair(db, actor, fromIdOrSlug, intoIdOrSlug)
  await requireMerger(db, actor, pair)
  const both = await mergingBusinesses(db, pair)
  const summaries = await loadSummaries(db, [pair.fromId, pair.intoId], now)
  const from = summaries.find(({ id }) => id === pair.fromId)
  const into = summaries.find(({ id }) => id === pair.intoId)
  if (!both || !from || !into) throw notFound('Business not found.')
  const { losesMenu, ...counts } = await countMerge(db, pair)
  const isSame = pair.fromId === pair.intoId
  return {
    from,
    into,
    obstacle: isSame ? 'Choose two different businesses.' : await findObstacle(db, both.from, both.into, now),
    counts,
    losesMenu,
  }
}
