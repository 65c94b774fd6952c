import type { Post } from '#contracts/posts.ts'
import type { Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { decodeCursor, newestAfter, type Page, toPage } from '#server/kernel/keyset.ts'
import { postFacts } from './posts.queries.ts'
import { idsOf, loadPosts, type PageQuery } from './read-posts.ts'
import { isVisible, readerOf, viewerOf } from './visible-posts.ts'

/** Lists that only the person sees: the posts they saved, and those they hid from their feeds. */

type Ctx = Pick<Context, 'db' | 'clock'>
type List = 'saved_posts' | 'hidden_posts'

/** Idempotent. @throws AppError not_found for a post the actor can't see, unless they remove it from their list */
async function change(ctx: Ctx, actor: Actor, list: List, postId: string, isOn: boolean): Promise<void> {
  const now = ctx.clock.now()
  await inTransaction(ctx.db, async (tx) => {
    if (!isOn) {
      const { numDeletedRows } = await tx
        .deleteFrom(list)
        .where('user_id', '=', actor.id)
        .where('post_id', '=', postId)
        .executeTakeFirstOrThrow()
      // As in any other call, a post the actor can't see looks missing.
      if (numDeletedRows === 0n) await requireVisible(tx, actor, postId, now)
      return
    }
    // Waits for a concurrent deletion, after which the post isn't visible.
    await tx.selectFrom('posts').select('id').where('id', '=', postId).forKeyShare().execute()
    await requireVisible(tx, actor, postId, now)
    await tx
      .insertInto(list)
      .values({ user_id: actor.id, post_id: postId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

async function requireVisible(tx: Tx, actor: Actor, postId: string, now: Date): Promise<void> {
  const post = await postFacts(tx, viewerOf(actor, now), postId)
  if (!post?.is_visible) throw notFound('Post not found.')
}

export async function changeSaved(ctx: Ctx, actor: Actor, id: string, isSaved: boolean) {
  await change(ctx, actor, 'saved_posts', id, isSaved)
  return { id, isSaved }
}

export async function changeHidden(ctx: Ctx, actor: Actor, id: string, isHidden: boolean) {
  await change(ctx, actor, 'hidden_posts', id, isHidden)
  return { id, isHidden }
}

/** Most recently saved first, without posts that the person can't see anymore. */
export async function listSavedPosts({ db, clock }: Ctx, actor: Actor, page: PageQuery): Promise<Page<Post>> {
  const viewer = viewerOf(actor, clock.now())
  const after = decodeCursor(page.cursor, ['time', 'id'])
  const rows = await db
    .selectFrom('saved_posts')
    .innerJoin('posts', 'posts.id', 'saved_posts.post_id')
    .leftJoin('businesses', 'businesses.id', 'posts.business_id')
    .select(['saved_posts.post_id as id', 'saved_posts.created_at'])
    .where('saved_posts.user_id', '=', actor.id)
    .where(isVisible(readerOf(viewer)))
    .$call((rows) => newestAfter(rows, 'saved_posts.created_at', 'saved_posts.post_id', after))
    .limit(page.limit + 1)
    .execute()
  const { items, nextCursor } = toPage(rows, page.limit, (row) => [row.created_at.toISOString(), row.id])
  return { items: await loadPosts(db, viewer, idsOf(items)), nextCursor }
}
