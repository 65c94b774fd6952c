import { createHmac, timingSafeEqual } from 'node:crypto'
import { type Claim, codeAttempts } from '#contracts/claims.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness } from '#server/features/businesses/index.ts'
import { verificationRow } from '#server/features/verification/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, invalidField, notFound } from '#server/kernel/errors.ts'
import { limitByRecipient } from '#server/kernel/rate-limit.ts'
import { type ClaimRow, claimRow, closeClaim, lockClaim, lockClaimOf } from './claims.queries.ts'
import { grantClaim, grantProof } from './decide-claim.ts'
import { isCodeExpired, mailedCodeEnd, maxMails, toClaim } from './open-claim.ts'

type Reasons = Record<NonNullable<ClaimRow['closed_because']>, string>

const closedClaims: Reasons = {
  attempts: 'The code was wrong five times, so this claim is closed. Start again, or ask for a review.',
  expired: 'This code has expired, and the claim is closed. Start again.',
  claimed: 'Someone else claimed this business in the meantime. If it’s yours, ask us to look into it.',
  withdrawn: 'This claim was withdrawn. Start again.',
}

const closedProofs: Reasons = {
  ...closedClaims,
  attempts: 'The code was wrong five times. Request a new one, or add the license as a PDF.',
  expired: 'This code has expired. Request a new one, or add the license as a PDF.',
  withdrawn: 'This code is no longer valid. Request a new one, or add the license as a PDF.',
}

const closedMessage = ({ verification_id }: Pick<ClaimRow, 'verification_id'>, because: keyof Reasons): string =>
  (verification_id === null ? closedClaims : closedProofs)[because]

/** @throws AppError conflict if codes are no longer accepted */
function requireOpen<Claimed extends ClaimRow>(claim: Claimed): asserts claim is Claimed & { status: 'open' } {
  if (claim.status === 'open') return
  const message = claim.closed_because ? closedMessage(claim, claim.closed_because) : 'This claim was already decided.'
  throw new AppError('conflict', { message })
}

/**
 * Checks one guess. The right code grants the claim or verifies the license. Five wrong guesses close the claim, even if sent concurrently.
 * @throws AppError not_found unless the claim is the actor's, invalid_input for a wrong code, conflict if the claim has ended
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
    const claim = await lockClaimOf(tx, business.id, claimId)
    if (claim.status === 'approved') return 'right'
    requireOpen(claim)
    if (claim.method === 'review')
      throw new AppError('conflict', { message: 'This claim is waiting for our decision, so there’s no code.' })
    if (isCodeExpired(claim, now)) {
      // A new code can be emailed; a phone call needs a new claim.
      if (claim.method !== 'phone') return { refusal: 'This code has expired. Ask for a new one.' }
      await closeClaim(tx, claimId, 'expired', now)
      return { refusal: closedMessage(claim, 'expired') }
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
    return { refusal: closedMessage(claim, 'attempts') }
  })
  // The transaction must commit to count a wrong guess, so errors are thrown after it.
  if (typeof outcome === 'object' && 'refusal' in outcome) throw new AppError('conflict', { message: outcome.refusal })
  if (outcome !== 'right') {
    throw invalidField('code', `This isn’t the code. ${outcome.left === 1 ? 'One try is' : `${outcome.left} tries are`} left.`)
  }
  ctx.cache.invalidate('businesses')
  return toClaim((await claimRow(ctx.db, claimId)) as ClaimRow, now)
}

/** Doesn't restore used attempts. @throws AppError not_found, conflict, too_many_requests */
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
      throw new AppError('conflict', { message: 'This request is closed. Send a new one.' })
    }
    if (claim.method !== 'email' || claim.email === null)
      throw new AppError('conflict', { message: 'We don’t email a code for this claim.' })
    if (claim.code_number >= maxMails) {
      throw new AppError('conflict', { message: 'We’ve emailed three codes. If none arrives, check the address or choose another way.' })
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

/** Idempotent. @throws AppError not_found */
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
  if (claim?.user_id !== actor.id) throw notFound('Claim not found.')
  return { businessId: claim.business_id, email: claim.email }
}

/** Each new code has a new `code_number`, which invalidates the previous code. */
type CodeOf = { id: string; code_number: number; email: string | null; phone: string | null }

const digits = 6

/**
 * Derives a claim's six digits from a secret that is not in the database, so no stored code can leak and a moderator can still
 * read it out.
 */
export function codeOf(sessionSecret: string, { id, code_number, email, phone }: CodeOf): string {
  const key = createHmac('sha256', sessionSecret).update('codes of claims, 1').digest()
  const mac = createHmac('sha256', key)
    .update(JSON.stringify([id, code_number, email, phone]))
    .digest()
  // 48 bits modulo a million: the bias is below 1 in 100 million.
  return String(mac.readUIntBE(0, 6) % 10 ** digits).padStart(digits, '0')
}

export function isCodeOf(sessionSecret: string, claim: CodeOf, guess: string): boolean {
  const code = Buffer.from(codeOf(sessionSecret, claim))
  const guessed = Buffer.from(guess)
  return guessed.length === code.length && timingSafeEqual(guessed, code)
}
