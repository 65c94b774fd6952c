import type { MayReadMedia } from '../media/index.ts'
import { openPosts } from './posts.queries.ts'
import { viewerOf } from './viewer.ts'

/** Who may see a picture or video of a post, by the rule that holds for its words. */
export const mayReadPostMedia: MayReadMedia = async (db, actor, postIds, now) => {
  const posts = await openPosts(db, viewerOf(actor, now), postIds)
  if (posts.some((post) => post.is_public)) return 'public'
  return posts.some((post) => post.is_allowed) ? 'allowed' : 'denied'
}
