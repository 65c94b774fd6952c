import { inTransaction } from '#server/db/transaction.ts'
import type { EraseStep } from '#server/kernel/own-data.ts'
import { lockHunt } from './hunt-access.ts'
import { removeComment } from './hunt-comments.queries.ts'
import { changeCommentsCount, removeHunt } from './hunts.queries.ts'

const huntsAtOnce = 5

/** Deletes the person's own hunts, including what others recorded in them. */
export const eraseHunts: EraseStep = {
  name: 'hunts',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db.selectFrom('hunts').select('id').where('owner_id', '=', userId).limit(huntsAtOnce).execute()
    for (const { id } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        await lockHunt(tx, id, 'update')
        await removeHunt(tx, id)
      })
    }
    return rows.length
  },
}

const commentsAtOnce = 50

export const eraseHuntComments: EraseStep = {
  name: 'hunt-comments',
  async eraseSome(ctx, { id: userId }) {
    const rows = await ctx.db
      .selectFrom('hunt_comments')
      .select(['id', 'hunt_id'])
      .where('author_id', '=', userId)
      .limit(commentsAtOnce)
      .execute()
    for (const { id, hunt_id } of rows) {
      await inTransaction(ctx.db, async (tx) => {
        await lockHunt(tx, hunt_id, 'update')
        const comment = await tx.selectFrom('hunt_comments').select('moderation').where('id', '=', id).executeTakeFirst()
        if (!comment) return
        await removeComment(tx, id)
        if (comment.moderation === null) await changeCommentsCount(tx, hunt_id, -1)
      })
    }
    return rows.length
  },
}
