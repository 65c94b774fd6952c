import type { ReportSubject } from '../../../contracts/reports.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { WriteContext } from '../../kernel/context.ts'

/** `held` by a filter until a moderator has looked; `hidden`: for its writer and the moderators; `removed`: for the moderators alone. */
export type ModerationState = 'held' | 'hidden' | 'removed'

export type SubjectFacts = {
  /** Whose it is. */
  userId: string | null
  businessId: string | null
  communityId: string | null
  state: ModerationState | null
  createdAt: Date
}

export type SubjectPreview = {
  title: string | null
  text: string
  mediaIds: string[]
  /** Where it stands in the app. */
  path: string | null
  /** What stands around it, oldest first. */
  context: { author: string | null; text: string; createdAt: string; isSubject: boolean }[]
}

/** What moderation has to know of a kind of thing. The feature whose things they are says it; the app brings both together. */
export type ModeratedSubject = {
  /** By id, of what there is. */
  find(db: Db, ids: readonly string[]): Promise<Map<string, SubjectFacts>>
  /**
   * Locks the row, writes its state and moves the counters that count what is shown; tells then what a write tells, where it was held.
   * What is so already changes nothing.
   */
  set(tx: Tx, ctx: WriteContext, id: string, state: ModerationState | null): Promise<void>
  /** By id, of what there is. */
  preview(db: Db, ids: readonly string[]): Promise<Map<string, SubjectPreview>>
}

export type Subjects = Record<ReportSubject, ModeratedSubject>

export const findSubject = async (db: Db, subjects: Subjects, kind: ReportSubject, id: string): Promise<SubjectFacts | undefined> =>
  (await subjects[kind].find(db, [id])).get(id)

type About = { subject: ReportSubject; subject_id: string }

/** In the order of the rows, with one read for each kind. */
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
