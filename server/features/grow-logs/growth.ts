import { type Growth, maxGrowthPoints } from '../../../contracts/grow-logs.ts'
import type { Db } from '../../db/connect.ts'
import type { Actor } from '../../kernel/actor.ts'
import { requireHunt } from '../hunts/index.ts'
import { dayOfPlant, weekOfLog } from './grow-logs.queries.ts'
import { toPlantOfLog } from './grow-logs.view.ts'

/** Every plant's heights and ratings, plants in the order of their numbers. @throws AppError not_found */
export async function getGrowth(db: Db, actor: Actor, huntId: string): Promise<Growth> {
  await requireHunt(db, actor, huntId, 'view')
  const newest = await growthRows(db, huntId)
  const plants = new Map<string, Growth['plants'][number]>()
  for (const row of newest.slice(0, maxGrowthPoints).reverse()) {
    const plant = toPlantOfLog(row)
    if (!plant) continue
    const curve = plants.get(plant.id) ?? { plant, points: [] }
    const { log_id, logged_on, day, week, height_cm, rating } = row
    curve.points.push({ logId: log_id, on: logged_on, day, week, heightCm: height_cm, rating })
    plants.set(plant.id, curve)
  }
  return {
    plants: [...plants.values()].sort((a, b) => a.plant.number - b.plant.number || a.plant.copy - b.plant.copy),
    isComplete: newest.length <= maxGrowthPoints,
  }
}

/** The newest first, and one more than fit. */
const growthRows = (db: Db, huntId: string) =>
  db
    .selectFrom('grow_logs')
    .innerJoin('hunts', 'hunts.id', 'grow_logs.hunt_id')
    .innerJoin('plants', 'plants.id', 'grow_logs.plant_id')
    .innerJoin('genotypes', 'genotypes.id', 'plants.genotype_id')
    .select(['grow_logs.id as log_id', 'grow_logs.plant_id', 'grow_logs.logged_on', 'grow_logs.height_cm', 'grow_logs.rating'])
    .select(['plants.genotype_id', 'plants.copy', 'plants.code', 'genotypes.number', 'genotypes.label'])
    .select([dayOfPlant.as('day'), weekOfLog.as('week')])
    .where('grow_logs.hunt_id', '=', huntId)
    .where('grow_logs.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('grow_logs.height_cm', 'is not', null), eb('grow_logs.rating', 'is not', null)]))
    .orderBy('grow_logs.logged_on', 'desc')
    .orderBy('grow_logs.id', 'desc')
    .limit(maxGrowthPoints + 1)
    .execute()
