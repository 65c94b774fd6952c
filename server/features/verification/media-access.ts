import type { Db } from '../../db/connect.ts'
import { type Actor, hasRole } from '../../kernel/actor.ts'
import { roleMay } from '../team/index.ts'

/** A license's document is for those who decide about it, and for those of the business who may have it checked. */
export async function mayReadLicenseDocument(db: Db, actor: Actor | null, mediaId: string): Promise<'allowed' | 'denied' | 'unattached'> {
  const rows = await db
    .selectFrom('license_verifications')
    .leftJoin('business_members', (join) =>
      join
        .onRef('business_members.business_id', '=', 'license_verifications.business_id')
        .on('business_members.user_id', '=', actor?.id ?? null),
    )
    .select('business_members.role')
    .where('license_verifications.document_id', '=', mediaId)
    .execute()
  if (rows.length === 0) return 'unattached'
  if (!actor) return 'denied'
  return hasRole(actor, 'moderator') || rows.some(({ role }) => roleMay(role, 'license')) ? 'allowed' : 'denied'
}
