import { type Claim, codeAttempts } from '../../../contracts/claims.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField, notFound } from '../../kernel/errors.ts'
import { limitByRecipient } from '../../kernel/limit-by-recipient.ts'
import { recordAudit } from '../audit/index.ts'
import { lockBusiness } from '../businesses/index.ts'
import { verificationRow } from '../verification/index.ts'
import { type ClaimRow, claimRow, closeClaim, lockClaim } from './claims.queries.ts'
import { isCodeExpired, mostMails, toClaim } from './claims.view.ts'
import { isCodeOf } from './codes.ts'
import { grantClaim, grantProof } from './grant-claim.ts'
import { mailedCodeEnd } from './open-claim.ts'

const closedMessages: Record<NonNullable<ClaimRow['closed_because']>, string> = {
  attempts: 'The code was wrong five times, so this claim is closed. Begin again, or ask for a review.',
  expired: 'The time for this code is over, and the claim is closed. Begin again.',
  claimed: 'Somebody else claimed this business meanwhile. If it is yours, ask us to look into it.',
  withdrawn: 'This claim was given up. Begin again.',
}

/** @throws AppError conflict unless codes are still taken */
function requireOpen({ status, closed_because }: ClaimRow): void {
  if (status === 'open') return
  const message = closed_because ? closedMessages[closed_because] : 'This claim was decided already.'
  throw new AppError('conflict', { message })
}

/**
 * Takes one guess. The right code grants the claim, or verifies the license. Five wrong ones close it, however many come at once.
 * @throws AppError not_found unless it is one's own, invalid_input for a wrong code, conflict when the claim is over
 */
export async function enterCode(
  ctx: Pick<Context, 'db' | 'clock' | 'cache' | 'config' | 'jobs' | 'events'>,
  actor: Actor,
  claimId: string,
  code: string,
): Promise<Claim> {
  const now = ctx.clock.now()
  const { businessId } = await ownClaim(ctx, actor, claimId)
  const outcome = await inTransaction(ctx.db, async (tx) => {
    const business = await lockBusiness(tx, businessId)
    if (!business) throw notFound()
    const claim = await lockClaim(tx, claimId)
    if (claim.status === 'approved') return 'right'
    requireOpen(claim)
    if (claim.method === 'review') throw new AppError('conflict', { message: 'This claim waits for our decision: there is no code.' })
    if (isCodeExpired(claim, now)) {
      // Another code can be mailed; a call takes a new claim.
      if (claim.method === 'phone') await closeClaim(tx, claimId, 'expired', now)
      return 'expired'
    }
    if (isCodeOf(ctx.config.sessionSecret, claim, code)) {
      if (claim.verification_id === null) await grantClaim(tx, ctx, { business, claim, decidedBy: null, now })
      else await grantProof(tx, ctx, actor, { claim, verificationId: claim.verification_id, now })
      return 'right'
    }
    const attempts = claim.attempts + 1
    await tx.updateTable('claims').set({ attempts }).where('id', '=', claimId).execute()
    if (attempts < codeAttempts) return { left: codeAttempts - attempts }
    await closeClaim(tx, claimId, 'attempts', now)
    const entry = { actorId: actor.id, action: 'claim.closed', subjectType: 'claim', subjectId: claimId, businessId } as const
    await recordAudit(tx, { ...entry, at: now, details: { because: 'attempts' } })
    return 'closed'
  })
  // What a wrong guess costs is written: the refusal must not undo it.
  if (outcome === 'expired') throw new AppError('conflict', { message: 'The time for this code is over. Ask for another one.' })
  if (outcome === 'closed') throw new AppError('conflict', { message: closedMessages.attempts })
  if (outcome !== 'right') {
    throw invalidField('code', `This is not the code. ${outcome.left === 1 ? 'One try is' : `${outcome.left} tries are`} left.`)
  }
  ctx.cache.invalidate('businesses')
  return toClaim((await claimRow(ctx.db, claimId)) as ClaimRow, now)
}

/** Mails another code; the tries that were used stay used. @throws AppError not_found, conflict, too_many_requests */
export async function resendCode(
  ctx: Pick<Context, 'db' | 'clock' | 'jobs' | 'rateLimiter'>,
  actor: Actor,
  claimId: string,
): Promise<Claim> {
  const now = ctx.clock.now()
  const { email } = await ownClaim(ctx, actor, claimId)
  if (email !== null) await limitByRecipient(ctx.rateLimiter, 'claim', email)
  return inTransaction(ctx.db, async (tx) => {
    const claim = await lockClaim(tx, claimId)
    requireOpen(claim)
    if (claim.verification_id !== null && (await verificationRow(tx, claim.verification_id))?.status !== 'pending') {
      throw new AppError('conflict', { message: 'This request is over. Send a new one.' })
    }
    if (claim.method !== 'email' || claim.email === null) throw new AppError('conflict', { message: 'For this claim no code is mailed.' })
    if (claim.code_number >= mostMails) {
      throw new AppError('conflict', { message: 'Three codes were mailed. If none arrives, check the address or choose another way.' })
    }
    await tx
      .updateTable('claims')
      .set({ code_number: claim.code_number + 1, code_expires_at: mailedCodeEnd(now) })
      .where('id', '=', claimId)
      .execute()
    await ctx.jobs.enqueue('claims.mail-code', { claimId }, { tx })
    return toClaim(await lockClaim(tx, claimId), now)
  })
}

/** Giving up what is over already changes nothing. @throws AppError not_found */
export async function withdrawClaim(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, claimId: string): Promise<void> {
  const now = ctx.clock.now()
  const { businessId } = await ownClaim(ctx, actor, claimId)
  await inTransaction(ctx.db, async (tx) => {
    const claim = await lockClaim(tx, claimId)
    if (claim.status !== 'open') return
    await closeClaim(tx, claimId, 'withdrawn', now)
    const entry = { actorId: actor.id, action: 'claim.closed', subjectType: 'claim', subjectId: claimId, businessId } as const
    await recordAudit(tx, { ...entry, at: now, details: { because: 'withdrawn' } })
  })
}

/** @throws AppError not_found */
async function ownClaim(
  { db }: Pick<Context, 'db'>,
  actor: Pick<Actor, 'id'>,
  id: string,
): Promise<{ businessId: string; email: string | null }> {
  const claim = await claimRow(db, id)
  if (claim?.user_id !== actor.id) throw notFound('There is no such claim.')
  return { businessId: claim.business_id, email: claim.email }
}
