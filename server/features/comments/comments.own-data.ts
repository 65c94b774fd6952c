import { sql } from 'kysely'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { ensureFormerMember } from '#server/features/people/index.ts'
import { changeCommentsCount } from '#server/features/posts/index.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { takeAway } from './write-comment.ts'

const batch = 50

/** Deletes comments. Those with replies stay, emptied and without an author. Comments in a business's name stay with the business. */
export const eraseComments: EraseStep = {
  name: 'comments',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db.selectFrom('comments').select(['id', 'post_id']).where('author_id', '=', userId).limit(batch).execute()
    for (const { id, post_id } of rows) await inTransaction(ctx.db, (tx) => eraseComment(tx, id, post_id, ctx.clock.now()))
    return rows.length
  },
}

async function eraseComment(tx: Tx, id: string, postId: string, now: Date): Promise<void> {
  // Lock the post first, as all writers of its comment count do.
  await sql`select from posts where id = ${postId}::uuid for update`.execute(tx)
  const comment = await tx
    .selectFrom('comments')
    .select(['id', 'parent_id', 'moderation', 'is_deleted', 'business_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!comment) return
  if (comment.business_id === null && !comment.is_deleted) {
    await takeAway(tx, comment)
    if (comment.moderation === null) await changeCommentsCount(tx, postId, -1)
  }
  const author_id = await ensureFormerMember(tx, now)
  await tx.updateTable('comments').set({ author_id }).where('id', '=', id).execute()
}
