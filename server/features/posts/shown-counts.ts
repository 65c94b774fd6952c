import type { Tx } from '#server/db/connect.ts'
import { changePostCount, lockCommunity } from '#server/features/communities/index.ts'
import { lockPeople } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { countTags } from './community-tags.ts'
import { changePostsCount } from './post-writes.queries.ts'

type Counted = { author_id: string; business_id: string | null; community_id: string | null; tags: readonly string[]; created_at: Date }

/** Locks a post's counters before the post itself: the community, then the person. */
export async function lockCounts(tx: Tx, post: Pick<Counted, 'author_id' | 'community_id'>): Promise<void> {
  if (post.community_id !== null) await lockCommunity(tx, post.community_id, 'update')
  await lockPeople(tx, [post.author_id])
}

/**
 * Counts a post that becomes visible (1) or hidden (-1): in its community, with its tags, or for its author. Posts for a business aren't
 * counted, because the number would reveal the author. The caller has locked the counters (`lockCounts`).
 */
export async function countShown(tx: Tx, post: Counted, by: 1 | -1, now: Date): Promise<void> {
  if (post.community_id !== null) {
    await changePostCount(tx, post.community_id, by)
    await countTags(tx, { communityId: post.community_id, tags: post.tags, createdAt: post.created_at }, by, now)
  } else if (post.business_id === null) await changePostsCount(tx, post.author_id, by)
}

/** Announces a newly visible post to followers. Community posts appear only in the community's own lists. */
export async function announce(tx: Tx, ctx: Pick<Context, 'events'>, post: { id: string; community_id: string | null }): Promise<void> {
  if (post.community_id === null) await ctx.events.publish(tx, 'post.published', { postId: post.id })
}
