import type { Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { completeOnboardingAsBusiness } from '../accounts/index.ts'
import { recordAudit } from '../audit/index.ts'
import { type lockBusiness, setClaimed } from '../businesses/index.ts'
import { syncMediaUses } from '../media/index.ts'
import { addOwner, dissolveTeam, ownerOf } from '../team/index.ts'
import { endTeamRequests, verifyByCode } from '../verification/index.ts'
import { type ClaimRow, over } from './claims.queries.ts'

type Business = NonNullable<Awaited<ReturnType<typeof lockBusiness>>>

/**
 * Makes the claimant the owner. Every other open claim of the business ends. A dispute that is granted ends the whole team that was
 * there, with what it asked for: it came in by whoever the business does not belong to. The business and the claim are locked by the
 * caller, and the claim is open.
 * @throws AppError conflict when somebody owns it and this is no dispute, or the claimant owns too many
 */
export async function grantClaim(
  tx: Tx,
  ctx: Pick<Context, 'jobs'>,
  { business, claim, decidedBy, now }: { business: Business; claim: ClaimRow; decidedBy: string | null; now: Date },
): Promise<void> {
  const owner = await ownerOf(tx, business.id)
  if (owner !== null && !claim.is_dispute) throw new AppError('conflict', { message: 'Somebody else claimed this business meanwhile.' })
  const former = claim.is_dispute ? await dissolveTeam(tx, business.id, now) : []
  const entries = claim.is_dispute ? await endTeamRequests(tx, business.id, decidedBy, now) : []
  await addOwner(tx, { businessId: business.id, userId: claim.user_id, now })
  await setClaimed(tx, business.id, now)
  await tx
    .updateTable('claims')
    .set({ ...over, status: 'approved', decided_by: decidedBy, decided_at: now })
    .where('id', '=', claim.id)
    .execute()
  const others = await tx
    .updateTable('claims')
    .set({ ...over, status: 'closed', closed_because: 'claimed', decided_at: now })
    .where('business_id', '=', business.id)
    .where('status', '=', 'open')
    .where('verification_id', 'is', null)
    .returning('id')
    .execute()
  const ended = [claim.id, ...others.map(({ id }) => id)]
  await syncMediaUses(tx, 'claim', ended)
  await completeOnboardingAsBusiness(tx, claim.user_id, business.type, now)
  for (const id of ended) await ctx.jobs.enqueue('claims.mail-outcome', { claimId: id }, { tx })
  for (const userId of former) {
    if (userId !== claim.user_id) await ctx.jobs.enqueue('claims.mail-lost', { businessId: business.id, userId }, { tx })
  }
  for (const entry of entries) await recordAudit(tx, entry)
  await recordAudit(tx, {
    at: now,
    actorId: decidedBy ?? claim.user_id,
    action: 'claim.approved',
    subjectType: 'claim',
    subjectId: claim.id,
    businessId: business.id,
    details: { method: claim.method, owner: claim.user_id, ownerBefore: owner, closedOthers: others.length, formerTeam: former.length },
  })
}

/**
 * The code of a license arrived at the contact that the register lists: the license is verified. The caller has locked the business and
 * the claim, and the claim is open.
 * @throws AppError forbidden, conflict where the request is over or the register says otherwise now
 */
export async function grantProof(
  tx: Tx,
  ctx: Pick<Context, 'events'>,
  actor: Actor,
  { claim, verificationId, now }: { claim: ClaimRow; verificationId: string; now: Date },
): Promise<void> {
  await tx.updateTable('claims').set({ status: 'approved', decided_at: now }).where('id', '=', claim.id).execute()
  const verified = await verifyByCode(tx, ctx, actor, { verificationId, now })
  await recordAudit(tx, {
    at: now,
    actorId: actor.id,
    action: 'claim.approved',
    subjectType: 'claim',
    subjectId: claim.id,
    businessId: claim.business_id,
    details: { method: claim.method, verification: verificationId },
  })
  await recordAudit(tx, verified)
}
