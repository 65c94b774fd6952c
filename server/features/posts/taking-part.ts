import type { Db } from '#server/db/connect.ts'
import { requireCommunity } from '#server/features/communities/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { PostFacts } from './posts.queries.ts'

/**
 * Required for every like, comment and vote. In a community, only members who aren't muted may take part; a post out of view accepts no
 * interaction. The caller has checked that the post is visible.
 * @throws AppError forbidden
 */
export async function requireTakingPart(
  db: Db,
  actor: Pick<Actor, 'id'>,
  post: Pick<PostFacts, 'community_id' | 'moderation'>,
  now: Date,
): Promise<void> {
  if (post.moderation !== null) throw new AppError('forbidden', { message: "This post isn't visible right now." })
  if (post.community_id !== null) await requireCommunity(db, actor, post.community_id, 'write', now)
}
