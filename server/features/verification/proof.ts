import type { VerificationBasis } from '#contracts/businesses.ts'
import { licenseDay } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Locked } from '#server/db/locked.ts'
import { retryOn } from '#server/db/transaction.ts'
import type { AuditEntry } from '#server/features/audit/index.ts'
import { setLicenseVerified } from '#server/features/businesses/index.ts'
import { linkLicense } from '#server/features/directory/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { longDate, matchLicense, registerObjection } from './match-license.ts'
import {
  holderOf,
  lockRegisterRow,
  lockVerification,
  type RegisterRow,
  registerRow,
  type VerificationRow,
  verifiedOf,
} from './verification.queries.ts'

// License numbers and names are public, so a match with the register never proves that a business controls a license.

type Proven = { basis: 'code' | 'document' }

/**
 * Existing proof that the business controls this license: an earlier verification by a code or a document, or a claim, proven by a
 * code, of the listing that the license belongs to. Null without proof.
 */
export async function provenBy(tx: Tx, businessId: string, row: RegisterRow): Promise<Proven | null> {
  return (await provenBefore(tx, businessId, row)) ?? (row.business_id === businessId ? provenByClaim(tx, businessId) : null)
}

const maxLookedAt = 20

/** Renewals need no new proof. Proof from before a revocation doesn't count, because the license may belong to someone else by now. */
async function provenBefore(tx: Tx, businessId: string, row: RegisterRow): Promise<Proven | null> {
  const verifications = await tx
    .selectFrom('license_verifications')
    .select(['basis', 'status'])
    .where('business_id', '=', businessId)
    .where('state', '=', row.state)
    .where('license_number_key', '=', row.license_number_key)
    .where('status', 'in', ['verified', 'superseded', 'expired', 'revoked', 'unproven'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxLookedAt)
    .execute()
  for (const { basis, status } of verifications) {
    if (status === 'revoked' || status === 'unproven') return null
    if (basis === 'code' || basis === 'document') return { basis }
  }
  return null
}

/**
 * Only the latest claim counts: after a dispute settled by moderators, the former owner's code proves nothing. Neither does a code from
 * before a merge, because it went to the contact of only one of the two listings. A merge doesn't matter
 * if the claimant merged in a business of their own that was never a listing.
 */
async function provenByClaim(tx: Tx, businessId: string): Promise<Proven | null> {
  const claim = await tx
    .selectFrom('claims')
    .innerJoin('businesses', 'businesses.id', 'claims.business_id')
    .select('claims.proof')
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('business_redirects')
            .select('from_id')
            .whereRef('business_redirects.business_id', '=', 'claims.business_id')
            .whereRef('business_redirects.created_at', '>=', 'claims.decided_at')
            .where((redirect) =>
              redirect.or([
                redirect('business_redirects.register_place', 'is not', null),
                redirect('business_redirects.merged_by', 'is distinct from', redirect.ref('claims.user_id')),
              ]),
            ),
        )
        .as('is_merged_since'),
    )
    .where('claims.business_id', '=', businessId)
    .where('claims.status', '=', 'approved')
    .where('claims.verification_id', 'is', null)
    // Businesses created by their owner aren't listings; their license was linked by a verification.
    .where('businesses.register_place', 'is not', null)
    .orderBy('claims.decided_at', 'desc')
    .orderBy('claims.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  // Moderators can approve phone claims without the code, and such a claim proves nothing about the license.
  return claim?.proof === 'code' && !claim.is_merged_since ? { basis: 'code' } : null
}

/** The register row for which a code is enough proof: it matches and belongs to no other business. Null if a document is required. */
export async function provableRow(db: Db, request: VerificationRow): Promise<RegisterRow | null> {
  const row = request.license_id === null ? null : ((await registerRow(db, request.license_id)) ?? null)
  if (!row || registerObjection(row) !== null || (row.business_id !== null && row.business_id !== request.business_id)) return null
  const stated = {
    licenseNumber: request.license_number,
    state: request.state,
    licenseName: request.license_name,
    businessType: request.business_type,
  }
  if (matchLicense(stated, row).match !== 'full') return null
  const holder = await holderOf(db, request.state, request.license_number_key)
  return holder && holder.business_id !== request.business_id ? null : row
}

/**
 * Verifies the license after the right code was entered. Record the returned entry at the end of the transaction.
 * @throws AppError forbidden, conflict if the request has ended, the register has changed or the license has expired
 */
export async function verifyByCode(
  tx: Tx,
  ctx: Pick<Context, 'events'>,
  actor: Actor,
  { businessId, verificationId, now }: { businessId: Locked<'businesses'>; verificationId: string; now: Date },
): Promise<AuditEntry> {
  const request = await lockVerification(tx, businessId, verificationId)
  await requirePermission(tx, actor, request.business_id, 'license', { lock: true })
  if (request.status !== 'pending') throw new AppError('conflict', { message: 'This request is closed. Send a new one.' })
  if (request.license_id) await lockRegisterRow(tx, request.license_id)
  const register = await provableRow(tx, request)
  if (!register) {
    throw new AppError('conflict', { message: 'The register changed, so a code is no longer enough. Add the license as a PDF.' })
  }
  const { expires_on } = expiryOf(register, request.stated_expires_on)
  if (expires_on !== null && expires_on < licenseDay(now)) {
    throw new AppError('conflict', { message: `This license expired on ${longDate(expires_on)}.` })
  }
  return grantVerification(tx, ctx, { verification: request, basis: 'code', register, actorId: actor.id, now })
}

type Ctx = Pick<Context, 'events'>

type Grant = {
  verification: VerificationRow
  /** What proved control. A register match alone never does. */
  basis: Exclude<VerificationBasis, 'register'>
  /** The row that the license is checked against from now on. */
  register: RegisterRow | null
  actorId: string
  now: Date
}

/** The license's last valid day: from the register, otherwise as stated by the business. */
export function expiryOf(register: Pick<RegisterRow, 'expires_on'> | null, statedExpiresOn: string | null) {
  if (register?.expires_on) return { expires_on: register.expires_on, expiry_source: 'register' as const }
  if (statedExpiresOn) return { expires_on: statedExpiresOn, expiry_source: 'business' as const }
  return { expires_on: null, expiry_source: null }
}

/** Verifies a license, replacing the business's previous one. Record the returned entry at the end of the transaction. */
export async function grantVerification(tx: Tx, ctx: Ctx, { verification, basis, register, actorId, now }: Grant): Promise<AuditEntry> {
  const { id, business_id: businessId } = verification
  const before = await verifiedOf(tx, businessId)
  if (before) {
    await tx
      .updateTable('license_verifications')
      .set({ status: 'superseded', ended_at: now, updated_at: now })
      .where('id', '=', before.id)
      .execute()
  }
  const expiry = expiryOf(register, verification.stated_expires_on)
  const granted = tx
    .updateTable('license_verifications')
    .set({
      status: 'verified',
      basis,
      license_id: register?.id ?? null,
      authority: register?.authority ?? null,
      source: register?.source ?? null,
      source_date: register?.source_date ?? null,
      ...expiry,
      verified_at: now,
      checked_at: now,
      updated_at: now,
    })
    .where('id', '=', id)
  // Two businesses may be granted the same license at once. The second transaction is retried and then sees the first one's verification.
  await retryOn('license_verifications_one_holder', granted.execute())
  await setLicenseVerified(tx, businessId, { through: expiry.expires_on }, now)
  if (register) await linkLicense(tx, register.id, businessId)
  await ctx.events.publish(tx, 'license.changed', { verificationId: id, change: 'verified' })
  return {
    at: now,
    actorId,
    action: 'license.verified',
    subjectType: 'license_verification',
    subjectId: id,
    businessId,
    details: {
      basis,
      number: verification.license_number_key,
      state: verification.state,
      license: register?.id ?? null,
      expires: expiry.expires_on,
      superseded: before?.id ?? null,
    },
  }
}
