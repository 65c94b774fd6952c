import type { FeedPost, feedTypes, Post } from '../../../contracts/posts.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { feedKeys } from './feed.queries.ts'
import { idsOf, keyOfPost, type PageQuery } from './list-business-posts.ts'
import type { PostRow } from './posts.queries.ts'
import { loadPostsWithRows } from './read-posts.ts'
import { type Viewer, viewerOf } from './viewer.ts'

type FeedQuery = PageQuery & { type?: (typeof feedTypes)[number] | undefined }

/** Posts of whom the person follows, and their own, newest first; each with the reason why it is there. */
export async function getFeed({ db, clock }: Pick<Context, 'db' | 'clock'>, actor: Actor, query: FeedQuery): Promise<Page<FeedPost>> {
  const viewer = viewerOf(actor, clock.now())
  const after = decodeCursor(query.cursor, ['time', 'id'])
  const keys = await feedKeys(db, viewer, { type: query.type ?? null, after, limit: query.limit + 1 })
  const { items, nextCursor } = toPage(keys, query.limit, keyOfPost)
  const found = await loadPostsWithRows(db, viewer, idsOf(items))
  return { items: found.map(({ post, row }) => ({ ...post, reason: reasonOf(viewer, post, row) })), nextCursor }
}

/** The closest relation is the reason. Who of a business wrote its post is told to the writer alone. */
function reasonOf(viewer: Viewer, post: Post, row: PostRow): FeedPost['reason'] {
  const name = post.business?.name ?? post.author?.name ?? ''
  if (row.id === viewer.id) return { kind: 'own', text: 'Your post' }
  if (row.is_member) return { kind: 'own', text: `You belong to ${name}` }
  if (row.is_subscriber) return { kind: 'subscription', text: `You subscribe to ${name}` }
  return { kind: post.business ? 'business' : 'person', text: `You follow ${name}` }
}
