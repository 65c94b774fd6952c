import { sql } from 'kysely'
import { pageIds } from '#server/db/page-ids.ts'
import { bylineColumns, unmoderatedName } from '#server/features/people/index.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'
import { changeCommentsCount } from './hunts.queries.ts'

/** A hidden or removed hunt is still visible to its owner. Moderators can see only public and moderated hunts. */
export const moderatedHunt: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('hunts')
      .select(['id', 'owner_id as userId', 'moderation as state', 'created_at as createdAt'])
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .where(isSeen)
      .execute()
    return factsById(rows)
  },

  async set(tx, ctx, id, state) {
    await tx
      .updateTable('hunts')
      .set((eb) => ({ moderation: state, updated_at: ctx.clock.now(), version: eb('version', '+', 1) }))
      .where('id', '=', id)
      .where(sql<boolean>`moderation is distinct from ${state}`)
      .execute()
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('hunts')
      .select(['id', 'hunt_name', 'breeders', 'goals'])
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where(isSeen)
      .execute()
    return new Map(
      rows.map((row) => [
        row.id,
        {
          title: row.hunt_name,
          text: [row.breeders.join(', '), row.goals].filter(Boolean).join('\n'),
          mediaIds: [],
          path: `/pheno-hunt/${row.id}`,
          context: [],
        },
      ]),
    )
  },
}

const isSeen = sql<boolean>`(visibility = 'public' or moderation is not null)`

/** Held, hidden and removed comments aren't counted. */
export const moderatedHuntComment: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('hunt_comments')
      .select(['id', 'author_id as userId', 'moderation as state', 'created_at as createdAt'])
      .where(sql<boolean>`id = ${pageIds(ids)}`)
      .execute()
    return factsById(rows)
  },

  async set(tx, ctx, id, state) {
    const before = await tx.selectFrom('hunt_comments').select('hunt_id').where('id', '=', id).executeTakeFirst()
    if (!before) return
    await tx.selectFrom('hunts').select('id').where('id', '=', before.hunt_id).forUpdate().execute()
    const comment = await tx.selectFrom('hunt_comments').select('moderation').where('id', '=', id).forUpdate().executeTakeFirst()
    if (!comment || comment.moderation === state) return
    await tx.updateTable('hunt_comments').set({ moderation: state }).where('id', '=', id).execute()
    if (comment.moderation !== null && state !== null) return
    await changeCommentsCount(tx, before.hunt_id, state === null ? 1 : -1)
    // No one was notified while the comment was held.
    if (comment.moderation === 'held') await ctx.events.publish(tx, 'hunt.commented', { commentId: id })
  },

  async preview(db, ids) {
    const rows = await db
      .selectFrom('hunt_comments')
      .innerJoin('users', 'users.id', 'hunt_comments.author_id')
      .innerJoin('hunts', 'hunts.id', 'hunt_comments.hunt_id')
      .select(bylineColumns)
      .select(['hunt_comments.id as comment_id', 'hunt_comments.hunt_id', 'hunt_comments.content', 'hunt_comments.created_at'])
      .select('hunts.hunt_name')
      .where(sql<boolean>`hunt_comments.id = any(${ids}::uuid[])`)
      .execute()
    return new Map(
      rows.map((row) => [
        row.comment_id,
        {
          title: row.hunt_name,
          text: row.content,
          mediaIds: [],
          path: `/pheno-hunt/${row.hunt_id}`,
          context: [
            {
              author: unmoderatedName(row),
              text: row.content,
              createdAt: row.created_at.toISOString(),
              isSubject: true,
            },
          ],
        },
      ]),
    )
  },
}
