import { sql } from 'kysely'
import type { Parsed } from '#contracts/endpoint.ts'
import type { listGenotypes as contract } from '#contracts/plants.endpoints.ts'
import type { FoundPlant, Genotype } from '#contracts/plants.ts'
import { plantName } from '#contracts/plants.ts'
import type { Db } from '#server/db/connect.ts'
import { requireHunt } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { genotypeByNumber, genotypesAfter, readPlantCode } from './plants.queries.ts'
import { withPlants } from './plants.view.ts'

/** @throws AppError not_found */
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

/** @throws AppError not_found */
export async function getGenotype(db: Db, actor: Actor, huntId: string, number: number): Promise<Genotype> {
  await requireHunt(db, actor, huntId, 'view')
  const row = await genotypeByNumber(db, huntId, number)
  const [genotype] = await withPlants(db, row ? [row] : [])
  if (!genotype) throw notFound('Genotype not found.')
  return genotype
}

/** Unknown codes and plants the actor can't see give the same error. @throws AppError not_found */
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

/** Genotype ids by plant id. Plants of other hunts are omitted. */
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
