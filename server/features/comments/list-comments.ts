import type { Comment } from '../../../contracts/comments.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { type Viewer, viewerOf } from '../posts/index.ts'
import { commentFacts, commentRows } from './comments.queries.ts'
import { toComments } from './comments.view.ts'
import { requireOpenPost } from './open-post.ts'

type Ctx = Pick<Context, 'db' | 'clock'>
type PageQuery = { limit: number; cursor?: string | undefined }

/** Oldest first, without the replies. @throws AppError not_found, for a locked post too */
export async function listComments({ db, clock }: Ctx, actor: Actor, postId: string, page: PageQuery): Promise<Page<Comment>> {
  const viewer = viewerOf(actor, clock.now())
  await requireOpenPost(db, viewer, postId)
  const rows = await commentRows(db, viewer, { postId }, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  return toPageOf(db, viewer, rows, page.limit)
}

/** Oldest first. @throws AppError not_found */
export async function listReplies({ db, clock }: Ctx, actor: Actor, commentId: string, page: PageQuery): Promise<Page<Comment>> {
  const viewer = viewerOf(actor, clock.now())
  const comment = await commentFacts(db, viewer, commentId)
  const missing = 'Comment not found.'
  if (!comment?.is_visible) throw notFound(missing)
  await requireOpenPost(db, viewer, comment.post_id, missing)
  const rows = await commentRows(db, viewer, { parentId: commentId }, decodeCursor(page.cursor, ['time', 'id']), page.limit + 1)
  return toPageOf(db, viewer, rows, page.limit)
}

async function toPageOf(db: Db, viewer: Viewer, rows: Awaited<ReturnType<typeof commentRows>>, limit: number): Promise<Page<Comment>> {
  const { items, nextCursor } = toPage(rows, limit, (row) => [row.created_at.toISOString(), row.comment_id])
  return { items: await toComments(db, viewer, items), nextCursor }
}
