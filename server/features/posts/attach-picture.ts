import { maxMedia } from '../../../contracts/posts.ts'
import type { Tx } from '../../db/connect.ts'
import { mediaIdsOf, replaceMedia } from './post-writes.queries.ts'

/**
 * A picture of another site has the first place in its post from the start, and loses it when it can't be fetched. Either way the post gets a
 * new version, so that no cached answer shows the old one.
 */
export async function attachPicture(tx: Tx, postId: string, mediaId: string, has: 'arrived' | 'failed', now: Date): Promise<void> {
  const post = await tx.selectFrom('posts').select('id').where('id', '=', postId).forUpdate().executeTakeFirst()
  if (!post) return
  const others = (await mediaIdsOf(tx, postId)).filter((id) => id !== mediaId)
  // A picture that was asked for by an older version has no place yet.
  const shown = has === 'arrived' && others.length < maxMedia ? [mediaId, ...others] : others
  await replaceMedia(tx, postId, shown)
  await tx.updateTable('posts').set({ updated_at: now }).where('id', '=', postId).execute()
}
