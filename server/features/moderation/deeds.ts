import { sql } from 'kysely'
import type { ActionReason, ModerationDeed } from '../../../contracts/moderation.ts'
import type { Db } from '../../db/connect.ts'
import { named, peopleById } from './people.ts'
import type { Seat } from './seats.ts'

/** A row of `moderation_actions`, with its community and its appeal. What moderators do is called a deed in words of our own. */
export const deeds = (db: Db) =>
  db
    .selectFrom('moderation_actions')
    .leftJoin('communities', 'communities.id', 'moderation_actions.community_id')
    .leftJoin('moderation_appeals', 'moderation_appeals.action_id', 'moderation_actions.id')
    .selectAll('moderation_actions')
    .select([
      'communities.slug as community_slug',
      'communities.name as community_name',
      'moderation_appeals.id as appeal_id',
      'moderation_appeals.outcome as appeal_outcome',
    ])

export type DeedRow = Awaited<ReturnType<ReturnType<typeof deeds>['execute']>>[number]

export const deedRow = (db: Db, id: string) => deeds(db).where('moderation_actions.id', '=', id).executeTakeFirst()

/** Oldest first. */
export const deedsOfCase = (db: Db, caseId: string) =>
  deeds(db).where('case_id', '=', caseId).orderBy('moderation_actions.created_at').orderBy('moderation_actions.id').execute()

/** The newest 20 about a person: for a community's moderators those of the community. */
export const deedsAbout = (db: Db, userId: string, seat: Seat) =>
  deeds(db)
    .where('moderation_actions.user_id', '=', userId)
    .where('moderation_actions.action', '<>', 'dismiss')
    .$if(seat.actsFor === 'community', (query) =>
      query.where('moderation_actions.community_id', '=', seat.actsFor === 'community' ? seat.communityId : ''),
    )
    .orderBy('moderation_actions.created_at', 'desc')
    .orderBy('moderation_actions.id', 'desc')
    .limit(20)
    .execute()

/** Oldest first. */
export const deedsByIds = (db: Db, ids: readonly string[]) =>
  deeds(db).where(sql<boolean>`moderation_actions.id = any(${ids}::uuid[])`).orderBy('moderation_actions.id').execute()

/** Why somebody may not take an action back; null where they may. */
export function undoRefusal(actorId: string, seat: Seat, deed: Pick<DeedRow, 'user_id' | 'community_id'>): string | null {
  if (deed.user_id === actorId) return 'This concerns you: another moderator decides about it.'
  if (seat.actsFor === 'community' && deed.community_id !== seat.communityId) return 'This was done for the whole site.'
  return null
}

/**
 * As moderators see them, in the order of the rows. Who acted for the site, and what they note for each other, is not for those of a
 * community.
 */
export async function toDeeds(db: Db, actorId: string, seat: Seat, rows: readonly DeedRow[]): Promise<ModerationDeed[]> {
  const people = await peopleById(
    db,
    rows.flatMap((row) => [row.moderator_id, row.undone_by]),
  )
  const isForSite = (row: DeedRow) => seat.actsFor === 'community' && row.community_id === null
  return rows.map((row) => ({
    id: row.id,
    caseId: row.case_id,
    action: row.action,
    subject: row.subject,
    reason: row.reason as ActionReason,
    explanation: row.explanation,
    note: isForSite(row) ? '' : row.note,
    community: communityOf(row),
    moderator: isForSite(row) ? null : named(people, row.moderator_id),
    createdAt: row.created_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    undoneAt: row.undone_at?.toISOString() ?? null,
    undoneBy: isForSite(row) ? null : named(people, row.undone_by),
    appeal: row.appeal_id === null ? null : (row.appeal_outcome ?? 'open'),
    mayUndo: row.undone_at === null && undoRefusal(actorId, seat, row) === null,
  }))
}

type OfCommunity = { community_id: string | null; community_slug: string | null; community_name: string | null }

export const communityOf = ({ community_id: id, community_slug: slug, community_name: name }: OfCommunity) =>
  id === null || slug === null || name === null ? null : { id, slug, name }
