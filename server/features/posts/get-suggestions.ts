import type { FeedPost, feedTypes } from '../../../contracts/posts.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { suggestedPosts } from './feed.queries.ts'
import { idsOf } from './list-business-posts.ts'
import { loadPosts } from './read-posts.ts'
import { viewerOf } from './viewer.ts'

const mostSuggestions = 10
/** From how many likes of the last seven days on we speak of "many". */
export const manyLikes = 5

/** Recent posts of businesses that the person has nothing to do with yet, the best liked first. */
export async function getSuggestions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  actor: Actor,
  query: { type?: (typeof feedTypes)[number] | undefined },
): Promise<FeedPost[]> {
  const now = clock.now()
  const viewer = viewerOf(actor, now)
  const found = await suggestedPosts(db, viewer, { type: query.type ?? null, now, manyLikes, limit: mostSuggestions })
  const areLikedByMany = new Map(found.map((row) => [row.id, row.is_liked_by_many]))
  return (await loadPosts(db, viewer, idsOf(found))).map((post) => ({
    ...post,
    reason: {
      kind: 'suggestion',
      text: areLikedByMany.get(post.id) ? 'Suggested: liked by many this week' : 'Suggested: new from businesses you might like',
    },
  }))
}
