import { sql } from 'kysely'
import type { TraitKind, TraitOption, TraitSource } from '#contracts/traits.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { type Asked, countedPage, crop, type Found, infoOf, isOneOf, isTextOf, known } from './asked.ts'
import { puiOf } from './germplasm.ts'
import { type GrownHunt, idsOfHunts, trialOf } from './grown-hunts.ts'

export type TraitRow = {
  id: string
  hunt_id: string
  name: string
  kind: TraitKind
  source: TraitSource
  analyte: string | null
  unit: string
  options: readonly TraitOption[]
  direction: string
  low: number | null
  high: number | null
  target: number | null
  weight: number
  from_stage: string | null
  to_stage: string | null
  is_archived: boolean
  created_at: Date
}

/** A trait of a hunt is a variable with a trait, a method and a scale of its own, and all four have its ID. */
async function pageOfTraits({ ctx, hunts, filter, paging }: Asked) {
  const ids = ['observationVariableDbIds', 'traitDbIds', 'methodDbIds', 'scaleDbIds'].map((name) => filter[name])
  // A study's variables are those of its hunt.
  const studies = filter.studyDbIds
  const isOfStudy = studies
    ? sql`(${isOneOf(sql`traits.hunt_id`, studies)} or exists (
        select from runs where runs.hunt_id = traits.hunt_id and ${isOneOf(sql`runs.id`, studies)}))`
    : sql`true`
  return countedPage(
    (limit, offset) =>
      sql<TraitRow & { total: number }>`
        select count(*) over () as total, traits.* from traits
        where traits.hunt_id = ${pageIds(idsOfHunts(hunts))} and ${isOfStudy}
          and ${sql.join(
            ids.map((each) => isOneOf(sql`traits.id`, each)),
            sql` and `,
          )}
          and ${isTextOf(sql`traits.name`, filter.observationVariableNames)}
        order by traits.hunt_id, traits.position, traits.id limit ${limit} offset ${offset}`
        .execute(ctx.db)
        .then(({ rows }) => rows),
    paging,
  )
}

export async function traitRows(db: Db, ids: readonly string[]): Promise<Map<string, TraitRow>> {
  const { rows } = await sql<TraitRow>`select * from traits where id = ${pageIds(ids)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

type TraitView = (row: TraitRow, hunt: GrownHunt) => object

const readTraitsAs =
  (view: TraitView) =>
  async (asked: Asked): Promise<Found> => {
    const { items, total } = await pageOfTraits(asked)
    const hunts = new Map<string, GrownHunt>(asked.hunts.map((hunt) => [hunt.id, hunt]))
    return { rows: items.map((row) => view(row, hunts.get(row.hunt_id) as GrownHunt)), total }
  }

const dataTypes: Record<TraitKind, string> = {
  ordinal: 'Ordinal',
  number: 'Numerical',
  date: 'Date',
  category: 'Nominal',
  checks: 'Nominal',
  photo: 'Text',
}

const methods: Record<TraitSource, { name: string; class: string }> = {
  observation: { name: 'Observed on the plant or tasted in a panel', class: 'Observation' },
  log_height: { name: 'Height in a grow log', class: 'Measurement' },
  log_rating: { name: 'Rating in a grow log', class: 'Estimation' },
  flower_days: { name: 'Days of flower at harvest', class: 'Counting' },
  wet_weight: { name: 'Wet weight at harvest', class: 'Measurement' },
  dry_weight: { name: 'Dry weight at harvest', class: 'Measurement' },
  wash_yield: { name: 'Yield of a wash', class: 'Measurement' },
  lab: { name: 'Lab test', class: 'Measurement' },
}

const toTrait = (row: TraitRow) =>
  known({ traitDbId: row.id, traitName: row.name, traitPUI: puiOf(row.id), status: statusOf(row), entity: 'plant', attribute: row.analyte })

const toMethod = ({ id, source }: TraitRow) => ({ methodDbId: id, methodName: methods[source].name, methodClass: methods[source].class })

/** An ordinal value is its number; a category is its label, which says more in a table. */
export const codeOf = (kind: TraitKind, { value, label }: TraitOption): string => (kind === 'ordinal' ? String(value) : label)

const toScale = ({ id, name, kind, unit, options }: TraitRow) =>
  known({
    scaleDbId: id,
    scaleName: unit || name,
    dataType: dataTypes[kind],
    units: unit,
    ...(options.length > 0 && {
      validValues: { categories: options.map((option) => ({ value: codeOf(kind, option), label: option.label })) },
    }),
    ...(kind === 'checks' && { additionalInfo: { isMultiple: 'true', separator: ':' } }),
  })

const statusOf = ({ is_archived }: TraitRow) => (is_archived ? 'archived' : 'active')

const toVariable: TraitView = (row, hunt) =>
  known({
    observationVariableDbId: row.id,
    observationVariableName: row.name,
    observationVariablePUI: puiOf(row.id),
    commonCropName: crop,
    status: statusOf(row),
    growthStage: row.from_stage,
    submissionTimestamp: row.created_at.toISOString(),
    trait: toTrait(row),
    method: toMethod(row),
    scale: toScale(row),
    additionalInfo: infoOf({
      ...{ ...trialOf(hunt), direction: row.direction, low: row.low, high: row.high, target: row.target, weight: row.weight },
      ...{ toStage: row.to_stage, source: row.source },
    }),
  })

export const readVariables = readTraitsAs(toVariable)
export const readTraits = readTraitsAs(toTrait)
export const readMethods = readTraitsAs(toMethod)
export const readScales = readTraitsAs(toScale)
