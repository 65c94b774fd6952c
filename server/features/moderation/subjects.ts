import type { ReportSubject } from '#contracts/reports.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import type { ModeratedSubject, SubjectFacts } from '#server/kernel/moderated-subject.ts'

export type Subjects = Record<ReportSubject, ModeratedSubject>

export const findSubject = async (db: Db, subjects: Subjects, kind: ReportSubject, id: string): Promise<SubjectFacts | undefined> =>
  (await subjects[kind].find(db, [id])).get(id)

type About = { subject: ReportSubject; subject_id: string }

/** In the order of the rows, with one query per kind. */
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

export const findSubjects = (db: Db, subjects: Subjects, rows: readonly About[]) =>
  byKind(rows, (kind, ids) => subjects[kind].find(db, ids))

export const previewSubjects = (db: Db, subjects: Subjects, rows: readonly About[]) =>
  byKind(rows, (kind, ids) => subjects[kind].preview(db, ids))

type InCommunity = { communityId: string; userId: string }

/** Implemented by communities, so that moderation doesn't depend on that feature. */
export type CommunityModeration = {
  moderates(db: Db, actor: Pick<Actor, 'id'>, communityId: string, now: Date): Promise<boolean>
  /** Members stay but can't write until then; null lifts the mute. */
  setMute(tx: Tx, ctx: Context, who: InCommunity, until: Date | null): Promise<void>
  /** Removes them until then; null lifts the ban without restoring membership. */
  setBan(tx: Tx, ctx: Context, who: InCommunity, until: Date | 'forever' | null): Promise<void>
}

export type ModerationParts = { subjects: Subjects; communities: CommunityModeration }
