import { type Genotype, genotypeName, type Plant, type PlantRoom, plantName } from '#contracts/plants.ts'
import type { Db } from '#server/db/connect.ts'
import { countPlants, type GenotypeRow, genotypesByIds, type PlantRow, plantsByIds, plantsOfGenotypes } from './plants.queries.ts'

/** By number. The caller has checked access. */
export const readGenotypes = async (db: Db, ids: readonly string[]): Promise<Genotype[]> =>
  withPlants(db, ids.length === 0 ? [] : await genotypesByIds(db, ids))

export async function withPlants(db: Db, rows: readonly GenotypeRow[]): Promise<Genotype[]> {
  if (rows.length === 0) return []
  const plants = Map.groupBy(
    await plantsOfGenotypes(
      db,
      rows.map(({ id }) => id),
    ),
    (row) => row.genotype_id,
  )
  return rows.map((row) => toGenotype(row, plants.get(row.id) ?? []))
}

/** By genotype and copy. The caller has checked access. */
export const readPlants = async (db: Db, ids: readonly string[]): Promise<Plant[]> =>
  ids.length === 0 ? [] : (await plantsByIds(db, ids)).map(toPlant)

const toGenotype = (row: GenotypeRow, plants: readonly PlantRow[]): Genotype => ({
  id: row.id,
  huntId: row.hunt_id,
  number: row.number,
  name: genotypeName(row.number),
  label: row.label,
  sex: row.sex,
  notes: row.notes,
  seedLotId: row.seed_lot_id,
  standing: row.standing,
  livingCopies: plants.filter((plant) => plant.ended_on === null).length,
  plants: plants.map(toPlant),
  version: row.version,
})

const toPlant = (row: PlantRow): Plant => ({
  id: row.id,
  genotypeId: row.genotype_id,
  kind: row.kind,
  copy: row.copy,
  name: plantName(row.number, row.copy),
  code: row.code,
  cutFromId: row.cut_from_id,
  startedOn: row.started_on,
  cutOn: row.cut_on,
  rootedOn: row.rooted_on,
  isMother: row.is_mother,
  notes: row.notes,
  endedOn: row.ended_on,
  endedHow: row.ended_how,
  endedByDecisionId: row.ended_by_decision_id,
  placement: row.run_id === null ? null : { runId: row.run_id, runName: row.run_name ?? '', row: row.bench_row, column: row.bench_column },
  stage: stageOf(row),
  lastLoggedOn: row.last_logged_on,
  version: row.version,
})

/** The later of a log's stage and the day its run was flipped to flower. */
function stageOf({ stage, staged_on, flowered_on }: PlantRow): Plant['stage'] {
  return flowered_on !== null && (staged_on === null || flowered_on > staged_on) ? 'flower' : stage
}

export async function plantRoom(db: Db, huntId: string): Promise<PlantRoom> {
  const { living, limit } = await countPlants(db, huntId)
  return { livingPlants: living, plantLimit: limit, overBy: limit === null ? 0 : Math.max(0, living - limit) }
}
