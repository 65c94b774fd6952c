import { approvalsNeeded } from '#contracts/limits.ts'
import { licenseDay } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { type AuditEntry, recordAudit } from '#server/features/audit/index.ts'
import { lockBusiness, setLicenseVerified } from '#server/features/businesses/index.ts'
import { unlinkLicense } from '#server/features/directory/index.ts'
import { syncMediaUses } from '#server/features/media/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { longDate, registerObjection } from './match-license.ts'
import { expiryOf, grantVerification, provenBy } from './proof.ts'
import {
  approve,
  findConflictsOfInterest,
  holderOf,
  type LicenseChange,
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
 * Approves a verification, which requires two different people. The second approval verifies the license and ends another business's
 * verification with the same license. A second approval by the same person is a no-op.
 * @throws AppError not_found, forbidden for the teams of the businesses involved, conflict
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
    if (expires_on !== null && expires_on < licenseDay(now)) {
      throw new AppError('conflict', { message: `This license expired on ${longDate(expires_on)}.` })
    }
    const { isNew, approvals } = await approve(tx, id, actor.id, now)
    const isVerified = approvals >= approvalsNeeded
    const entries: AuditEntry[] = isNew
      ? [{ ...entryOf(verification, actor, now), action: 'license.approved', details: { approvals } }]
      : []
    if (isVerified) {
      const listed = register?.business_id ?? verification.business_id
      // Unlink before recomputing the previous holder's license status.
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

/** Rejects a request. Unlike approval, this requires only one person. The business is notified of the reason. Idempotent. */
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

/** Locks the requesting business and the current holders of the license in the order of their IDs, and then the request. */
async function lockForDecision(tx: Tx, actor: Actor, id: string): Promise<LockedVerification> {
  const found = await verificationRow(tx, id)
  if (!found) throw notFound('Request not found.')
  const holder = await holderOf(tx, found.state, found.license_number_key)
  const listed = found.license_id === null ? undefined : await registerRow(tx, found.license_id)
  const concerned = [found.business_id, holder?.business_id, listed?.business_id].filter((each) => typeof each === 'string')
  for (const businessId of [...new Set(concerned)].sort()) await lockBusiness(tx, businessId)
  if ((await findConflictsOfInterest(tx, actor.id, [id])).has(id)) {
    throw new AppError('forbidden', { message: 'You are or were on the team of a business involved, so someone else has to decide.' })
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

declare module '#server/kernel/events.ts' {
  interface EventData {
    'license.changed': { verificationId: string; change: LicenseChange }
  }
}

type End = {
  verification: Pick<LockedVerification, 'id' | 'business_id' | 'license_number_key' | 'state'>
  status: 'expired' | 'revoked' | 'unproven'
  /** Shown to the business and, if revoked, to the public. */
  reason: string | null
  actorId: string | null
  now: Date
}

/** Removes the badge of a verified license. Record the returned entry at the end of the transaction. */
export async function endVerification(
  tx: Tx,
  ctx: Pick<Context, 'events'>,
  { verification, status, reason, actorId, now }: End,
): Promise<AuditEntry> {
  const { id, business_id: businessId } = verification
  await tx
    .updateTable('license_verifications')
    .set({ status, reason, ended_at: now, checked_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
  // An unproven license isn't known to be inactive, nor to be this business's.
  await setLicenseVerified(tx, businessId, null, now, status === 'unproven' ? 'none' : 'inactive')
  await ctx.events.publish(tx, 'license.changed', { verificationId: id, change: status === 'unproven' ? 'unproven' : 'ended' })
  return {
    at: now,
    actorId,
    action: `license.${status}`,
    subjectType: 'license_verification',
    subjectId: id,
    businessId,
    details: { number: verification.license_number_key, state: verification.state, reason },
  }
}

const reason = 'Your license needs one more step: prove you control it.'

/**
 * A register match alone used to verify a license. Runs on each start: licenses without other proof lose their badge, and their businesses
 * are notified. Idempotent.
 */
export async function endUnprovenVerifications(ctx: Pick<Context, 'db' | 'clock' | 'cache' | 'events' | 'log'>): Promise<void> {
  const counts = { ended: 0, proven: 0 }
  for (const { id, business_id } of await matchedOnly(ctx.db)) {
    const outcome = await inTransaction(ctx.db, async (tx) => {
      const business = await lockBusiness(tx, business_id)
      if (!business) return null
      const verification = await lockVerification(tx, business.id, id)
      if (verification.status !== 'verified' || verification.basis !== 'register') return null
      const { isProven, entry } = await settle(tx, ctx, verification)
      await recordAudit(tx, entry)
      return isProven ? 'proven' : 'ended'
    })
    if (outcome) counts[outcome]++
  }
  if (counts.ended + counts.proven === 0) return
  ctx.cache.invalidate('businesses')
  ctx.log.info(counts, 'settled licenses that were verified only by a match')
}

async function settle(
  tx: Tx,
  ctx: Pick<Context, 'clock' | 'events'>,
  verification: LockedVerification,
): Promise<{ isProven: boolean; entry: AuditEntry }> {
  const now = ctx.clock.now()
  const { id, business_id: businessId, license_id: licenseId } = verification
  const row = licenseId === null ? undefined : await registerRow(tx, licenseId)
  const proof = row && (await provenBy(tx, businessId, row))
  if (!proof) {
    // Unlink before recomputing the license status, so that the page no longer shows the license as the business's own.
    if (row?.business_id === businessId) await unlinkLicense(tx, row.id)
    return {
      isProven: false,
      entry: await endVerification(tx, ctx, { verification, status: 'unproven', reason, actorId: null, now }),
    }
  }
  await tx.updateTable('license_verifications').set({ basis: proof.basis, updated_at: now }).where('id', '=', id).execute()
  return {
    isProven: true,
    entry: {
      at: now,
      actorId: null,
      action: 'license.proven',
      subjectType: 'license_verification',
      subjectId: id,
      businessId,
      details: { basis: proof.basis },
    },
  }
}

const matchedOnly = (db: Db) =>
  db
    .selectFrom('license_verifications')
    .select(['id', 'business_id'])
    .where('status', '=', 'verified')
    .where('basis', '=', 'register')
    .orderBy('id')
    .execute()

/**
 * Call when a business's whole team is gone. Withdraws pending requests of the former team, and detaches the documents of
 * all its requests, which the new team must not see. A verified license isn't affected, because it is the business's. Record the returned
 * entries at the end of the transaction.
 */
export async function endTeamRequests(tx: Tx, businessId: Locked<'businesses'>, actorId: string | null, now: Date): Promise<AuditEntry[]> {
  const shown = await tx
    .updateTable('license_verifications')
    .set({ document_id: null })
    .where('business_id', '=', businessId)
    .where('document_id', 'is not', null)
    .returning('id')
    .execute()
  await syncMediaUses(tx, 'license', idsOf(shown))
  const ended = await tx
    .updateTable('license_verifications')
    .set({ status: 'withdrawn', ended_at: now, updated_at: now })
    .where('business_id', '=', businessId)
    .where('status', '=', 'pending')
    .returning('id')
    .execute()
  return ended.map(({ id }) => ({
    at: now,
    actorId,
    action: 'license.withdrawn',
    subjectType: 'license_verification',
    subjectId: id,
    businessId,
  }))
}
