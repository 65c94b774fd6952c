import { sql } from 'kysely'
import { hasRole } from '../../kernel/actor.ts'
import type { MayReadMediaOfCase } from '../media/index.ts'
import type { CommunityModeration } from './ports.ts'

/**
 * Pictures and videos of what a case is about, for those who decide it: the site's moderators, and those of the community where the case
 * isn't the site's alone. A case names its subject as `media_uses` does.
 */
export const mayReadCaseMedia =
  (communities: CommunityModeration): MayReadMediaOfCase =>
  async (db, actor, uses, now) => {
    const { rows: cases } = await sql<{ community_id: string | null; is_for_site: boolean }>`
      select community_id, is_for_site
      from json_to_recordset(${JSON.stringify(uses)}::json) as used (kind text, "subjectId" uuid)
      join moderation_cases on moderation_cases.subject = used.kind and moderation_cases.subject_id = used."subjectId"`.execute(db)
    if (cases.length > 0 && hasRole(actor, 'moderator')) return true
    for (const { community_id: communityId, is_for_site: isForSite } of cases) {
      if (communityId !== null && !isForSite && (await communities.moderates(db, actor, communityId, now))) return true
    }
    return false
  }
