import type { Tx } from '../../db/connect.ts'
import type { Context } from '../../kernel/context.ts'
import { changePostCount, lockCommunity } from '../communities/index.ts'
import { lockPeople } from '../people/index.ts'
import { countTags } from './community-tags.ts'
import { changePostsCount } from './post-writes.queries.ts'

type Counted = { author_id: string; business_id: string | null; community_id: string | null; tags: readonly string[]; created_at: Date }

/** Holds what counts a post, before the post itself, as everywhere: the community, then the person. */
export async function lockCounts(tx: Tx, post: Pick<Counted, 'author_id' | 'community_id'>): Promise<void> {
  if (post.community_id !== null) await lockCommunity(tx, post.community_id, 'update')
  await lockPeople(tx, [post.author_id])
}

/**
 * Counts a post that comes into view (1) or goes out of it (-1): that of a community there with its tags, that under somebody's own name
 * with the person. One for a business is not counted: whose number rises would tell who wrote it. The caller holds them (`lockCounts`).
 */
export async function countShown(tx: Tx, post: Counted, by: 1 | -1, now: Date): Promise<void> {
  if (post.community_id !== null) {
    await changePostCount(tx, post.community_id, by)
    await countTags(tx, { communityId: post.community_id, tags: post.tags, createdAt: post.created_at }, by, now)
  } else if (post.business_id === null) await changePostsCount(tx, post.author_id, by)
}

/** Tells followers of a post that came into view. What is in a community is in its own lists alone. */
export async function announce(tx: Tx, ctx: Pick<Context, 'events'>, post: { id: string; community_id: string | null }): Promise<void> {
  if (post.community_id === null) await ctx.events.publish(tx, 'post.published', { postId: post.id })
}
