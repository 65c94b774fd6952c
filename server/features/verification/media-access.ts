import { sql } from 'kysely'
import { theseIds } from '#server/db/these-ids.ts'
import type { MayReadMedia } from '#server/features/media/index.ts'
import { roleMay } from '#server/features/team/index.ts'
import { hasRole } from '#server/kernel/actor.ts'

/** License documents are visible to moderators, and to team members who may request verification. */
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
