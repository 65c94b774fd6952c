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
  find(db: Db, id: string): Promise<SubjectFacts | undefined>
  /**
   * Locks the row, writes its state and moves the counters that count what is shown; tells then what a write tells, where it was held.
   * What is so already changes nothing.
   */
  set(tx: Tx, ctx: WriteContext, id: string, state: ModerationState | null): Promise<void>
  /** Of what there is; in no order. */
  preview(db: Db, ids: readonly string[]): Promise<Map<string, SubjectPreview>>
}

export type Subjects = Record<ReportSubject, ModeratedSubject>
