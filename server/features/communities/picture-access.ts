import type { MayReadMedia } from '../media/index.ts'
import { readCommunities } from './read-communities.ts'

/** A community's picture is for those for whom the community exists; people with a link to a private one see it once they are in. */
export const mayReadCommunityPicture: MayReadMedia = async (db, actor, communityIds, now) => {
  const known = await readCommunities(db, actor, communityIds, now)
  return known.length > 0
}
