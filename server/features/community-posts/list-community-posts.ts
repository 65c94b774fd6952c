import type { CommunityPost, listCommunityPosts as contract } from '../../../contracts/community-posts.ts'
import type { Parsed } from '../../../contracts/endpoint.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { invalidField } from '../../kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '../../kernel/keyset.ts'
import { requireCommunity } from '../communities/index.ts'
import { loadPosts, viewerOf } from '../posts/index.ts'
import { memberPostKeys, type PostKey, pinnedKeys, postKeys } from './community-posts.queries.ts'
import { toCommunityPost } from './community-posts.view.ts'
import { mostPins } from './pin-post.ts'

type Query = Parsed<(typeof contract)['query']>

/**
 * Posts of a community, or of all that the person is in; newest first.
 * @throws AppError not_found for whom the community does not exist, forbidden for whoever may see it but not read it
 */
export async function listCommunityPosts(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  { communityId, type, tag, pinned, limit, cursor }: Query,
): Promise<Page<CommunityPost>> {
  const now = clock.now()
  const selection = { type, tag, after: decodeCursor(cursor, ['time', 'id']), limit: limit + 1 }
  const show = async (keys: readonly PostKey[]) =>
    (
      await loadPosts(
        db,
        viewerOf(actor, now),
        keys.map(({ id }) => id),
      )
    ).flatMap((post) => toCommunityPost(post) ?? [])

  if (communityId === undefined) {
    if (pinned) throw invalidField('pinned', 'Only with a community')
    const { items, nextCursor } = toPage(await memberPostKeys(db, actor.id, selection, now), limit, keyOf)
    return { items: await show(items), nextCursor }
  }
  await requireCommunity(db, actor, communityId, 'read', now)
  if (pinned) return { items: await show(await pinnedKeys(db, actor.id, communityId, mostPins)), nextCursor: null }
  const { items, nextCursor } = toPage(await postKeys(db, actor.id, communityId, selection), limit, keyOf)
  return { items: await show(items), nextCursor }
}

const keyOf = (row: PostKey) => [row.created_at.toISOString(), row.id] as const
