import { type RawBuilder, sql } from 'kysely'

export type ArchiveList =
  | 'seedLots'
  | 'genotypes'
  | 'plants'
  | 'decisions'
  | 'runs'
  | 'placements'
  | 'traits'
  | 'observations'
  | 'growLogs'
  | 'growLogVersions'
  | 'harvests'
  | 'labResults'
  | 'tasks'
  | 'climateTargets'
  | 'climateSensors'
  | 'climateImports'
  | 'climateReadings'
  | 'blindPanels'
  | 'panelTraits'
  | 'panelJars'
  | 'panelCards'
  | 'panelScores'

export type ArchiveColumn = {
  /** In the document. */
  field: string
  /** The list that a reference points into. */
  refersTo?: ArchiveList
  /** What it refers to is written later: it is filled in at the end. */
  isLate?: boolean
  /** References in an array. */
  isArray?: boolean
  isJson?: boolean
  isTime?: boolean
}

/** The ids that an import gives, in the order of the document's lists. */
export type NewIds = ReadonlyMap<ArchiveList, readonly string[]>

export type ArchiveTable = {
  list: ArchiveList
  table: string
  columns: Readonly<Record<string, ArchiveColumn>>
  /** Deliberately not in the document. */
  leftOut: readonly string[]
  /** Columns that order the rows: the same hunt makes the same document. */
  order: readonly string[]
  /** Has an id that others refer to, made anew by an import. */
  hasId: boolean
  /** The table's own rows belong to a hunt by themselves, or by the row that this column refers to: one of these ids. */
  belongsBy: 'hunt_id' | { column: string; within: (huntId: string) => RawBuilder<unknown> }
  /** Rows that are not of the document, as an SQL condition of those that are. */
  only?: string
  /** What an import writes into columns that are left out. */
  fixed?: Readonly<Record<string, boolean>>
}

export const inHunt =
  (table: string, only = 'true') =>
  (huntId: string) =>
    sql`select id from ${sql.table(table)} where hunt_id = ${huntId}::uuid and ${sql.raw(only)}`

export const to = (field: string, refersTo: ArchiveList, more: Omit<ArchiveColumn, 'field' | 'refersTo'> = {}): ArchiveColumn => ({
  field,
  refersTo,
  ...more,
})

/** `height_cm` → `heightCm` */
const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const plain = (...names: string[]): Record<string, ArchiveColumn> =>
  Object.fromEntries(names.map((name) => [name, { field: camel(name) }]))
