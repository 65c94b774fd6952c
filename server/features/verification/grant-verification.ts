import type { VerificationBasis } from '#contracts/businesses.ts'
import type { Tx } from '#server/db/connect.ts'
import type { AuditEntry } from '#server/features/audit/index.ts'
import { setLicenseVerified } from '#server/features/businesses/index.ts'
import { linkLicense } from '#server/features/directory/index.ts'
import type { Context } from '#server/kernel/context.ts'
import type { RegisterRow, VerificationRow } from './verification.queries.ts'
import { verifiedOf } from './verification.queries.ts'

type Ctx = Pick<Context, 'events'>

type Grant = {
  verification: VerificationRow
  /** What proved control. A register match alone never does. */
  basis: Exclude<VerificationBasis, 'register'>
  /** The row it is checked against from now on. */
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

/**
 * Verifies a license, replacing the business's previous one. The caller records the returned entry at the end of the transaction.
 */
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
  await tx
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
    .execute()
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
