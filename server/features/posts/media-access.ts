import type { Db } from '../../db/connect.ts'
import { mediaAccess } from './posts.queries.ts'
import type { Viewer } from './viewer.ts'

/**
 * Who may see a picture or video of a post, by the rule that holds for its words.
 * - `public`: everybody, visitors too, until it is deleted or made exclusive
 * - `allowed`: this viewer, but not everybody: no cache may show it without asking
 * - `denied`: the post is locked for this viewer, or not visible
 * - `unattached`: it is on no post
 */
export type MediaAccess = 'public' | 'allowed' | 'denied' | 'unattached'

export async function mayReadPostMedia(db: Db, viewer: Viewer | null, mediaId: string): Promise<MediaAccess> {
  const access = await mediaAccess(db, viewer, mediaId)
  if (!access) return 'unattached'
  if (access.is_public) return 'public'
  return access.is_allowed ? 'allowed' : 'denied'
}
