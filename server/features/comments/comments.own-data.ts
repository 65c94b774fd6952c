import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { EraseStep } from '../../kernel/own-data.ts'
import { ensureFormerMember } from '../people/index.ts'
import { changeCommentsCount } from '../posts/index.ts'
import { takeAway } from './delete-comment.ts'

const batch = 50

/** Comments go; one with replies stays, emptied, under nobody's name. What was said for a business is the business's. */
export const eraseComments: EraseStep = {
  name: 'comments',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db.selectFrom('comments').select(['id', 'post_id']).where('author_id', '=', userId).limit(batch).execute()
    for (const { id, post_id } of rows) await inTransaction(ctx.db, (tx) => eraseComment(tx, id, post_id, ctx.clock.now()))
    return rows.length
  },
}

async function eraseComment(tx: Tx, id: string, postId: string, now: Date): Promise<void> {
  // The post first: all that counts its comments waits there.
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
