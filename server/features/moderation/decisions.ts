import { sql } from 'kysely'
import type { ActionReason, ModerationDecision } from '#contracts/moderation.ts'
import type { Person } from '#contracts/people.ts'
import type { Db } from '#server/db/connect.ts'
import { peopleById as readPeople, toPerson } from '#server/features/people/index.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import { affectedBy, areOwn, type ModeratorScope, reversalRefusals } from './may-act.ts'
import type { ModerationParts } from './subjects.ts'

export const decisions = (db: Db) =>
  db
    .selectFrom('moderation_actions')
    .leftJoin('communities', 'communities.id', 'moderation_actions.community_id')
    .leftJoin('moderation_appeals', 'moderation_appeals.action_id', 'moderation_actions.id')
    .leftJoin('moderation_cases', 'moderation_cases.id', 'moderation_actions.case_id')
    .selectAll('moderation_actions')
    .select([
      'moderation_cases.business_id',
      'communities.slug as community_slug',
      'communities.name as community_name',
      'moderation_appeals.id as appeal_id',
      'moderation_appeals.outcome as appeal_outcome',
    ])

export type DecisionRow = Awaited<ReturnType<ReturnType<typeof decisions>['execute']>>[number]

export const decisionRow = (db: Db, id: string) => decisions(db).where('moderation_actions.id', '=', id).executeTakeFirst()

export const decisionsOfCase = (db: Db, caseId: string) =>
  decisions(db).where('case_id', '=', caseId).orderBy('moderation_actions.created_at').orderBy('moderation_actions.id').execute()

/** The newest 20 about a person, without dismissals; community moderators see only those of their community. */
export const decisionsAbout = (db: Db, userId: string, moderatorScope: ModeratorScope) =>
  decisions(db)
    .where('moderation_actions.user_id', '=', userId)
    .where('moderation_actions.action', '<>', 'dismiss')
    .$if(moderatorScope.actsFor === 'community', (query) =>
      query.where('moderation_actions.community_id', '=', moderatorScope.actsFor === 'community' ? moderatorScope.communityId : ''),
    )
    .orderBy('moderation_actions.created_at', 'desc')
    .orderBy('moderation_actions.id', 'desc')
    .limit(20)
    .execute()

export const decisionsByIds = (db: Db, ids: readonly string[]) =>
  decisions(db).where(sql<boolean>`moderation_actions.id = any(${ids}::uuid[])`).orderBy('moderation_actions.id').execute()

type Undoable = Pick<DecisionRow, 'id' | 'subject' | 'subject_id' | 'user_id' | 'business_id' | 'community_id'>

/**
 * Returns, by action, why the actor can't undo it, or null if they can. Site moderators act for the site everywhere; others act as
 * moderators of the action's community.
 */
export async function undoRefusals(
  db: Db,
  parts: ModerationParts,
  actor: Actor,
  moderatorScope: ModeratorScope,
  rows: readonly Undoable[],
  now: Date,
): Promise<Map<string, string | null>> {
  const refusals = new Map<string, string | null>()
  const isForSite = hasRole(actor, 'moderator')
  for (const [communityId, decided] of Map.groupBy(rows, (row) => row.community_id)) {
    const isModerator = !isForSite && communityId !== null && (await parts.communities.moderates(db, actor, communityId, now))
    const asElsewhere: ModeratorScope = isForSite ? { actsFor: 'site' } : moderatorScope
    const scope: ModeratorScope = isModerator ? { actsFor: 'community', communityId } : asElsewhere
    const reversals = await reversalRefusals(db, parts, actor, scope, decided, 'undoing')
    for (const row of decided) refusals.set(row.id, scopeRefusal(actor.id, scope, row) ?? reversals.get(row.id) ?? null)
  }
  return refusals
}

function scopeRefusal(
  actorId: string,
  moderatorScope: ModeratorScope,
  decision: Pick<Undoable, 'user_id' | 'community_id'>,
): string | null {
  if (decision.user_id === actorId) return 'This concerns you, so another moderator has to decide it.'
  if (moderatorScope.actsFor === 'community' && decision.community_id !== moderatorScope.communityId)
    return 'Only the site’s moderators can undo this.'
  return null
}

/**
 * Actions as moderators see them, in the order of the rows. Community moderators don't see who acted for the site or the site's
 * internal notes. Those whom an action is about, or whose business it is about, see neither of any action.
 */
export async function toDecisions(
  db: Db,
  parts: ModerationParts,
  actor: Actor,
  moderatorScope: ModeratorScope,
  rows: readonly DecisionRow[],
  now: Date,
): Promise<ModerationDecision[]> {
  const personIds = rows.flatMap((row) => [row.moderator_id, row.undone_by])
  const people = await peopleById(db, personIds)
  const inForce = rows.filter((row) => row.undone_at === null)
  const refusals = await undoRefusals(db, parts, actor, moderatorScope, inForce, now)
  const areAboutActor = await areOwn(db, actor.id, await affectedBy(db, parts.subjects, rows))
  const isPrivate = rows.map((row, i) => areAboutActor[i] || (moderatorScope.actsFor === 'community' && row.community_id === null))
  return rows.map((row, i) => ({
    id: row.id,
    caseId: row.case_id,
    action: row.action,
    subject: row.subject,
    reason: row.reason as ActionReason,
    explanation: row.explanation,
    note: isPrivate[i] ? '' : row.note,
    community: communityOf(row),
    moderator: isPrivate[i] ? null : named(people, row.moderator_id),
    createdAt: row.created_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    undoneAt: row.undone_at?.toISOString() ?? null,
    undoneBy: isPrivate[i] ? null : named(people, row.undone_by),
    appeal: row.appeal_id === null ? null : (row.appeal_outcome ?? 'open'),
    mayUndo: refusals.get(row.id) === null,
  }))
}

type OfCommunity = { community_id: string | null; community_slug: string | null; community_name: string | null }

/** Shown instead of a deleted community's name. Actions keep its ID, because an action without one counts as the site's. */
export const deletedCommunity = 'a deleted community'

export const communityOf = ({ community_id: id, community_slug: slug, community_name: name }: OfCommunity) =>
  id === null ? null : { id, slug, name: name ?? deletedCommunity }

/** People by ID, with real names: moderators must see whose hidden profile it is. */
export const peopleById = (db: Db, ids: readonly (string | null)[]): Promise<Map<string, Person>> =>
  readPeople(db, ids, (row) => toPerson({ ...row, profile_moderation: null }))

export const named = (people: ReadonlyMap<string, Person>, id: string | null): { id: string; name: string } | null => {
  const person = id === null ? undefined : people.get(id)
  return person ? { id: person.id, name: person.name } : null
}
