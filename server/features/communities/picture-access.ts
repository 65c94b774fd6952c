import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { readCommunities } from './read-communities.ts'

/** A community's picture is for whom the community exists. Whoever has a link to a private one sees its picture once they are in. */
export async function mayReadCommunityPicture(
  db: Db,
  actor: Actor | null,
  mediaId: string,
  now: Date,
): Promise<'allowed' | 'denied' | 'unattached'> {
  const community = await db.selectFrom('communities').select('id').where('image_id', '=', mediaId).executeTakeFirst()
  if (!community) return 'unattached'
  if (!actor) return 'denied'
  const [known] = await readCommunities(db, actor, [community.id], now)
  return known ? 'allowed' : 'denied'
}
