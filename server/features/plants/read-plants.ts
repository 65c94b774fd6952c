import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { listGenotypes as contract } from '#contracts/plants.endpoints.ts'
import { type FoundPlant, type Genotype, genotypeName, type Plant, type PlantRoom, plantName } from '#contracts/plants.ts'
import type { Db } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Authorized } from '#server/kernel/authorized.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import {
  countPlants,
  type GenotypeRow,
  genotypeByNumber,
  genotypesAfter,
  genotypesByIds,
  type PlantRow,
  plantsByIds,
  plantsOfGenotypes,
  readPlantCode,
} from './plants.queries.ts'

/** The genotypes of this hunt, by number. */
export const readGenotypes = async (db: Db, huntId: Authorized<'hunts'>, ids: readonly string[]): Promise<Genotype[]> =>
  withPlants(db, ids.length === 0 ? [] : await genotypesByIds(db, huntId, ids))

export async function withPlants(db: Db, rows: readonly GenotypeRow[]): Promise<Genotype[]> {
  if (rows.length === 0) return []
  const plants = Map.groupBy(await plantsOfGenotypes(db, idsOf(rows)), (row) => row.genotype_id)
  return rows.map((row) => toGenotype(row, plants.get(row.id) ?? []))
}

/** The plants of this hunt, by genotype and copy. */
export const readPlants = async (db: Db, huntId: Authorized<'hunts'>, ids: readonly string[]): Promise<Plant[]> =>
  ids.length === 0 ? [] : (await plantsByIds(db, huntId, ids)).map(toPlant)

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

export async function listGenotypes(
  db: Db,
  actor: Actor,
  huntId: string,
  { limit, cursor }: Parsed<(typeof contract)['query']>,
): Promise<Page<Genotype>> {
  await requireHunt(db, actor, huntId, 'view')
  const after = decodeCursor(cursor, ['integer'])?.[0] ?? 0
  const { items, nextCursor } = toPage(await genotypesAfter(db, huntId, after, limit + 1), limit, ({ number }) => [number])
  return { items: await withPlants(db, items), nextCursor }
}

export async function getGenotype(db: Db, actor: Actor, huntId: string, number: number): Promise<Genotype> {
  await requireHunt(db, actor, huntId, 'view')
  const row = await genotypeByNumber(db, huntId, number)
  const [genotype] = await withPlants(db, row ? [row] : [])
  if (!genotype) throw notFound('Genotype not found.')
  return genotype
}

/** Unknown codes and plants the actor can't see give the same error. */
export async function findPlantByCode(db: Db, actor: Actor, text: string): Promise<FoundPlant> {
  const missing = notFound('No plant that you can see has this code.')
  const code = readPlantCode(text)
  if (code === null) throw missing
  const plant = await db
    .selectFrom('plants')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['plants.id', 'plants.hunt_id', 'plants.genotype_id', 'plants.copy', 'plants.ended_on', 'genotypes.number', 'genotypes.label'])
    .where('plants.code', '=', code)
    .executeTakeFirst()
  if (!plant) throw missing
  const hunt = await requireHunt(db, actor, plant.hunt_id, 'view').catch((error) => {
    throw error instanceof AppError && error.code === 'not_found' ? missing : error
  })
  return {
    huntId: plant.hunt_id,
    huntName: hunt.hunt_name,
    genotypeId: plant.genotype_id,
    number: plant.number,
    label: plant.label,
    plantId: plant.id,
    name: plantName(plant.number, plant.copy),
    isAlive: plant.ended_on === null,
  }
}

/** Genotype IDs by plant ID. Plants of other hunts are omitted. */
export async function genotypesOfPlants(db: Db, huntId: string, plantIds: readonly string[]): Promise<Map<string, string>> {
  if (plantIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('plants')
    .select(['id', 'genotype_id'])
    .where('hunt_id', '=', huntId)
    .where(sql<boolean>`id = any(${plantIds}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, genotype_id }) => [id, genotype_id]))
}
