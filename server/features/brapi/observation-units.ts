import { sql } from 'kysely'
import { genotypeName, plantName } from '#contracts/plants.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { latestRunFirst } from '#server/features/plants/index.ts'
import { type BrapiQuery, countedPage, infoOf, isOneOf, isTextOf, known, type QueryResult } from './asked.ts'
import { germplasmName, puiOf } from './germplasm.ts'
import { type GrownHunt, idsOfHunts, programOf, studyIdOf, trialOf } from './hunts.ts'
import { newestValues, observationsOfUnits, valueText } from './observations.ts'

type UnitRow = {
  total: number
  id: string
  hunt_id: string
  genotype_id: string
  number: number
  copy: number
  code: string
  started_on: string | null
  cut_from_id: string | null
  cut_on: string | null
  rooted_on: string | null
  notes: string
  is_mother: boolean
  ended_on: string | null
  ended_how: string | null
  genotype_kind: string
  seed_lot_id: string | null
  run_id: string | null
  run_name: string | null
  room: string | null
  bench_row: number | null
  bench_column: number | null
}

/** SQL: the name of a row of `plants`, in the format of `plantName`. */
const sqlName = sql`('#' || genotypes.number || case when plants.copy = 0 then '' else '-' || plants.copy end)`

/**
 * A plant belongs to the study of its latest run, or to the hunt's own study if it was never in a run. If the request names
 * studies, only those runs count.
 */
function pageOfUnits({ ctx, hunts, filter, paging }: BrapiQuery) {
  const studies = filter.studyDbIds
  const isInAskedStudy = studies
    ? sql`(place.run_id is not null or (${isOneOf(sql`plants.hunt_id`, studies)}
        and not exists (select from placements where placements.plant_id = plants.id)))`
    : sql`true`
  const levels = [...(filter.observationUnitLevelNames ?? []), ...(filter.observationLevels ?? [])]
  if (levels.length > 0 && !levels.some((level) => level.toLowerCase() === 'plant')) return { items: [], total: 0 }
  return countedPage(
    (limit, offset) =>
      sql<UnitRow>`
        select count(*) over () as total, plants.id, plants.hunt_id, plants.genotype_id, genotypes.number, plants.copy, plants.code,
          plants.started_on, plants.cut_from_id, plants.cut_on, plants.rooted_on, plants.notes, plants.is_mother, plants.ended_on, plants.ended_how, genotypes.kind as genotype_kind,
          genotypes.seed_lot_id, place.*
        from plants join genotypes on genotypes.id = plants.genotype_id
        left join lateral (
          select runs.id as run_id, runs.name as run_name, runs.room, placements.bench_row, placements.bench_column
          from placements join runs on runs.id = placements.run_id
          where placements.plant_id = plants.id and ${isOneOf(sql`runs.id`, studies)}
          order by ${latestRunFirst} limit 1) as place on true
        where plants.hunt_id = ${pageIds(idsOfHunts(hunts))} and ${isOneOf(sql`plants.id`, filter.observationUnitDbIds)}
          and ${isTextOf(sqlName, filter.observationUnitNames)} and ${isOneOf(sql`plants.genotype_id`, filter.germplasmDbIds)}
          and ${isInAskedStudy}
        order by plants.hunt_id, genotypes.number, plants.copy limit ${limit} offset ${offset}`
        .execute(ctx.db)
        .then(({ rows }) => rows),
    paging,
  )
}

export async function readUnits(asked: BrapiQuery): Promise<QueryResult> {
  const { items, total } = await pageOfUnits(asked)
  const hunts = new Map<string, GrownHunt>(asked.hunts.map((hunt) => [hunt.id, hunt]))
  const isWithValues = asked.filter.includeObservations?.includes('true') ?? false
  const values = isWithValues
    ? await observationsOfUnits(
        asked,
        items.map(({ id }) => id),
      )
    : null
  return { rows: items.map((row) => toUnit(row, hunts.get(row.hunt_id) as GrownHunt, values?.get(row.id))), total }
}

function toUnit(row: UnitRow, hunt: GrownHunt, values: readonly object[] | undefined) {
  const name = plantName(row.number, row.copy)
  return known({
    observationUnitDbId: row.id,
    observationUnitName: name,
    observationUnitPUI: puiOf(row.id),
    germplasmDbId: row.genotype_id,
    germplasmName: germplasmName(hunt.name, row.number),
    seedLotDbId: row.seed_lot_id,
    ...programOf(hunt),
    ...trialOf(hunt),
    studyDbId: studyIdOf(row),
    studyName: row.run_name ?? hunt.name,
    locationName: row.room || row.run_name,
    observationUnitPosition: known({
      observationLevel: { levelName: 'plant', levelOrder: 9, levelCode: name },
      observationLevelRelationships: [
        ...(row.run_id ? [{ levelName: 'field', levelOrder: 1, levelCode: row.room || row.run_name }] : []),
        { levelName: 'entry', levelOrder: 2, levelCode: genotypeName(row.number) },
        { levelName: 'rep', levelOrder: 3, levelCode: String(row.copy) },
      ],
      entryType: row.genotype_kind === 'check' ? 'CHECK' : 'TEST',
      ...(row.bench_row !== null && { positionCoordinateY: String(row.bench_row), positionCoordinateYType: 'GRID_ROW' }),
      ...(row.bench_column !== null && { positionCoordinateX: String(row.bench_column), positionCoordinateXType: 'GRID_COL' }),
    }),
    externalReferences: [{ referenceSource: 'Plant label', referenceId: row.code }],
    ...(values !== undefined && { observations: values }),
    additionalInfo: infoOf({
      ...{ startedOn: row.started_on, cutFromDbId: row.cut_from_id, isMother: row.is_mother },
      ...{ cutOn: row.cut_on, rootedOn: row.rooted_on, notes: row.notes, endedOn: row.ended_on, endedHow: row.ended_how },
    }),
  })
}

const headerRow = [
  ...['studyDbId', 'studyName', 'germplasmDbId', 'germplasmName', 'observationUnitDbId', 'observationUnitName'],
  ...['positionCoordinateX', 'positionCoordinateY', 'entry', 'rep'],
]

/** One row per plant with its newest value of each variable, which is how R packages read a study. */
export async function readTable(asked: BrapiQuery): Promise<{ table: object; total: number }> {
  const { items: units, total } = await pageOfUnits(asked)
  const filter = { ...asked.filter, observationUnitDbIds: units.map(({ id }) => id) }
  const values = await newestValues({ ...asked, filter })
  const variables = [...new Map(values.map((value) => [value.trait_id, value.trait_name]))]
  const newest = new Map(values.map((value) => [`${value.plant_id} ${value.trait_id}`, valueText(value)]))
  const hunts = new Map<string, GrownHunt>(asked.hunts.map((hunt) => [hunt.id, hunt]))
  const data = units.map((unit) => {
    const hunt = hunts.get(unit.hunt_id) as GrownHunt
    return [
      ...[studyIdOf(unit), unit.run_name ?? hunt.name, unit.genotype_id, germplasmName(hunt.name, unit.number)],
      ...[unit.id, plantName(unit.number, unit.copy), String(unit.bench_column ?? ''), String(unit.bench_row ?? '')],
      ...[`#${unit.number}`, String(unit.copy)],
      ...variables.map(([id]) => newest.get(`${unit.id} ${id}`) ?? ''),
    ]
  })
  const observationVariables = variables.map(([observationVariableDbId, observationVariableName]) => ({
    observationVariableDbId,
    observationVariableName,
  }))
  return { table: { headerRow, observationVariables, data }, total }
}
