import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { mediaIdsOf, replaceMedia } from './post-writes.queries.ts'

const mostMedia = 10

/** Puts the picture that was fetched for a post before its others. Of a post that is gone or full, nothing. */
export async function attachPicture(tx: Tx, postId: string, mediaId: string): Promise<void> {
  const post = await tx.selectFrom('posts').select('id').where('id', '=', postId).forUpdate().executeTakeFirst()
  if (!post) return
  const others = (await mediaIdsOf(tx, postId)).filter((id) => id !== mediaId)
  if (others.length >= mostMedia) return
  await replaceMedia(tx, postId, [mediaId, ...others])
  await tx.updateTable('posts').set({ updated_at: sql`now()` }).where('id', '=', postId).execute()
}
