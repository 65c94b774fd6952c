import { sql } from 'kysely'
import type { CommunitySuggestion } from '../../../contracts/communities.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { isNotBlocked } from '../people/index.ts'
import { isListed } from './communities.queries.ts'
import { isBanned } from './community-access.ts'
import { readCommunities } from './read-communities.ts'

const mostSuggestions = 5
/** Fewer would tell of one person where they are. */
const fewestPeople = 3

/**
 * Communities to join: those that several whom one follows are in, then those of categories one is in, then the largest. A private one
 * is neither suggested nor a reason, and of people with a profile that is not public nothing follows. Where there are few, few are
 * answered.
 */
export async function suggestCommunities(db: Db, actor: Pick<Actor, 'id'>, now: Date): Promise<CommunitySuggestion[]> {
  const viewer = sql`${actor.id}::uuid`
  const { rows } = await sql<{ id: string; people: number; is_known_category: boolean }>`
    with mine as (
      select distinct communities.category from community_members join communities on communities.id = community_members.community_id
      where community_members.user_id = ${viewer} and communities.visibility <> 'private'),
    followed as (
      select community_members.community_id, count(*)::integer as people
      from person_follows
      join users on users.id = person_follows.person_id and users.is_profile_public
      join community_members on community_members.user_id = person_follows.person_id
      join communities on communities.id = community_members.community_id and communities.visibility = 'public'
      where person_follows.follower_id = ${viewer} and ${isNotBlocked(viewer, sql`person_follows.person_id`)}
      group by community_members.community_id having count(*) >= ${fewestPeople})
    select communities.id, coalesce(followed.people, 0) as people, communities.category in (select category from mine) as is_known_category
    from communities left join followed on followed.community_id = communities.id
    where ${isListed}
      and not exists (select from community_members
        where community_members.community_id = communities.id and community_members.user_id = ${viewer})
      and not exists (select from community_requests
        where community_requests.community_id = communities.id and community_requests.user_id = ${viewer})
      and not ${isBanned(viewer, sql`communities.id`, sql<Date>`${now}::timestamptz`)}
    order by people desc, is_known_category desc, communities.member_count desc, communities.id desc
    limit ${mostSuggestions}`.execute(db)
  const reasons = new Map(rows.map((row) => [row.id, row]))
  const communities = await readCommunities(db, actor, [...reasons.keys()], now)
  return communities.map((community) => {
    const reason = reasons.get(community.id)
    return { community, because: reason?.people ? 'people' : reason?.is_known_category ? 'category' : 'size' }
  })
}
