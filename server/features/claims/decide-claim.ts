import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { recordAudit } from '../audit/index.ts'
import { lockBusiness } from '../businesses/index.ts'
import { syncMediaUses } from '../media/index.ts'
import { roleOf } from '../team/index.ts'
import { type ClaimRow, claimRow, lockClaim, over } from './claims.queries.ts'
import { grantClaim } from './grant-claim.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'jobs'>

/** A moderator decides. Approving what is approved changes nothing. @throws AppError not_found, forbidden, conflict */
export async function approveClaim(ctx: Ctx, actor: Actor, claimId: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { business, claim } = await lockForDecision(tx, actor, claimId)
    if (claim.status === 'approved') return
    if (claim.verification_id !== null) {
      throw new AppError('conflict', {
        message: 'Only the code proves a license. Read it out to the person who answers at the listed number.',
      })
    }
    requireOpen(claim)
    await grantClaim(tx, ctx, { business, claim, decidedBy: actor.id, now })
  })
  ctx.cache.invalidate('businesses')
}

/** The claimant is told the reason. Rejecting what is rejected changes nothing. @throws AppError not_found, forbidden, conflict */
export async function rejectClaim(ctx: Ctx, actor: Actor, claimId: string, reason: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const { business, claim } = await lockForDecision(tx, actor, claimId)
    if (claim.status === 'rejected') return
    requireOpen(claim)
    await tx
      .updateTable('claims')
      .set({ ...over, status: 'rejected', reason, decided_by: actor.id, decided_at: now })
      .where('id', '=', claimId)
      .execute()
    await syncMediaUses(tx, 'claim', [claimId])
    await ctx.jobs.enqueue('claims.mail-outcome', { claimId }, { tx })
    const entry = {
      actorId: actor.id,
      action: 'claim.rejected',
      subjectType: 'claim',
      subjectId: claimId,
      businessId: business.id,
    } as const
    await recordAudit(tx, { ...entry, at: now, details: { method: claim.method, claimant: claim.user_id } })
  })
}

async function lockForDecision(tx: Tx, actor: Actor, claimId: string) {
  const found = await claimRow(tx, claimId)
  // One that its mailed code decides is nobody else's business.
  if (!found || found.method === 'email') throw notFound('There is no such claim.')
  if (found.user_id === actor.id) throw new AppError('forbidden', { message: 'You cannot decide on your own claim.' })
  const business = await lockBusiness(tx, found.business_id)
  if (!business) throw notFound('There is no such claim.')
  if ((await roleOf(tx, business.id, actor.id)) !== null) {
    throw new AppError('forbidden', { message: 'You are in the team of this business: somebody else must decide.' })
  }
  return { business, claim: await lockClaim(tx, claimId) }
}

function requireOpen({ status }: Pick<ClaimRow, 'status'>): void {
  if (status !== 'open') throw new AppError('conflict', { message: 'This claim is over already.' })
}
