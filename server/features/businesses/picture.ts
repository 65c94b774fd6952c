import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { theseIds } from '../../db/these-ids.ts'
import { type MayReadMedia, syncMediaUses } from '../media/index.ts'

/** Shows a picture beside a business's name, or none, instead of the one before. Does nothing when the business is gone. */
export async function setBusinessPicture(tx: Tx, businessId: string, mediaId: string | null): Promise<void> {
  await tx.updateTable('businesses').set({ image_id: mediaId }).where('id', '=', businessId).execute()
  await syncMediaUses(tx, 'business', [businessId])
}

/** A business's picture is for everyone unless moderators have hidden the business. */
export const mayReadBusinessPicture: MayReadMedia = async (db, _actor, businessIds) => {
  const shown = await db
    .selectFrom('businesses')
    .select('id')
    .where(sql<boolean>`id = ${theseIds(businessIds)}`)
    .where('moderation', 'is', null)
    .executeTakeFirst()
  return shown ? 'portrait' : 'denied'
}
