import type { Tx } from '../../db/connect.ts'

/** Counts posts that are shown in a community. Whoever calls holds its row (`requireCommunity` with a lock, or `lockCommunity`). */
export async function changePostCount(tx: Tx, communityId: string, by: number): Promise<void> {
  await tx
    .updateTable('communities')
    .set((eb) => ({ post_count: eb('post_count', '+', by) }))
    .where('id', '=', communityId)
    .execute()
}
