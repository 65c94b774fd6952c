import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { DB, Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { hasMentions } from '#server/features/mentions/index.ts'
import { bylineColumns, unmoderatedName } from '#server/features/people/index.ts'
import { changeCommentsCount } from '#server/features/posts/index.ts'
import { factsById, type ModeratedSubject } from '#server/kernel/moderated-subject.ts'
import { changeRepliesCount } from './comments.queries.ts'

/** How many comments before and after a moderated one are shown as context. */
const around = 3

/** Held, hidden and removed comments aren't counted by their post or parent comment. */
export const moderatedComment: ModeratedSubject = {
  async find(db, ids) {
    const rows = await db
      .selectFrom('comments')
      .innerJoin('posts', 'posts.id', 'comments.post_id')
      .select(['comments.id', 'comments.author_id as userId', 'comments.business_id as businessId', 'posts.community_id as communityId'])
      .select(['comments.moderation as state', 'comments.created_at as createdAt'])
      .where(sql<boolean>`comments.id = ${pageIds(ids)}`)
      .where('comments.is_deleted', '=', false)
      .execute()
    return factsById(rows)
  },

  async set(tx, ctx, id, state) {
    const before = await tx.selectFrom('comments').select('post_id').where('id', '=', id).executeTakeFirst()
    if (!before) return
    // Lock the post first, as all writers of its comment count do.
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
    // Publish the event that was delayed while the comment was held.
    if (comment.moderation !== 'held') return
    await ctx.events.publish(tx, 'comment.written', { commentId: id })
    if (await hasMentions(tx, { commentId: id })) await ctx.events.publish(tx, 'mentions.written', { postId: null, commentId: id })
  },

  async preview(db, ids) {
    const rows = await said(db, ids)
    return new Map(
      rows
        .filter((row) => row.comment_id === row.about)
        .map((row) => [
          row.about,
          {
            title: row.title,
            text: row.content,
            mediaIds: [],
            path: `/post/${row.post_id}#comment-${row.about}`,
            context: rows
              .filter(({ about }) => about === row.about)
              .map((each) => ({
                author: each.business_name ?? unmoderatedName(each),
                text: each.content,
                createdAt: each.created_at.toISOString(),
                isSubject: each.comment_id === row.about,
              })),
          },
        ]),
    )
  },
}

/** The comments with their neighbors on the same post and under the same parent, oldest first. */
async function said(db: Db, ids: readonly string[]) {
  const nearest = (isBefore: boolean, where: RawBuilder<unknown>) => sql`
    (select beside.* from comments beside
    where ${where} and not beside.is_deleted
      and (beside.created_at, beside.id) ${isBefore ? sql`<` : sql`>`} (subject.created_at, subject.id)
    order by beside.created_at ${isBefore ? sql`desc` : sql`asc`}, beside.id ${isBefore ? sql`desc` : sql`asc`} limit ${around}::int)`
  const toPost = sql`subject.parent_id is null and beside.parent_id is null and beside.post_id = subject.post_id`
  const toComment = sql`beside.parent_id = subject.parent_id`
  const parent = sql`beside.id = subject.parent_id`
  // Each branch is an index range scan.
  const context = sql<Selectable<DB['comments']>>`(
    ${nearest(true, toPost)} union all (select * from (${nearest(true, toComment)} union all ${nearest(true, parent)}) as earlier
      order by created_at desc, id desc limit ${around}::int)
    union all select subject.* union all ${nearest(false, toPost)} union all ${nearest(false, toComment)})`
  return db
    .selectFrom('comments as subject')
    .innerJoinLateral(context.as('comments'), (join) => join.onTrue())
    .innerJoin('posts', 'posts.id', 'subject.post_id')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .leftJoin('businesses', 'businesses.id', 'comments.business_id')
    .select(bylineColumns)
    .select(['subject.id as about', 'comments.id as comment_id', 'comments.post_id', 'comments.content', 'comments.created_at'])
    .select(['businesses.name as business_name', 'posts.title'])
    .where(sql<boolean>`subject.id = ${pageIds(ids)}`)
    .where('subject.is_deleted', '=', false)
    .orderBy('subject.id')
    .orderBy('comments.created_at')
    .orderBy('comments.id')
    .execute()
}
