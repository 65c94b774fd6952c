import type { Db } from '../../db/connect.ts'
import { type Actor, hasRole } from '../../kernel/actor.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import type { CommunityModeration } from './ports.ts'

/** In whose name somebody moderates. */
export type Seat = { actsFor: 'site' } | { actsFor: 'community'; communityId: string }

type Concern = { subject: string; community_id: string | null; is_for_site: boolean }

/**
 * In whose name somebody looks at a case: a community's moderator for the community where the case is one of theirs, else one of the
 * site's for the site. Whoever is neither does not learn that there is a case.
 * @throws AppError not_found, second_factor_required
 */
export async function requireSeat(
  db: Db,
  communities: CommunityModeration,
  actor: Actor,
  concern: Concern,
  now: Date,
  missing = 'There is no such case.',
): Promise<Seat> {
  const { community_id: communityId, is_for_site: isForSite } = concern
  if (communityId !== null && !isForSite && (await communities.moderates(db, actor, communityId, now))) {
    return { actsFor: 'community', communityId }
  }
  if (hasRole(actor, 'moderator')) return { actsFor: 'site' }
  if (actor.heldRole !== 'member') throw new AppError('second_factor_required')
  throw notFound(missing)
}

/** The seat for a whole queue. @throws AppError forbidden, second_factor_required, not_found for a community that one does not moderate */
export async function requireSeatFor(db: Db, communities: CommunityModeration, actor: Actor, scope: string, now: Date): Promise<Seat> {
  if (scope !== 'site') {
    if (!(await communities.moderates(db, actor, scope, now))) throw notFound('There is no such queue.')
    return { actsFor: 'community', communityId: scope }
  }
  if (hasRole(actor, 'moderator')) return { actsFor: 'site' }
  throw new AppError(actor.heldRole === 'member' ? 'forbidden' : 'second_factor_required')
}
