import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { requireCommunity } from '../communities/index.ts'
import type { PostFacts } from './posts.queries.ts'

/**
 * The gate of every answer to a post: likes, comments, votes. In a community its members take part, unless they are muted; what was
 * taken from view is answered by nobody. Whether the post is there to see is asked before.
 * @throws AppError forbidden
 */
export async function requireTakingPart(
  db: Db,
  actor: Pick<Actor, 'id'>,
  post: Pick<PostFacts, 'community_id' | 'moderation'>,
  now: Date,
): Promise<void> {
  if (post.moderation !== null) throw new AppError('forbidden', { message: 'This post is not shown at the moment.' })
  if (post.community_id !== null) await requireCommunity(db, actor, post.community_id, 'write', now)
}
