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
  /** Name in the document. */
  field: string
  refersTo?: ArchiveList
  /** The referenced row is inserted later, so this is filled in at the end. */
  isLate?: boolean
  isArray?: boolean
  isJson?: boolean
  isTime?: boolean
}

/** IDs assigned by an import, in the order of the document's lists. */
export type NewIds = ReadonlyMap<ArchiveList, readonly string[]>

export type ArchiveTable = {
  list: ArchiveList
  table: string
  columns: Readonly<Record<string, ArchiveColumn>>
  leftOut: readonly string[]
  /** Sort columns, so that the same hunt always yields the same document. */
  order: readonly string[]
  /** Has an ID that others refer to; an import assigns a new one. */
  hasId: boolean
  /** How rows belong to a hunt: by their own `hunt_id`, or by a column that refers to one of these IDs. */
  belongsBy: 'hunt_id' | { column: string; within: (huntId: string) => RawBuilder<unknown> }
  /** SQL condition for the rows to include. */
  only?: string
  /** Values that an import writes to omitted columns. */
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

const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const plain = (...names: string[]): Record<string, ArchiveColumn> =>
  Object.fromEntries(names.map((name) => [name, { field: camel(name) }]))
