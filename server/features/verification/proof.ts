import { utcDate } from '../../../contracts/age.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { AuditEntry } from '../audit/index.ts'
import { requirePermission } from '../team/index.ts'
import { expiryOf, grantVerification } from './grant-verification.ts'
import { longDate, registerObjection } from './license-words.ts'
import { matchLicense } from './match-license.ts'
import { holderOf, lockRegisterRow, lockVerification, type RegisterRow, registerRow, type VerificationRow } from './verification.queries.ts'

/**
 * Proof that a business controls a license. Numbers and names of licenses are public, so a match with the register is a condition and
 * never a proof.
 */

type Proven = { basis: 'code' | 'document' }

/**
 * What already proves that the business controls this license of the register: it was verified with it by a code or a document before,
 * or a code won the claim of the very listing that the license belongs to. Null without proof.
 */
export async function provenBy(tx: Tx, businessId: string, row: RegisterRow): Promise<Proven | null> {
  return (await provenBefore(tx, businessId, row)) ?? (row.business_id === businessId ? provenByClaim(tx, businessId) : null)
}

const maxLookedAt = 20

/** A renewal needs no second proof. What was proven before the license was revoked counts no more: it may be another's by now. */
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

/** The latest claim decides: after a dispute that moderators settled, the code of the former owner proves nothing. */
async function provenByClaim(tx: Tx, businessId: string): Promise<Proven | null> {
  const claim = await tx
    .selectFrom('claims')
    .innerJoin('businesses', 'businesses.id', 'claims.business_id')
    .select(['claims.method', 'claims.decided_by'])
    .where('claims.business_id', '=', businessId)
    .where('claims.status', '=', 'approved')
    .where('claims.verification_id', 'is', null)
    // A business that its owner made is no listing: its license was linked by a verification.
    .where('businesses.register_place', 'is not', null)
    .orderBy('claims.decided_at', 'desc')
    .orderBy('claims.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  // A moderator who decides about a claim by phone stands in for its code.
  return claim && claim.method !== 'review' && claim.decided_by === null ? { basis: 'code' } : null
}

/** The register's row of a request that a code can prove: it matches, and no other business has it. Null where only a document helps. */
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
 * The right code was entered: the license is verified. The caller has locked the business and records the answered entry as the last
 * thing of the transaction.
 * @throws AppError forbidden, conflict where the request is over or the register says otherwise now
 */
export async function verifyByCode(
  tx: Tx,
  ctx: Pick<Context, 'events'>,
  actor: Actor,
  { verificationId, now }: { verificationId: string; now: Date },
): Promise<AuditEntry> {
  const request = await lockVerification(tx, verificationId)
  await requirePermission(tx, actor, request.business_id, 'license', { lock: true })
  if (request.status !== 'pending') throw new AppError('conflict', { message: 'This request is over. Send a new one.' })
  if (request.license_id) await lockRegisterRow(tx, request.license_id)
  const register = await provableRow(tx, request)
  if (!register) {
    throw new AppError('conflict', { message: 'The register changed, so a code is no longer enough. Add the license as a PDF.' })
  }
  const { expires_on } = expiryOf(register, request.stated_expires_on)
  if (expires_on !== null && expires_on < utcDate(now)) {
    throw new AppError('conflict', { message: `This license expired on ${longDate(expires_on)}.` })
  }
  return grantVerification(tx, ctx, { verification: request, basis: 'code', register, actorId: actor.id, now })
}
