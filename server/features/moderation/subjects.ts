import { sql } from 'kysely'
import type { Role } from '#contracts/accounts.ts'
import type { ReportSubject } from '#contracts/moderation.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { accountStatusOf } from '#server/features/accounts/index.ts'
import { lockPeople } from '#server/features/people/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { versionOf } from '#server/kernel/ids.ts'
import type { ModeratedSubject, SubjectFacts, SubjectPreview } from '#server/kernel/moderated-subject.ts'
import { formerMemberId } from '#server/kernel/own-data.ts'

export type Subjects = Record<ReportSubject, ModeratedSubject>

export const findSubject = async (db: Db, subjects: Subjects, kind: ReportSubject, id: string): Promise<SubjectFacts | undefined> =>
  (await findSubjects(db, subjects, [{ subject: kind, subject_id: id }]))[0]

type About = { subject: ReportSubject; subject_id: string }

/** Uses one query per kind. Keeps the order of the rows. */
async function byKind<Found>(
  rows: readonly About[],
  read: (kind: ReportSubject, ids: string[]) => Promise<Map<string, Found>>,
): Promise<(Found | undefined)[]> {
  const reads = [...Map.groupBy(rows, (row) => row.subject)].map(async ([kind, ofKind]) => {
    const ids = ofKind.map((row) => row.subject_id)
    return [kind, await read(kind, ids)] as const
  })
  const found = new Map(await Promise.all(reads))
  return rows.map((row) => found.get(row.subject)?.get(row.subject_id))
}

/** Omits the person if they have deleted their account. */
export async function findSubjects(db: Db, subjects: Subjects, rows: readonly About[]): Promise<(SubjectFacts | undefined)[]> {
  const found = await byKind(rows, (kind, ids) => subjects[kind].find(db, ids))
  return found.map((facts) => (facts?.userId === formerMemberId ? { ...facts, userId: null } : facts))
}

export const previewSubjects = (db: Db, subjects: Subjects, rows: readonly About[]) =>
  byKind(rows, (kind, ids) => subjects[kind].preview(db, ids))

/** Changes whenever what moderators see of the subject changes, but not when its surroundings do. */
export function previewVersion(preview: SubjectPreview | undefined): string {
  if (!preview) return versionOf(null)
  const { title, text, mediaIds, context } = preview
  return versionOf([title, text, mediaIds, context.flatMap((said) => (said.isSubject ? [said.text] : []))])
}

type InCommunity = { communityId: string; userId: string }

/** Implemented by communities, so that moderation doesn't depend on that feature. */
export type CommunityModeration = {
  moderates(db: Db, actor: Pick<Actor, 'id'>, communityId: string, now: Date): Promise<boolean>
  /**
   * The person remains a member but can't write until then; null lifts the mute.
   * @throws AppError conflict for the community's owner and moderators, unless another mute was undone (`isUndo`)
   */
  setMute(tx: Tx, ctx: Context, who: InCommunity, until: Date | null, isUndo?: boolean): Promise<void>
  /** Removes the person, who can't rejoin until then; null lifts the ban without restoring membership. */
  setBan(tx: Tx, ctx: Context, who: InCommunity, until: Date | 'forever' | null): Promise<void>
}

export type ModerationParts = { subjects: Subjects; communities: CommunityModeration }

type AffectedRows = {
  communityId: string | null
  businessId: string | null
  people: readonly (string | null)[]
  subject: string
  subjectId: string
}

/**
 * Locks everything a decision may change, in the global write order: community, business, people, then every case of the subject, which
 * serializes concurrent decisions. The caller locks the subject itself afterward.
 */
export async function lockAffected(tx: Tx, { communityId, businessId, people, subject, subjectId }: AffectedRows): Promise<void> {
  if (communityId !== null) await tx.selectFrom('communities').select('id').where('id', '=', communityId).forUpdate().execute()
  if (businessId !== null) await tx.selectFrom('businesses').select('id').where('id', '=', businessId).forNoKeyUpdate().execute()
  await lockPeople(
    tx,
    people.filter((id) => id !== null),
  )
  await sql`select from moderation_cases where subject = ${subject} and subject_id = ${subjectId}::uuid order by id for update`.execute(tx)
}

const rank: Record<Role, number> = { member: 0, moderator: 1, admin: 2 }

/**
 * Reads the actor's rights again with the account locked (`lockAffected`). If two admins ban each other or one demotes the other at the
 * same moment, only the first succeeds, so at least one admin is left.
 */
export async function asOfNow(tx: Tx, actor: Actor, now: Date): Promise<Actor> {
  const account = await tx
    .selectFrom('users')
    .select(['role', 'muted_until', 'suspended_until', 'banned_at'])
    .where('id', '=', actor.id)
    .executeTakeFirstOrThrow()
  if (accountStatusOf(account, now).suspendedUntil !== null) throw new AppError('suspended')
  return { ...actor, role: rank[account.role] < rank[actor.role] ? account.role : actor.role, grantedRole: account.role }
}
