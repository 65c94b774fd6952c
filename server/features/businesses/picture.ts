import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { type IsForEveryone, syncMediaUses } from '#server/features/media/index.ts'

/** Replaces or removes a business's picture. No-op if the business was deleted. */
export async function setBusinessPicture(tx: Tx, businessId: string, mediaId: string | null): Promise<void> {
  await tx.updateTable('businesses').set({ image_id: mediaId }).where('id', '=', businessId).execute()
  await syncMediaUses(tx, 'business', [businessId])
}

/** Public unless moderators have hidden the business. */
export const isBusinessPictureShown: IsForEveryone = (businessId) => sql<boolean>`exists (
  select from businesses where businesses.id = ${businessId} and businesses.moderation is null)`
