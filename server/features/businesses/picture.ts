import type { Tx } from '../../db/connect.ts'

/** Shows a picture beside a business's name, in the place of the one before. Of a business that is gone, nothing. */
export async function setBusinessPicture(tx: Tx, businessId: string, mediaId: string): Promise<void> {
  await tx.updateTable('businesses').set({ image_id: mediaId }).where('id', '=', businessId).execute()
}
