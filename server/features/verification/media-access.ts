import { sql } from 'kysely'
import { theseIds } from '../../db/these-ids.ts'
import { hasRole } from '../../kernel/actor.ts'
import type { MayReadMedia } from '../media/index.ts'
import { roleMay } from '../team/index.ts'

/** A license's document is for those who decide about it, and for those of the business who may request verification. */
export const mayReadLicenseDocument: MayReadMedia = async (db, actor, verificationIds) => {
  if (hasRole(actor, 'moderator')) return true
  const memberships = await db
    .selectFrom('license_verifications')
    .innerJoin('business_members', 'business_members.business_id', 'license_verifications.business_id')
    .select('business_members.role')
    .where(sql<boolean>`license_verifications.id = ${theseIds(verificationIds)}`)
    .where('business_members.user_id', '=', actor.id)
    .execute()
  return memberships.some(({ role }) => roleMay(role, 'license'))
}
