import { type RawBuilder, sql } from 'kysely'
import type { HuntDocument } from '#contracts/hunt-archive.endpoints.ts'

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
  field: string
  refersTo?: ArchiveList
  /** The referenced row is inserted later, so this column is filled in at the end. */
  isLate?: boolean
  isArray?: boolean
  isJson?: boolean
  isTime?: boolean
  /** Left out of the document if false, so that documents from before this column existed keep the same hash. */
  isFlag?: boolean
  /** SQL for text that identifies the scorer. The document numbers scorers by first appearance. */
  scorer?: string
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
  /** Whether rows have an ID that other rows refer to; an import assigns new IDs. */
  hasId: boolean
  /** How rows belong to a hunt: by their own `hunt_id`, or by a column that refers to one of these IDs. */
  belongsBy: 'hunt_id' | { column: string; within: (huntId: string) => RawBuilder<unknown> }
  only?: string
  /** Values that an import writes to omitted columns. */
  fixed?: Readonly<Record<string, boolean>>
}

export const inHunt =
  (table: string, only = 'true') =>
  (huntId: string) =>
    sql`select id from ${sql.table(table)} where hunt_id = ${huntId}::uuid and ${sql.raw(only)}`

export const referenceTo = (field: string, refersTo: ArchiveList, more: Omit<ArchiveColumn, 'field' | 'refersTo'> = {}): ArchiveColumn => ({
  field,
  refersTo,
  ...more,
})

const camel = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

export const plainColumns = (...names: string[]): Record<string, ArchiveColumn> =>
  Object.fromEntries(names.map((name) => [name, { field: camel(name) }]))

const numbered = (kind: 'scorer' | 'taster', number: number): string => `${kind === 'scorer' ? 'Scorer' : 'Taster'} ${number}`
export const isNumbered = (name: string): boolean => /^(?:Scorer|Taster) \d+$/.test(name)

export type NameOf = (field: string, number: unknown) => string | null

/** Gives each number its own name, so that two people with the same name aren't merged. */
export function namesIn({ scorers = [], tasters = [] }: Pick<HuntDocument, 'scorers' | 'tasters'>): NameOf {
  const given = (names: typeof scorers) => {
    const byNumber = new Map<number, string>()
    const taken = new Set<string>()
    for (const { number, name } of names) {
      const own = taken.has(name.toLowerCase()) ? `${name} (${number})` : name
      taken.add(own.toLowerCase())
      byNumber.set(number, own)
    }
    return byNumber
  }
  const names = { scorer: given(scorers), taster: given(tasters) }
  return (field, number) => {
    const kind = field as keyof typeof names
    if (typeof number !== 'number') return kind === 'taster' ? '' : null
    return names[kind].get(number) ?? numbered(kind, number)
  }
}
