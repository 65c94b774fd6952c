import { plantName } from '#contracts/plants.ts'
import type { Api } from '#server/kernel/route.ts'
import { type Asked, addCall, answerOne, readAsked } from './brapi-call.ts'
import { germplasmName } from './germplasm.ts'
import { type GrownHunt, huntsOf, studyIdOf } from './grown-hunts.ts'
import { pageOfUnits } from './observation-units.ts'
import { maxValuesOfUnits, pageOfValues, valueText } from './observations.ts'

const headerRow = [
  ...['studyDbId', 'studyName', 'germplasmDbId', 'germplasmName', 'observationUnitDbId', 'observationUnitName'],
  ...['positionCoordinateX', 'positionCoordinateY', 'entry', 'rep'],
]

/** `GET /observations/table`: a row per plant with its newest value of each variable. R packages read a study this way. */
export function addTable(api: Api, filters: readonly string[]): void {
  addCall(api, {
    ...{ method: 'GET', path: '/observations/table', scope: 'hunts:read' },
    handle: async ({ ctx, actor, request }) => {
      const names = ['programDbIds', 'trialDbIds', ...filters]
      const { filter, paging } = readAsked(names, request.query as Record<string, unknown>, false)
      const isAsked = (name: string, id: string) => filter[name]?.includes(id) ?? true
      const hunts = (await huntsOf(ctx.db, actor)).filter(
        ({ id, ownerId }) => isAsked('trialDbIds', id) && isAsked('programDbIds', ownerId),
      )
      const { table, total } = await readTable({ ctx, actor, hunts, filter, paging })
      return answerOne(table, paging, total)
    },
  })
}

async function readTable(asked: Asked) {
  const { items: units, total } = await pageOfUnits(asked)
  const filter = { ...asked.filter, observationUnitDbIds: units.map(({ id }) => id) }
  const { items: values } = await pageOfValues({ ...asked, filter, paging: { page: 0, pageSize: maxValuesOfUnits } })
  const variables = [...new Map(values.map((value) => [value.trait_id, value.trait_name]))]
  // Oldest first, so the newest stays.
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
