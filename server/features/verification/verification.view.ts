import type { Media } from '#contracts/media.ts'
import type { LicenseDifference, RegisterLicense, Verification } from '#contracts/verification.ts'
import type { Db } from '#server/db/connect.ts'
import { mediaOf } from '#server/features/media/index.ts'
import type { RegisterRow, VerificationRow } from './verification.queries.ts'

/** The view for moderators, and for team members who manage the license. */
export async function toVerifications(db: Db, rows: readonly VerificationRow[]): Promise<Verification[]> {
  const documents = await mediaOf(
    db,
    rows.flatMap((row) => row.document_id ?? []),
  )
  return rows.map((row) => toVerification(row, (row.document_id && documents.get(row.document_id)) || null))
}

const toVerification = (row: VerificationRow, document: Media | null): Verification => ({
  id: row.id,
  businessId: row.business_id,
  status: row.status,
  licenseNumber: row.license_number,
  state: row.state,
  licenseName: row.license_name,
  businessType: row.business_type,
  statedExpiresOn: row.stated_expires_on,
  document,
  match: row.match,
  differences: row.differences as LicenseDifference[],
  basis: row.basis,
  authority: row.authority,
  source: row.source,
  sourceDate: row.source_date,
  expiresOn: row.expires_on,
  expirySource: row.expiry_source,
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  verifiedAt: row.verified_at?.toISOString() ?? null,
  checkedAt: row.checked_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
})

export const toRegisterLicense = (row: RegisterRow): RegisterLicense => ({
  id: row.id,
  licenseNumber: row.license_number,
  licenseType: row.license_type,
  status: row.status,
  designation: row.designation,
  standing: row.standing,
  state: row.state,
  authority: row.authority,
  source: row.source,
  sourceDate: row.source_date,
  businessName: row.business_name,
  businessType: row.business_type,
  expiresOn: row.expires_on,
})
