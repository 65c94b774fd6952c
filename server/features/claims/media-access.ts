import type { Db } from '../../db/connect.ts'
import { type Actor, hasRole } from '../../kernel/actor.ts'
import type { MediaAccess } from '../media/index.ts'

/** What somebody shows to prove a claim is for those who decide about it. */
export async function mayReadClaimDocument(db: Db, actor: Actor | null, mediaId: string): Promise<MediaAccess> {
  const claim = await db.selectFrom('claims').select('id').where('document_id', '=', mediaId).executeTakeFirst()
  if (!claim) return 'unattached'
  return actor && hasRole(actor, 'moderator') ? 'allowed' : 'denied'
}
