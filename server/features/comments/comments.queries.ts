import { type InferResult, type RawBuilder, type Selectable, sql } from 'kysely'
import { compileOnce, type Slots } from '#server/db/compile-once.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { mentionsPerson, removeMentions } from '#server/features/mentions/index.ts'
import { bylineColumns, isNotBlocked } from '#server/features/people/index.ts'
import {
  businessBylineColumns,
  compileForReader,
  compileForReaders,
  isBusinessVisible,
  isLocked,
  isMember,
  isOpen,
  isPublic,
  isVisible,
  lookUpRelation,
  plannedReaderOf,
  type Reader,
  readerOf,
  relationLookedUp,
  type Viewer,
} from '#server/features/posts/index.ts'
import { canBlockFor } from '#server/features/team/index.ts'
import { firstUuid } from '#server/kernel/ids.ts'
import { excerptLength, type NotifiedSubject, type PublicSubject } from '#server/kernel/notified-subject.ts'

const isOwn = ({ id }: Pick<Reader, 'id'>) => sql<boolean>`(case
  when comments.business_id is null then comments.author_id = ${id}
  else ${isMember(id, sql`comments.business_id`)} end)`

/**
 * SQL condition: a viewer of the post may see a comment's text. They may not if there is a block between them and its author,
 * or if they blocked the business. Held and hidden comments are visible to their authors, removed ones only to moderators.
 *
 * The counts (`comments_count`, `replies_count`) are the same for everyone, so a viewer with blocks may see fewer comments than
 * are counted. Counts per viewer would cost every list a query per post and reveal blocks.
 */
const isReadable = (reader: Pick<Reader, 'id'>) => sql<boolean>`(not comments.is_deleted and case
  when comments.moderation is not null then comments.moderation <> 'removed' and ${isOwn(reader)}
  when comments.business_id is null then ${isNotBlocked(reader.id, sql`comments.author_id`)}
  else ${isBusinessVisible(reader, sql`comments.business_id`)}
  end)`

/** `isReadable` as a lateral join named `seen`, so that a statement contains it once: see `lookUpRelation`. */
const lookUpReadable = (reader: Pick<Reader, 'id'>) => sql<{ is_readable: boolean }>`(select ${isReadable(reader)} as is_readable offset 0)`

/** Deleted or withheld by moderation: neither text nor author is shown, but a placeholder remains above its replies. */
const isEmptied = sql<boolean>`(comments.is_deleted or (comments.moderation is not null and not seen.is_readable))`

/** SQL condition: the comment is shown to the viewer, at least as a placeholder. */
const isCommentVisible = sql<boolean>`(seen.is_readable or (${isEmptied} and comments.replies_count > 0))`

export type CommentRow = InferResult<ReturnType<typeof visibleComments>>[number]
type After = readonly [createdAt: string, id: string] | null

/** Sorts before every comment, so that the first page uses the same query as the others. */
const beginning = ['-infinity', firstUuid] as const

const visibleComments = (db: Db, reader: Reader) =>
  db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.author_id')
    .leftJoin('businesses', 'businesses.id', 'comments.business_id')
    .innerJoinLateral(lookUpReadable(reader).as('seen'), (join) => join.onTrue())
    .select([...bylineColumns, ...businessBylineColumns])
    .select([
      'comments.id as comment_id',
      'comments.post_id',
      'comments.parent_id',
      'comments.business_id',
      'comments.replies_count',
      'comments.created_at',
      'comments.edited_at',
      'comments.moderation',
      sql<string>`case when ${isEmptied} then '' else comments.content end`.as('content'),
      isEmptied.as('is_deleted'),
      sql<boolean>`exists (select from mentions where mentions.comment_id = comments.id)`.as('has_mentions'),
      sql<number>`(select count(*)::integer from comments held
        where held.parent_id = comments.id and held.moderation = 'held' and held.author_id = ${reader.id} and not held.is_deleted)`.as(
        'held_replies_count',
      ),
      sql<boolean>`(comments.business_id is not null and ${isMember(reader.id, sql`comments.business_id`)})`.as('is_member'),
      sql<boolean>`exists (select 1 from posts where posts.id = comments.post_id and case
        when posts.business_id is null then posts.author_id = ${reader.id}
        else ${isMember(reader.id, sql`posts.business_id`)} end)`.as('owns_post'),
      sql<boolean>`(comments.business_id is null and exists (select 1 from posts
        where posts.id = comments.post_id and ${canBlockFor(reader.id, sql`posts.business_id`, sql`comments.author_id`)}))`.as('may_block'),
    ])
    .where(isCommentVisible)

/** SQL: the viewer may see a post in full. A locked post's comments are locked, too. */
const isPostOpen = (reader: Reader, postId: RawBuilder<unknown>) => sql<boolean>`exists (
  select from posts left join businesses on businesses.id = posts.business_id cross join lateral ${lookUpRelation(reader)} as relation
  where posts.id = ${postId} and ${isOpen(reader, relationLookedUp)})`

type PageParams = { ofId: string; afterTime: string; afterId: string; limit: number }

const makeCommentRows = (of: 'postId' | 'parentId') =>
  compileForReaders<PageParams, CommentRow>(
    { ofId: 'uuid', afterTime: 'timestamptz', afterId: 'uuid', limit: 'integer' },
    (db, reader, { ofId, afterTime, afterId, limit }) => {
      const comments = visibleComments(db, reader)
      const listed =
        of === 'postId'
          ? comments.where('comments.post_id', '=', ofId).where('comments.parent_id', 'is', null).where(isPostOpen(reader, ofId))
          : comments.where('comments.parent_id', '=', ofId).where(isPostOpen(reader, sql`comments.post_id`))
      return listed
        .where(sql<boolean>`(comments.created_at, comments.id) > (${afterTime}::timestamptz, ${afterId}::uuid)`)
        .orderBy('comments.created_at')
        .orderBy('comments.id')
        .limit(limit)
    },
    sql`answer.created_at, answer.comment_id`,
  )
const commentsOfPost = makeCommentRows('postId')
const repliesTo = makeCommentRows('parentId')

/** The comments on a post or the replies to a comment, oldest first. None from a locked or invisible post. */
export const commentRows = (db: Db, viewer: Viewer, of: { postId: string } | { parentId: string }, after: After, limit: number) => {
  const [afterTime, afterId] = after ?? beginning
  const page = { afterTime, afterId, limit }
  return 'postId' in of ? commentsOfPost(db, viewer, { ofId: of.postId, ...page }) : repliesTo(db, viewer, { ofId: of.parentId, ...page })
}

const readCommentRowsById = compileForReader<{ ids: readonly string[] }, CommentRow>(['ids'], (db, reader, { ids }) =>
  visibleComments(db, reader)
    .where(sql<boolean>`comments.id = ${pageIds(ids)}`)
    .where(isPostOpen(reader, sql`comments.post_id`)),
)

/** Only comments that the viewer can see, unordered. None from a locked or invisible post. */
export const commentRowsById = (db: Db, viewer: Viewer, ids: readonly string[]) => readCommentRowsById(db, viewer, { ids })

export type CommentFacts = NonNullable<Awaited<ReturnType<typeof commentFacts>>>

/**
 * The facts that writes to a comment depend on, without its text. Includes comments that aren't visible (`is_visible`) and those that were
 * emptied (`is_deleted`).
 */
export const commentFacts = (db: Db, viewer: Viewer, commentId: string) => {
  const reader = readerOf(viewer)
  return db
    .selectFrom('comments')
    .innerJoinLateral(lookUpReadable(reader).as('seen'), (join) => join.onTrue())
    .select([
      'comments.id',
      'comments.post_id',
      'comments.parent_id',
      'comments.author_id',
      'comments.business_id',
      'comments.moderation',
      'comments.replies_count',
      isEmptied.as('is_deleted'),
      isCommentVisible.as('is_visible'),
      sql<boolean>`(comments.business_id is not null and ${isMember(reader.id, sql`comments.business_id`)})`.as('is_member'),
    ])
    .where('comments.id', '=', commentId)
    .executeTakeFirst()
}

const newColumns = ['id', 'post_id', 'parent_id', 'author_id', 'business_id', 'content', 'moderation', 'created_at'] as const

export const insertComment = compileOnce(newColumns, (db, row: Slots<Pick<Selectable<DB['comments']>, (typeof newColumns)[number]>>) =>
  db.insertInto('comments').values(row),
)

export const updateWords = (tx: Tx, commentId: string, words: { content: string; author_id: string }, now: Date) =>
  tx
    .updateTable('comments')
    .set({ ...words, edited_at: now })
    .where('id', '=', commentId)
    .execute()

export async function emptyComment(tx: Tx, commentId: string): Promise<void> {
  await tx.updateTable('comments').set({ content: '', is_deleted: true }).where('id', '=', commentId).execute()
  await removeMentions(tx, { commentId })
}

export const removeComment = (tx: Tx, commentId: string) => tx.deleteFrom('comments').where('id', '=', commentId).execute()

/** Also counts replies that aren't shown. */
export const hasReplies = async (tx: Tx, commentId: string): Promise<boolean> =>
  (await tx.selectFrom('comments').select('id').where('parent_id', '=', commentId).limit(1).executeTakeFirst()) !== undefined

/** The count includes only visible replies. */
export const changeRepliesCount = (tx: Tx, commentId: string, by: 1 | 0 | -1) =>
  tx
    .updateTable('comments')
    .set((eb) => ({ replies_count: eb('replies_count', '+', by) }))
    .where('id', '=', commentId)
    .returning('is_deleted')
    .executeTakeFirstOrThrow()

/** The people who may read the comment's text. Doesn't check access to the post. */
export const unblockedReaders = async (db: Db, commentId: string, userIds: readonly string[]): Promise<string[]> => {
  const rows = await db
    .selectFrom('comments')
    .innerJoin('users', (join) => join.on(sql<boolean>`users.id = any(${userIds}::uuid[])`))
    .select('users.id')
    .where('comments.id', '=', commentId)
    .where(isReadable({ id: sql`users.id` }))
    .execute()
  return rows.map((row) => row.id)
}

export type NotifiedComment = { postTitle: string; commentId: string | null; excerpt: string | null }

/** Comments of a locked post are locked, too. If several people commented, the notification remains when the latest comment is deleted. */
export const notifiedComments: NotifiedSubject<NotifiedComment> = (asked, viewer) => {
  const reader = plannedReaderOf(viewer)
  const isShown = sql<boolean>`(comments.business_id is not null or ${isNotBlocked(reader.id, sql`comments.author_id`)})`
  return sql`
    select asked.id, jsonb_build_object('postTitle', posts.title, 'commentId', case when ${isShown} then comments.id end,
      'excerpt', case when ${isShown} then left(comments.content, ${excerptLength}) end) as facts
    from ${asked} asked
      join posts on posts.id = asked.post_id
      left join businesses on businesses.id = posts.business_id
      left join comments on comments.id = asked.comment_id and not comments.is_deleted and comments.moderation is null
    where ${isVisible(reader)}
      and case asked.type
        when 'answer_accepted' then posts.accepted_comment_id = asked.comment_id
        when 'comment_mention' then not ${isLocked(reader)} and ${isShown} and ${mentionsPerson(sql`mentions.comment_id = comments.id`, reader.id)}
        else (comments.id is not null or asked.actors_count > 1) and not ${isLocked(reader)}
      end`
}

export const publicComments: PublicSubject = (reader) => ({
  from: sql`posts
    join comments on comments.id = n.comment_id
    where posts.id = n.post_id and ${isPublic(reader)} and not comments.is_deleted and comments.moderation is null
      and (comments.business_id is not null or comments.author_id <> all(${reader.unheardPeople}))
      -- Only questions in communities have accepted answers.
      and n.type <> 'answer_accepted'
      and (n.type <> 'comment_mention' or ${mentionsPerson(sql`mentions.comment_id = comments.id`, reader.id)})`,
  facts: sql`jsonb_build_object('postTitle', posts.title, 'commentId', comments.id,
    'excerpt', left(comments.content, ${sql.lit(excerptLength)}))`,
})
