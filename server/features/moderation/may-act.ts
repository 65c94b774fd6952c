import type { Role } from '../../../contracts/accounts.ts'
import { communityActions, type ModerationAction, moderationActions } from '../../../contracts/moderation.ts'
import type { Db } from '../../db/connect.ts'
import { type Actor, hasRole } from '../../kernel/actor.ts'
import type { ModerationParts } from './ports.ts'
import type { Seat } from './seats.ts'
import { findSubject, type SubjectFacts } from './subjects.ts'

/** Whom a decision concerns, and how they stand to whoever decides. */
export type Concerned = {
  isActor: boolean
  /** Of the team of the business that it is about. */
  isOfActorsBusiness: boolean
  role: Role
  communityRole: 'owner' | 'moderator' | 'member' | null
  /** Held by a filter or flagged by a check, not reported: no one complains about them. */
  isOnlyHeld: boolean
}

export type Decider = { seat: Seat; role: Role; communityRole: 'owner' | 'moderator' | 'member' | null }

/**
 * Why somebody may not decide a case; null where they may. Nobody decides about themselves or their business, and nobody about whoever
 * has as much to say as they have, or more: a moderator's case is an admin's. Admins decide about each other.
 */
export function decisionRefusal(decider: Decider, concerned: Concerned): string | null {
  if (concerned.isActor) return 'This is about you: another moderator decides it.'
  if (concerned.isOfActorsBusiness) return 'You are in the team of this business: another moderator decides it.'
  if (decider.seat.actsFor === 'community') {
    if (concerned.role !== 'member') return 'This is about a moderator of the site: the site’s admins decide it.'
    if (concerned.communityRole === 'owner') return 'This is about the owner of the community: the site’s moderators decide it.'
    if (concerned.communityRole === 'moderator' && decider.communityRole !== 'owner') {
      return 'This is about a moderator of the community: its owner decides it.'
    }
    return null
  }
  if (!hasRole(decider, concerned.role)) return 'This is about an admin: another admin decides it.'
  if (concerned.role === 'moderator' && decider.role === 'moderator' && !concerned.isOnlyHeld) {
    return 'This is about another moderator: an admin decides it.'
  }
  return null
}

type About = {
  subject: string
  community_id: string | null
  user_id: string | null
  source: 'report' | 'filter' | 'check'
  reports_count: number
}

/** How the actor and whom a case is about stand to each other, as it is now. */
export async function standingBetween(db: Db, actor: Actor, seat: Seat, row: About, facts: SubjectFacts | undefined) {
  const userId = facts?.userId ?? row.user_id
  const communityId = seat.actsFor === 'community' ? seat.communityId : null
  const [own, theirs, isOfActorsBusiness] = await Promise.all([
    rolesOf(db, actor.id, communityId),
    userId === null ? undefined : rolesOf(db, userId, communityId),
    facts?.businessId ? isOfTeam(db, actor.id, facts.businessId) : false,
  ])
  const decider: Decider = { seat, role: actor.role, communityRole: own?.community_role ?? null }
  const concerned: Concerned = {
    isActor: userId === actor.id,
    isOfActorsBusiness,
    role: theirs?.role ?? 'member',
    communityRole: theirs?.community_role ?? null,
    isOnlyHeld: row.source !== 'report' && row.reports_count === 0,
  }
  return { userId, decider, concerned }
}

type Done = { subject: string; subject_id: string; community_id: string | null; user_id: string | null }

/**
 * Why somebody may not take back what was done, or judge an appeal against it; null where they may. As with deciding: not for themselves,
 * for their business, or for whoever has more to say. Only of an appeal peers are judges, too: the one admin may be who acted.
 */
export async function reversalRefusal(
  db: Db,
  { subjects }: Pick<ModerationParts, 'subjects'>,
  actor: Actor,
  seat: Seat,
  deed: Done & { subject: keyof ModerationParts['subjects'] },
  by: 'undoing' | 'appeal',
): Promise<string | null> {
  const facts = await findSubject(db, subjects, deed.subject, deed.subject_id)
  const about = { ...deed, source: 'report' as const, reports_count: 1 }
  const { decider, concerned } = await standingBetween(db, actor, seat, about, facts && { ...facts, userId: deed.user_id })
  return decisionRefusal(decider, { ...concerned, isOnlyHeld: by === 'appeal' })
}

const rolesOf = (db: Db, userId: string, communityId: string | null) =>
  db
    .selectFrom('users')
    .leftJoin('community_members', (join) =>
      join.onRef('community_members.user_id', '=', 'users.id').on('community_members.community_id', '=', communityId),
    )
    .select(['users.role', 'community_members.role as community_role'])
    .where('users.id', '=', userId)
    .executeTakeFirst()

const isOfTeam = async (db: Db, userId: string, businessId: string): Promise<boolean> =>
  (await db
    .selectFrom('business_members')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('business_id', '=', businessId)
    .executeTakeFirst()) !== undefined

/** What can be done in a case as it stands. A message has no public place, so it is never only hidden. */
function actionsFor(seat: Seat, facts: SubjectFacts | undefined, hasPerson: boolean): ModerationAction[] {
  const all: readonly ModerationAction[] = seat.actsFor === 'site' ? moderationActions : communityActions
  return all.filter((action) => {
    if (action === 'approve') return facts?.state != null
    if (action === 'dismiss') return facts?.state !== 'held'
    if (action === 'hide') return facts !== undefined && facts.state !== 'hidden'
    if (action === 'remove') return facts !== undefined && facts.state !== 'removed'
    return hasPerson
  })
}

/** What the actor may decide in a case, and if nothing, why. */
export async function possibleActions(
  db: Db,
  { subjects }: ModerationParts,
  actor: Actor,
  seat: Seat,
  row: About & { subject_id: string; subject: keyof ModerationParts['subjects']; status: 'open' | 'decided' },
): Promise<{ mayDo: ModerationAction[]; refusal: string | null }> {
  if (row.status === 'decided') return { mayDo: [], refusal: 'This case is decided.' }
  const facts = await findSubject(db, subjects, row.subject, row.subject_id)
  const { userId, decider, concerned } = await standingBetween(db, actor, seat, row, facts)
  const refusal = decisionRefusal(decider, concerned)
  return { mayDo: refusal === null ? actionsFor(seat, facts, userId !== null) : [], refusal }
}

/** Why a decision does not fit the case as it is; null where it does. */
export function misfit(
  seat: Seat,
  facts: SubjectFacts | undefined,
  hasPerson: boolean,
  actions: readonly ModerationAction[],
): string | null {
  const possible = actionsFor(seat, facts, hasPerson)
  const decidesThing = actions.some((action) => ['approve', 'hide', 'remove'].includes(action))
  if (facts?.state === 'held' && !decidesThing) return 'It waits to be shown: approve it, hide it or remove it.'
  const wrong = actions.find((action) => !possible.includes(action))
  if (wrong === undefined) return null
  if (facts === undefined && ['approve', 'hide', 'remove'].includes(wrong))
    return 'It is not there any more. Dismiss the case, or act on the person.'
  if (wrong === 'suspend' && seat.actsFor === 'community') return 'A community cannot suspend anybody: the site’s moderators can.'
  return hasPerson ? 'It is so already.' : 'There is nobody whom this would concern.'
}
