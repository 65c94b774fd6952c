import { type RawBuilder, sql } from 'kysely'

export type NotificationViewer = { id: string; age: number | null; now: Date; hasPlan: boolean }

/**
 * What notifications may show of their subjects. Implemented by the feature that owns the subjects. The app wires them together.
 *
 * `asked` is a relation of rows of `notifications` for the viewer. Selects the `id` of each one whose subject the viewer may still see, and
 * the `facts` for its text as JSON. This is SQL, because a single statement covers all owners.
 */
export type NotifiedSubject<Facts> = (asked: RawBuilder<unknown>, viewer: NotificationViewer) => RawBuilder<{ id: string; facts: Facts }>

/**
 * Subjects that every member old enough for them may see, except across a block or mute. Most subjects qualify, and finding them takes only
 * a few lookups by key, while setting up `NotifiedSubject` takes PostgreSQL a millisecond.
 *
 * `from` selects the subject of the notification `n` if it is public. If it selects nothing, `NotifiedSubject` decides. So `from` may miss
 * a subject, but must never contain one that `NotifiedSubject` hides. `facts` are the same as in `NotifiedSubject`.
 */
export type PublicSubject = (reader: PublicReader) => { from: RawBuilder<unknown>; facts: RawBuilder<unknown> }

export type PublicReader = {
  id: RawBuilder<string>
  /** Whether the viewer is old enough for advertising in every jurisdiction. */
  isOfAge: RawBuilder<boolean>
  /** People who block the viewer or whom the viewer blocks, and people whom the viewer muted. */
  unheardPeople: RawBuilder<string[]>
  /** Businesses that the viewer blocked or muted. */
  unheardBusinesses: RawBuilder<string[]>
}

/** Characters of a subject's text that a notification shows. */
export const excerptLength = 200

/**
 * The ID of the subject of a notification `asked`. Servers of the previous version store it only as this part of `group_key`, also while
 * an upgrade is running.
 */
export const notifiedId = (column: string, part: number): RawBuilder<string> =>
  sql<string>`coalesce(asked.${sql.ref(column)}, substring(split_part(asked.group_key, ':', ${sql.lit(part)}) from '^[0-9a-f-]{36}$')::uuid)`
