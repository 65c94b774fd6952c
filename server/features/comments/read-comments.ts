import type { Comment } from '#contracts/comments.endpoints.ts'
import type { Mention } from '#contracts/posts.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { loadMentions } from '#server/features/mentions/index.ts'
import { toPerson } from '#server/features/people/index.ts'
import { audienceOf, lockPost, type PostFacts, postFacts, toBusinessByline, type Viewer, viewerOf } from '#server/features/posts/index.ts'
import { reasonsOf } from '#server/features/screening/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { type CommentRow, commentFacts, commentRows, commentRowsById, unblockedReaders } from './comments.queries.ts'

/** Only comments that the viewer can see, in the order of the IDs. None from a locked or invisible post. */
export async function loadComments(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Comment[]> {
  if (ids.length === 0) return []
  const rows = new Map((await commentRowsById(db, viewer, ids)).map((row) => [row.comment_id, row]))
  return toComments(
    db,
    viewer,
    ids.flatMap((id) => rows.get(id) ?? []),
  )
}

/** @throws AppError not_found if it is missing or not visible to the viewer */
export async function readComment(db: Db, viewer: Viewer, id: string): Promise<Comment> {
  const [comment] = await loadComments(db, viewer, [id])
  if (!comment) throw notFound('Comment not found.')
  return comment
}

/** Only people who may read the comment. Empty once it is deleted. */
export async function audienceOfComment(db: Db, commentId: string, userIds: readonly string[], now: Date): Promise<Set<string>> {
  const postId = await postOf(db, commentId)
  if (postId === null || userIds.length === 0) return new Set()
  const readers = await audienceOf(db, postId, await unblockedReaders(db, commentId, userIds), now)
  return new Set([...readers].flatMap(([id, { isLocked }]) => (isLocked ? [] : [id])))
}

async function postOf(db: Db, commentId: string): Promise<string | null> {
  const comment = await db.selectFrom('comments').select('post_id').where('id', '=', commentId).executeTakeFirst()
  return comment?.post_id ?? null
}

type Ctx = Pick<Context, 'db' | 'clock'>
type PageQuery = { limit: number; cursor?: string | undefined }

/** Oldest first, without replies. @throws AppError not_found, including for a locked post; invalid_input about the cursor */
export async function listComments({ db, clock }: Ctx, actor: Actor, postId: string, page: PageQuery): Promise<Page<Comment>> {
  const viewer = viewerOf(actor, clock.now())
  const rows = await commentRows(db, viewer, { postId }, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  // Rows come only from a post that is open to the viewer.
  if (rows.length === 0) await requireOpenPost(db, viewer, postId)
  return toPageOf(db, viewer, rows, page.limit)
}

/** Oldest first. @throws AppError not_found, invalid_input about the cursor */
export async function listReplies({ db, clock }: Ctx, actor: Actor, commentId: string, page: PageQuery): Promise<Page<Comment>> {
  const viewer = viewerOf(actor, clock.now())
  const comment = await commentFacts(db, viewer, commentId)
  const missing = 'Comment not found.'
  if (!comment?.is_visible) throw notFound(missing)
  await requireOpenPost(db, viewer, comment.post_id, missing)
  const rows = await commentRows(db, viewer, { parentId: commentId }, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  return toPageOf(db, viewer, rows, page.limit)
}

async function toPageOf(db: Db, viewer: Viewer, rows: CommentRow[], limit: number): Promise<Page<Comment>> {
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.created_at.toISOString(), row.comment_id])
  return { items: await toComments(db, viewer, items), nextCursor }
}

/**
 * If a post is locked for the viewer, its comments are hidden, too. `missing` describes what was requested, so that the error
 * doesn't reveal that a comment exists.
 * @throws AppError not_found
 */
async function requireOpenPost(db: Db, viewer: Viewer, postId: string, missing = 'Post not found.'): Promise<void> {
  const post = await postFacts(db, viewer, postId)
  if (!post?.is_visible || post.is_locked) throw notFound(missing)
}

/**
 * Like `requireOpenPost`, but locks the post until the transaction ends, as all writers of its comment count do.
 * @throws AppError not_found
 */
export async function lockOpenPost(tx: Tx, viewer: Viewer, postId: string, missing = 'Post not found.'): Promise<PostFacts> {
  const post = await lockPost(tx, viewer, postId, missing)
  if (post.is_locked) throw notFound(missing)
  return post
}

/** Keeps the order of the rows. */
async function toComments(db: Db, viewer: Viewer, rows: readonly CommentRow[]): Promise<Comment[]> {
  const reasons = await reasonsOf(
    db,
    'comment',
    rows.map(({ comment_id: id, moderation }) => ({ id, moderation })),
  )
  const mentioning = rows.filter((row) => row.has_mentions && !row.is_deleted).map((row) => row.comment_id)
  const mentions = await loadMentions(db, viewer.id, 'comment', mentioning)
  return rows.map((row) =>
    toComment(viewer, row, { reasons: reasons.get(row.comment_id) ?? [], mentions: mentions.get(row.comment_id) ?? [] }),
  )
}

type Extras = { reasons: string[]; mentions: Mention[] }

function toComment(viewer: Viewer, row: CommentRow, { reasons, mentions }: Extras): Comment {
  const isNamed = !row.is_deleted
  return {
    id: row.comment_id,
    postId: row.post_id,
    parentId: row.parent_id,
    author: isNamed && row.business_id === null ? toPerson(row) : null,
    business: isNamed ? toBusinessByline(row) : null,
    content: row.content,
    mentions,
    isDeleted: row.is_deleted,
    repliesCount: row.replies_count,
    heldRepliesCount: row.held_replies_count,
    createdAt: row.created_at.toISOString(),
    editedAt: row.edited_at?.toISOString() ?? null,
    moderation: row.is_deleted || row.moderation === 'removed' ? null : row.moderation,
    heldFor: row.is_deleted ? [] : reasons,
    abilities: commentAbilities(viewer, { ...row, author_id: row.id }, { ownsPost: row.owns_post, mayBlock: row.may_block }),
  }
}

type Written = {
  author_id: string
  business_id: string | null
  is_deleted: boolean
  /** Whether the viewer is on the team of the business that the comment was written for. */
  is_member: boolean
}

/** A comment in a business's name belongs to its whole team. */
export const isOwnComment = (viewerId: string, comment: Written): boolean =>
  comment.business_id === null ? comment.author_id === viewerId : comment.is_member

/** Precondition: the viewer can read the post in full. */
function commentAbilities(
  viewer: Viewer,
  comment: Written,
  { ownsPost, mayBlock }: { ownsPost: boolean; mayBlock: boolean },
): Comment['abilities'] {
  if (comment.is_deleted) return { reply: false, edit: false, delete: false, report: false, block: false }
  const isOwn = isOwnComment(viewer.id, comment)
  return { reply: true, edit: isOwn, delete: isOwn || ownsPost, report: !isOwn, block: mayBlock }
}
