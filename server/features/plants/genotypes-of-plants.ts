import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Of these, the plants that are of the hunt: their genotype by id. */
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
