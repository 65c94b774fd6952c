import { utcDate } from '#contracts/age.ts'
import { approvalsNeeded } from '#contracts/limits.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness, setLicenseVerified } from '#server/features/businesses/index.ts'
import { unlinkLicense } from '#server/features/directory/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { endVerification } from './end-verification.ts'
import { longDate, registerObjection } from './match-license.ts'
import { expiryOf, grantVerification } from './proof.ts'
import {
  approve,
  concerning,
  holderOf,
  type LockedVerification,
  lockVerification,
  registerRow,
  type VerificationRow,
  verificationRow,
  verifiedOf,
} from './verification.queries.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'cache' | 'events'>
type Outcome = { approvals: number; isVerified: boolean }

/**
 * Approves a verification; two different people must. The second approval verifies the license and ends another business's verification
 * with the same license. A second approval by the same person is a no-op.
 * @throws AppError not_found, forbidden for the business's own team, conflict
 */
export async function approveVerification(ctx: Ctx, actor: Actor, id: string): Promise<Outcome> {
  const now = ctx.clock.now()
  const outcome = await inTransaction(ctx.db, async (tx): Promise<Outcome> => {
    const verification = await lockForDecision(tx, actor, id)
    if (verification.status === 'verified') return { approvals: approvalsNeeded, isVerified: true }
    requirePending(verification)
    if (verification.document_id === null) throw new AppError('conflict', { message: 'This request has no document to review.' })
    const register = verification.match !== 'none' && verification.license_id ? await registerRow(tx, verification.license_id) : undefined
    const objection = register && registerObjection(register)
    if (objection) throw new AppError('conflict', { message: objection })
    const { expires_on } = expiryOf(register ?? null, verification.stated_expires_on)
    if (expires_on !== null && expires_on < utcDate(now)) {
      throw new AppError('conflict', { message: `This license expired on ${longDate(expires_on)}.` })
    }
    const { isNew, approvals } = await approve(tx, id, actor.id, now)
    const isVerified = approvals >= approvalsNeeded
    const entries: AuditEntry[] = isNew
      ? [{ ...entryOf(verification, actor, now), action: 'license.approved', details: { approvals } }]
      : []
    if (isVerified) {
      const listed = register?.business_id ?? verification.business_id
      // Unlink before recomputing the previous holder's license standing.
      if (register && listed !== verification.business_id) await unlinkLicense(tx, register.id)
      const holder = await holderOf(tx, verification.state, verification.license_number_key)
      if (holder && holder.business_id !== verification.business_id) {
        const reason = 'This license belongs to another business.'
        const ending = await lockVerificationOf(tx, holder)
        entries.push(await endVerification(tx, ctx, { verification: ending, status: 'revoked', reason, actorId: actor.id, now }))
      }
      if (listed !== verification.business_id && !(await verifiedOf(tx, listed))) await setLicenseVerified(tx, listed, null, now)
      entries.push(
        await grantVerification(tx, ctx, { verification, basis: 'document', register: register ?? null, actorId: actor.id, now }),
      )
    }
    for (const entry of entries) await recordAudit(tx, entry)
    return { approvals, isVerified }
  })
  ctx.cache.invalidate('businesses')
  return outcome
}

/** One person suffices; the business is notified of the reason. Idempotent. */
export async function rejectVerification(ctx: Ctx, actor: Actor, id: string, reason: string): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    const verification = await lockForDecision(tx, actor, id)
    if (verification.status === 'rejected') return
    requirePending(verification)
    await tx
      .updateTable('license_verifications')
      .set({ status: 'rejected', reason, ended_at: now, updated_at: now })
      .where('id', '=', id)
      .execute()
    await ctx.events.publish(tx, 'license.changed', { verificationId: id, change: 'rejected' })
    await recordAudit(tx, { ...entryOf(verification, actor, now), action: 'license.rejected' })
  })
}

/** Locks the business, the current holders of the license, and the request, in this order. */
async function lockForDecision(tx: Tx, actor: Actor, id: string): Promise<LockedVerification> {
  const found = await verificationRow(tx, id)
  if (!found) throw notFound('Request not found.')
  const holder = await holderOf(tx, found.state, found.license_number_key)
  const listed = found.license_id === null ? undefined : await registerRow(tx, found.license_id)
  const concerned = [found.business_id, holder?.business_id, listed?.business_id].filter((each) => typeof each === 'string')
  for (const businessId of [...new Set(concerned)].sort()) await lockBusiness(tx, businessId)
  if ((await concerning(tx, actor.id, [id])).has(id)) {
    throw new AppError('forbidden', { message: 'You are or were on the team of a business involved, so others must decide.' })
  }
  return lockVerificationOf(tx, found)
}

/** Locks a request after its business. */
async function lockVerificationOf(tx: Tx, { id, business_id }: VerificationRow): Promise<LockedVerification> {
  const business = await lockBusiness(tx, business_id)
  if (!business) throw notFound('Request not found.')
  return lockVerification(tx, business.id, id)
}

function requirePending({ status }: VerificationRow): void {
  if (status !== 'pending') throw new AppError('conflict', { message: 'This request was already decided.' })
}

const entryOf = (verification: VerificationRow, actor: Actor, now: Date) => ({
  at: now,
  actorId: actor.id,
  subjectType: 'license_verification',
  subjectId: verification.id,
  businessId: verification.business_id,
})
