import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Actor, hasRole } from '../../kernel/actor.ts'
import type { MayReadMedia } from '../media/index.ts'
import type { CommunityModeration } from './ports.ts'

/**
 * Pictures and videos of what a case is about, for those who decide it: the site's moderators, and for what is not the site's alone
 * those of the community. To everybody else this knows nothing of any file.
 */
export const mayReadCaseMedia =
  (communities: CommunityModeration): MayReadMedia =>
  async (db, actor, mediaId, now) => {
    if (!actor) return 'unattached'
    const isOfSite = hasRole(actor, 'moderator')
    if (!isOfSite && !(await moderatesAny(db, actor))) return 'unattached'
    const cases = await casesWith(db, mediaId)
    if (isOfSite && cases.length > 0) return 'allowed'
    for (const { community_id: communityId, is_for_site: isForSite } of cases) {
      if (communityId !== null && !isForSite && (await communities.moderates(db, actor, communityId, now))) return 'allowed'
    }
    return 'unattached'
  }

const moderatesAny = async (db: Db, actor: Actor): Promise<boolean> =>
  (await db
    .selectFrom('community_members')
    .select('user_id')
    .where('user_id', '=', actor.id)
    .where('role', '<>', 'member')
    .limit(1)
    .executeTakeFirst()) !== undefined

const casesWith = async (db: Db, mediaId: string) => {
  const { rows } = await sql<{ community_id: string | null; is_for_site: boolean }>`
    select community_id, is_for_site from moderation_cases join (
      select 'post' as subject, post_id as id from post_media where media_id = ${mediaId}::uuid
      union all select 'message', message_id from message_media where media_id = ${mediaId}::uuid
      union all select 'community', id from communities where image_id = ${mediaId}::uuid
      union all select 'business', id from businesses where image_id = ${mediaId}::uuid
      union all select 'person', id from users where image_id = ${mediaId}::uuid
    ) as shown on shown.subject = moderation_cases.subject and shown.id = moderation_cases.subject_id`.execute(db)
  return rows
}
