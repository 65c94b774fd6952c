import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { ModeratedSubject, SubjectPreview } from '../moderation/index.ts'
import { bylineColumns, givenName } from '../people/index.ts'
import { changeCommentsCount } from '../posts/index.ts'
import { changeRepliesCount } from './comments.queries.ts'

/** So many that were said before and after it are shown around it. */
const around = 3

/** A comment as moderators handle it: what is held, hidden or removed is not counted, neither with its post nor with what it replies to. */
export const moderatedComment: ModeratedSubject = {
  async find(db, id) {
    const row = await db
      .selectFrom('comments')
      .innerJoin('posts', 'posts.id', 'comments.post_id')
      .select(['comments.author_id', 'comments.business_id', 'posts.community_id', 'comments.moderation', 'comments.created_at'])
      .where('comments.id', '=', id)
      .where('comments.is_deleted', '=', false)
      .executeTakeFirst()
    return (
      row && {
        userId: row.author_id,
        businessId: row.business_id,
        communityId: row.community_id,
        state: row.moderation,
        createdAt: row.created_at,
      }
    )
  },

  async set(tx, ctx, id, state) {
    const before = await tx.selectFrom('comments').select('post_id').where('id', '=', id).executeTakeFirst()
    if (!before) return
    // The post first: all that counts its comments waits there.
    await tx.selectFrom('posts').select('id').where('id', '=', before.post_id).forUpdate().execute()
    const comment = await tx
      .selectFrom('comments')
      .select(['parent_id', 'moderation'])
      .where('id', '=', id)
      .where('is_deleted', '=', false)
      .forUpdate()
      .executeTakeFirst()
    if (!comment || comment.moderation === state) return
    await tx.updateTable('comments').set({ moderation: state }).where('id', '=', id).execute()
    if (comment.moderation !== null && state !== null) return
    const by = state === null ? 1 : -1
    if (comment.parent_id !== null) await changeRepliesCount(tx, comment.parent_id, by)
    await changeCommentsCount(tx, before.post_id, by)
    // What was held tells now what it would have told then.
    if (comment.moderation === 'held') await ctx.events.publish(tx, 'comment.written', { commentId: id })
  },

  async preview(db, ids) {
    const rows = await comments(db).select('posts.title').where(sql<boolean>`comments.id = any(${ids}::uuid[])`).execute()
    return new Map(
      await Promise.all(
        rows.map(async (row) => {
          const context = await said(db, row)
          const path = `/post/${row.post_id}#comment-${row.comment_id}`
          return [row.comment_id, { title: row.title, text: row.content, mediaIds: [], path, context }] as [string, SubjectPreview]
        }),
      ),
    )
  },
}

const comments = (db: Db) =>
  db
    .selectFrom('comments')
    .innerJoin('posts', 'posts.id', 'comments.post_id')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .leftJoin('businesses', 'businesses.id', 'comments.business_id')
    .select(bylineColumns)
    .select(['comments.id as comment_id', 'comments.post_id', 'comments.parent_id', 'comments.content', 'comments.created_at'])
    .select('businesses.name as business_name')
    .where('comments.is_deleted', '=', false)

type Row = Awaited<ReturnType<ReturnType<typeof comments>['execute']>>[number]

/** What was said around a comment to the same post, and to the same comment, oldest first. */
async function said(db: Db, row: Row) {
  const beside = comments(db)
    .where('comments.post_id', '=', row.post_id)
    .where(
      row.parent_id === null
        ? sql<boolean>`comments.parent_id is null`
        : sql<boolean>`(comments.parent_id = ${row.parent_id} or comments.id = ${row.parent_id})`,
    )
    .limit(around)
  const here = sql`(${row.created_at}::timestamptz, ${row.comment_id}::uuid)`
  const at = sql`(comments.created_at, comments.id)`
  const [earlier, later] = await Promise.all([
    beside.where(sql<boolean>`${at} < ${here}`).orderBy('comments.created_at', 'desc').orderBy('comments.id', 'desc').execute(),
    beside.where(sql<boolean>`${at} > ${here}`).orderBy('comments.created_at').orderBy('comments.id').execute(),
  ])
  return [...earlier.reverse(), row, ...later].map((each) => ({
    author: each.business_name ?? givenName(each),
    text: each.content,
    createdAt: each.created_at.toISOString(),
    isSubject: each.comment_id === row.comment_id,
  }))
}
