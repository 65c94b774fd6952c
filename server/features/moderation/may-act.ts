import { sql } from 'kysely'
import type { Role } from '#contracts/accounts.ts'
import { moderationActions } from '#contracts/moderation.rules.ts'
import { type ActsFor, communityActions, type ModerationAction } from '#contracts/moderation.ts'
import type { Db } from '#server/db/connect.ts'
import { type Actor, hasRole } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import type { SubjectFacts } from '#server/kernel/moderated-subject.ts'
import { type CommunityModeration, findSubject, findSubjects, type ModerationParts } from './subjects.ts'

/** The person affected by a decision, relative to the decider. */
export type AffectedPerson = {
  isActor: boolean
  isOfActorsBusiness: boolean
  role: Role
  communityRole: 'owner' | 'moderator' | 'member' | null
  /** Held by a filter or flagged by a check, not reported. */
  isFromFilter: boolean
  /** Still held by a filter, and no one has reported it. */
  isOnlyHeld: boolean
}

export type Decider = { moderatorScope: ModeratorScope; role: Role; communityRole: 'owner' | 'moderator' | 'member' | null }

/**
 * Returns why the decider can't decide a case, or null if they can. No one decides about themselves or their business. Reports about
 * moderators go to a higher role, except that admins may decide about each other, and that a community's moderators may release each
 * other's held content (`mayOnlyRelease`).
 */
export function decisionRefusal(decider: Decider, concerned: AffectedPerson): string | null {
  const conflict = conflictOfInterest(concerned)
  if (conflict !== null) return conflict
  if (decider.moderatorScope.actsFor === 'community') {
    if (concerned.role !== 'member') return 'This is about a moderator of the site, so the site’s admins have to decide it.'
    if (concerned.isOnlyHeld) return null
    if (concerned.communityRole === 'owner') return 'This is about the owner of the community, so the site’s moderators have to decide it.'
    if (concerned.communityRole === 'moderator' && decider.communityRole !== 'owner') {
      return 'This is about a moderator of the community, so its owner has to decide it.'
    }
    return null
  }
  if (!hasRole(decider, concerned.role)) return 'This is about an admin, so another admin has to decide it.'
  if (concerned.role === 'moderator' && decider.role === 'moderator' && !concerned.isFromFilter) {
    return 'This is about another moderator, so an admin has to decide it.'
  }
  return null
}

type Conflict = Pick<AffectedPerson, 'isActor' | 'isOfActorsBusiness'>

/** Returns why a case is about the actor or their business, or null if it isn't. Such actors can neither claim it nor see its reporters. */
export function conflictOfInterest({ isActor, isOfActorsBusiness }: Conflict): string | null {
  if (isActor) return 'This is about you, so another moderator has to decide it.'
  return isOfActorsBusiness ? 'You’re on this business’s team, so another moderator has to decide this case.' : null
}

/** Community moderators can approve held content of people they couldn't act against, and nothing else. */
export const mayOnlyRelease = (decider: Decider, concerned: AffectedPerson): boolean =>
  concerned.isOnlyHeld && decisionRefusal(decider, { ...concerned, isOnlyHeld: false }) !== null

type About = {
  subject: string
  community_id: string | null
  user_id: string | null
  business_id: string | null
  source: 'report' | 'filter' | 'check'
  reports_count: number
}

type Affected<Row = About> = { row: Row; facts: SubjectFacts | undefined }
type Whose = Pick<About, 'user_id' | 'business_id'>
type Between = { userId: string | null; decider: Decider; concerned: AffectedPerson }

export async function rolesBetween(db: Db, actor: Actor, moderatorScope: ModeratorScope, row: About, facts: SubjectFacts | undefined) {
  const [between] = await allRolesBetween(db, actor, moderatorScope, [{ row, facts }])
  return between as Between
}

async function allRolesBetween(db: Db, actor: Actor, moderatorScope: ModeratorScope, affected: readonly Affected[]): Promise<Between[]> {
  const userIds = affected.map(({ row, facts }) => facts?.userId ?? row.user_id)
  const communityId = moderatorScope.actsFor === 'community' ? moderatorScope.communityId : null
  const [roles, conflicts] = await Promise.all([
    rolesOf(db, [actor.id, ...userIds.filter((id) => id !== null)], communityId),
    conflictsOf(db, actor.id, affected),
  ])
  const decider: Decider = { moderatorScope, role: actor.role, communityRole: roles.get(actor.id)?.community_role ?? null }
  return affected.map(({ row, facts }, i) => {
    const userId = userIds[i] ?? null
    const target = userId === null ? undefined : roles.get(userId)
    const isFromFilter = row.source !== 'report' && row.reports_count === 0
    const concerned: AffectedPerson = {
      ...(conflicts[i] as Conflict),
      role: target?.role ?? 'member',
      communityRole: target?.community_role ?? null,
      isFromFilter,
      isOnlyHeld: isFromFilter && facts?.state === 'held',
    }
    return { userId, decider, concerned }
  })
}

async function conflictsOf(db: Db, actorId: string, affected: readonly Affected<Whose>[]): Promise<Conflict[]> {
  const businesses = affected.map(({ row, facts }) => facts?.businessId ?? row.business_id)
  const ownBusinesses = await teamsOf(
    db,
    actorId,
    businesses.filter((id) => id !== null),
  )
  return affected.map(({ row, facts }, i) => ({
    isActor: (facts?.userId ?? row.user_id) === actorId,
    isOfActorsBusiness: ownBusinesses.has(businesses[i] ?? ''),
  }))
}

/** Returns, in the order of the rows, whether each is about the actor or their business. They don't see what moderators know about it. */
export const areOwn = async (db: Db, actorId: string, affected: readonly Affected<Whose>[]): Promise<boolean[]> =>
  (await conflictsOf(db, actorId, affected)).map((conflict) => conflictOfInterest(conflict) !== null)

type Done = {
  id: string
  subject: keyof ModerationParts['subjects']
  subject_id: string
  community_id: string | null
  user_id: string | null
  business_id: string | null
}

/**
 * Returns, by action, why the actor can't reverse it or judge an appeal against it, or null if they can. The rules are the same as for
 * deciding, except that a moderator may judge another moderator's appeal, because the only admin may be the one who acted.
 */
export async function reversalRefusals(
  db: Db,
  { subjects }: Pick<ModerationParts, 'subjects'>,
  actor: Actor,
  moderatorScope: ModeratorScope,
  decisions: readonly Done[],
  by: 'undoing' | 'appeal',
): Promise<Map<string, string | null>> {
  if (decisions.length === 0) return new Map()
  const affected = await affectedBy(db, subjects, decisions)
  const reported = affected.map(({ row, facts }) => ({ row: { ...row, source: 'report' as const, reports_count: 1 }, facts }))
  const between = await allRolesBetween(db, actor, moderatorScope, reported)
  return new Map(
    between.map(({ decider, concerned }, i) => [
      decisions[i]?.id as string,
      decisionRefusal(decider, { ...concerned, isFromFilter: by === 'appeal' }),
    ]),
  )
}

/** The person is the one whom the decision is about, although a teammate may have edited the content since. */
export async function affectedBy<Row extends Done>(db: Db, subjects: ModerationParts['subjects'], decisions: readonly Row[]) {
  const found = await findSubjects(db, subjects, decisions)
  return decisions.map((row, i): Affected<Row> => ({ row, facts: found[i] && { ...found[i], userId: row.user_id } }))
}

async function rolesOf(db: Db, userIds: readonly string[], communityId: string | null) {
  const rows = await db
    .selectFrom('users')
    .leftJoin('community_members', (join) =>
      join.onRef('community_members.user_id', '=', 'users.id').on('community_members.community_id', '=', communityId),
    )
    .select(['users.id', 'users.role', 'community_members.role as community_role'])
    .where(sql<boolean>`users.id = any(${userIds}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the IDs of the businesses whose team the person is on. */
async function teamsOf(db: Db, userId: string, businessIds: readonly string[]): Promise<Set<string>> {
  if (businessIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('business_members')
    .select('business_id')
    .where('user_id', '=', userId)
    .where(sql<boolean>`business_id = any(${businessIds}::uuid[])`)
    .execute()
  return new Set(rows.map((row) => row.business_id))
}

/** Actions that make sense in the subject's moderation state. */
function actionsFor(moderatorScope: ModeratorScope, facts: SubjectFacts | undefined, hasPerson: boolean): ModerationAction[] {
  const all: readonly ModerationAction[] = moderatorScope.actsFor === 'site' ? moderationActions : communityActions
  return all.filter((action) => {
    if (action === 'approve') return facts?.state != null
    if (action === 'dismiss') return facts?.state !== 'held'
    if (action === 'hide') return facts !== undefined && facts.state !== 'hidden'
    if (action === 'remove') return facts !== undefined && facts.state !== 'removed'
    return hasPerson
  })
}

type CaseOfSubject = About & { subject_id: string; subject: keyof ModerationParts['subjects'] }

export async function rolesInCase(
  db: Db,
  { subjects }: ModerationParts,
  actor: Actor,
  moderatorScope: ModeratorScope,
  row: CaseOfSubject,
): Promise<Between & { facts: SubjectFacts | undefined }> {
  const facts = await findSubject(db, subjects, row.subject, row.subject_id)
  return { ...(await rolesBetween(db, actor, moderatorScope, row, facts)), facts }
}

export function possibleActions(
  moderatorScope: ModeratorScope,
  { userId, decider, concerned, facts }: Awaited<ReturnType<typeof rolesInCase>>,
  status: 'open' | 'decided',
): { mayDo: ModerationAction[]; refusal: string | null } {
  if (status === 'decided') return { mayDo: [], refusal: 'This case is already decided.' }
  const refusal = decisionRefusal(decider, concerned)
  if (refusal !== null) return { mayDo: [], refusal }
  return { mayDo: mayOnlyRelease(decider, concerned) ? ['approve'] : actionsFor(moderatorScope, facts, userId !== null), refusal }
}

/** Returns why a decision doesn't fit the case, or null if it does. */
export function decisionMismatch(
  moderatorScope: ModeratorScope,
  facts: SubjectFacts | undefined,
  hasPerson: boolean,
  actions: readonly ModerationAction[],
): string | null {
  const possible = actionsFor(moderatorScope, facts, hasPerson)
  const decidesThing = actions.some((action) => ['approve', 'hide', 'remove'].includes(action))
  if (facts?.state === 'held' && !decidesThing) return 'It’s held for review. Approve it, hide it or remove it.'
  const wrong = actions.find((action) => !possible.includes(action))
  if (wrong === undefined) return null
  if (facts === undefined && ['approve', 'hide', 'remove'].includes(wrong))
    return 'It no longer exists. Dismiss the case, or act on the person.'
  if (wrong === 'suspend' && moderatorScope.actsFor === 'community') return 'A community can’t suspend anyone; the site’s moderators can.'
  return hasPerson ? 'This has already been done.' : 'There’s no person this applies to.'
}

export type ModeratorScope = { actsFor: 'site' } | { actsFor: 'community'; communityId: string }

type Concern = { subject: string; community_id: string | null; is_for_site: boolean }

/**
 * Returns the community if the actor moderates it and the case is open to community moderators, otherwise the site. People who moderate
 * both can choose.
 * @throws AppError not_found for anyone else; second_factor_required for a moderator without it
 */
export async function requireModeratorScope(
  db: Db,
  communities: CommunityModeration,
  actor: Actor,
  concern: Concern,
  now: Date,
  { chosen, missing = 'Case not found.' }: { chosen?: ActsFor | undefined; missing?: string } = {},
): Promise<ModeratorScope> {
  const { community_id: communityId, is_for_site: isForSite } = concern
  if (chosen !== 'site' && communityId !== null && !isForSite && (await communities.moderates(db, actor, communityId, now))) {
    return { actsFor: 'community', communityId }
  }
  if (chosen === 'community') throw notFound(missing)
  if (hasRole(actor, 'moderator')) return { actsFor: 'site' }
  if (actor.grantedRole !== 'member') throw new AppError('second_factor_required')
  throw notFound(missing)
}

/** @throws AppError forbidden or second_factor_required for the site, not_found for a community that the actor doesn't moderate */
export async function requireModeratorScopeFor(
  db: Db,
  communities: CommunityModeration,
  actor: Actor,
  scope: string,
  now: Date,
): Promise<ModeratorScope> {
  if (scope !== 'site') {
    if (!(await communities.moderates(db, actor, scope, now))) throw notFound('Queue not found.')
    return { actsFor: 'community', communityId: scope }
  }
  if (hasRole(actor, 'moderator')) return { actsFor: 'site' }
  throw new AppError(actor.grantedRole === 'member' ? 'forbidden' : 'second_factor_required')
}
