import type { FeedPost, feedTypes, Post } from '../../../contracts/posts.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { feedRows } from './feed.queries.ts'
import type { PageQuery } from './list-business-posts.ts'
import type { PostRow } from './posts.queries.ts'
import { toPost } from './posts.view.ts'
import { sharedPosts } from './remembered-posts.ts'
import { type Viewer, viewerOf } from './viewer.ts'

type FeedQuery = PageQuery & { type?: (typeof feedTypes)[number] | undefined }

/**
 * Posts of whom the person follows, and their own, newest first; each with the reason why it is there.
 * `isFresh`: the browser has just written, and nothing that is kept may be shown to it.
 */
export async function getFeed(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  query: FeedQuery,
  isFresh: boolean,
): Promise<Page<FeedPost>> {
  const viewer = viewerOf(actor, clock.now())
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const rows = await feedRows(db, viewer, { type: query.type ?? null, after, limit: query.limit + 1 })
  const { items, nextCursor } = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.post_id])
  const posts = await sharedPosts(db, viewer, items, isFresh)
  return {
    items: posts.map(({ row, media }) => {
      const post = toPost(viewer, row, media)
      return { ...post, reason: reasonOf(viewer, post, row) }
    }),
    nextCursor,
  }
}

/** The closest relation is the reason. Who of a business wrote its post is told to the writer alone. */
function reasonOf(viewer: Viewer, post: Post, row: PostRow): FeedPost['reason'] {
  const name = post.business?.name ?? post.author?.name ?? ''
  if (row.id === viewer.id) return { kind: 'own', text: 'Your post' }
  if (row.is_member) return { kind: 'own', text: `You belong to ${name}` }
  if (row.is_subscriber) return { kind: 'subscription', text: `You subscribe to ${name}` }
  return { kind: post.business ? 'business' : 'person', text: `You follow ${name}` }
}
