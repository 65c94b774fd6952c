import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { type IsForEveryone, syncMediaUses } from '../media/index.ts'

/** Shows a picture beside a business's name, or none, instead of the one before. Does nothing when the business is gone. */
export async function setBusinessPicture(tx: Tx, businessId: string, mediaId: string | null): Promise<void> {
  await tx.updateTable('businesses').set({ image_id: mediaId }).where('id', '=', businessId).execute()
  await syncMediaUses(tx, 'business', [businessId])
}

/** A business's picture is for everyone unless moderators have hidden the business. */
export const isBusinessPictureShown: IsForEveryone = (businessId) => sql<boolean>`exists (
  select from businesses where businesses.id = ${businessId} and businesses.moderation is null)`
