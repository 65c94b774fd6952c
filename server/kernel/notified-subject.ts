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

/** Characters of a subject's text that a notification shows. */
export const excerptLength = 200
