import type { Db, Tx } from '#server/db/connect.ts'
import type { WriteContext } from './context.ts'

/**
 * - `held`: by a filter, until a moderator decides; visible to the same people as `hidden`
 * - `hidden`: visible only to its author, or the business's team, and moderators
 * - `removed`: visible only to moderators; a business, community, hunt or menu item also to its owner or team
 */
export type ModerationState = 'held' | 'hidden' | 'removed'

export type SubjectFacts = {
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
  path: string | null
  /** The surrounding content, oldest first. */
  context: { author: string | null; text: string; createdAt: string; isSubject: boolean }[]
}

/** Implemented by the feature that owns a kind of content. The app wires them together. */
export type ModeratedSubject = {
  /** Facts by ID. Missing subjects are omitted. */
  find(db: Db, ids: readonly string[]): Promise<Map<string, SubjectFacts>>
  /**
   * Locks the row, sets its state and updates the counters of visible content. Publishes the write's events when held content becomes
   * visible. Idempotent.
   */
  set(tx: Tx, ctx: WriteContext, id: string, state: ModerationState | null): Promise<void>
  /** Previews by ID. Missing subjects are omitted. */
  preview(db: Db, ids: readonly string[]): Promise<Map<string, SubjectPreview>>
}

type FoundSubject = Pick<SubjectFacts, 'userId' | 'state' | 'createdAt'> & Partial<SubjectFacts> & { id: string }

export const factsById = (rows: readonly FoundSubject[]): Map<string, SubjectFacts> =>
  new Map(rows.map(({ id, ...facts }) => [id, { businessId: null, communityId: null, ...facts }]))
