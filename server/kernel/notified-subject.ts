import type { RawBuilder } from 'kysely'

/** The person whose notifications are read. */
export type NotificationViewer = { id: string; age: number | null; now: Date; hasPlan: boolean }

/**
 * What notifications may show of their subjects. Implemented by the feature that owns the subjects; the app wires them together.
 *
 * Selects from `asked`, a relation of rows of `notifications` addressed to the viewer: the `id` of each one whose subject the viewer may
 * still see, and the `facts` that its words are made of, as JSON. All owners are asked in a single statement, so this is SQL.
 */
export type NotifiedSubject<Facts> = (asked: RawBuilder<unknown>, viewer: NotificationViewer) => RawBuilder<{ id: string; facts: Facts }>

/**
 * The subjects that every member may see, except across a block or mute. Most are, and deciding that takes a few lookups by key, where the
 * whole rule takes PostgreSQL a millisecond only to set up.
 *
 * `from` selects the subject of the notification `n` if it is public, and nothing otherwise: then the whole rule decides. So it may miss a
 * subject, but must never contain one that `NotifiedSubject` hides. `facts` are the same as there.
 */
export type PublicSubject = (reader: PublicReader) => { from: RawBuilder<unknown>; facts: RawBuilder<unknown> }

export type PublicReader = {
  id: RawBuilder<string>
  /** Old enough for advertising in every place. */
  isOfAge: RawBuilder<boolean>
  /** People with a block between them and the viewer, and those the viewer muted. */
  unheardPeople: RawBuilder<string[]>
  /** Businesses that the viewer blocked or muted. */
  unheardBusinesses: RawBuilder<string[]>
}

/** Characters of a subject's text that a notification shows. */
export const excerptLength = 200
