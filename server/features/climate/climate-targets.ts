import type { ClimateMeasure, ClimateTarget } from '../../../contracts/climate.ts'
import { type GrowthStage, growthStages } from '../../../contracts/grow-logs.ts'
import type { Db } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { requireHunt } from '../hunts/index.ts'

/** @throws AppError not_found */
export async function listTargets(db: Db, actor: Actor, huntId: string): Promise<ClimateTarget[]> {
  await requireHunt(db, actor, huntId, 'view')
  return readTargets(db, huntId)
}

async function readTargets(db: Db, huntId: string): Promise<ClimateTarget[]> {
  const rows = await db
    .selectFrom('climate_targets')
    .select(['stage', 'measure', 'low', 'high'])
    .where('hunt_id', '=', huntId)
    .orderBy('measure')
    .execute()
  return rows.sort((a, b) => growthStages.indexOf(a.stage) - growthStages.indexOf(b.stage))
}

type Which = { id: string; stage: GrowthStage; measure: ClimateMeasure }

/** @throws AppError not_found, forbidden */
export async function setTarget(
  db: Db,
  actor: Actor,
  { id: huntId, stage, measure }: Which,
  band: { low: number; high: number },
): Promise<ClimateTarget[]> {
  return inTransaction(db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await tx
      .insertInto('climate_targets')
      .values({ hunt_id: huntId, stage, measure, ...band })
      .onConflict((conflict) => conflict.columns(['hunt_id', 'stage', 'measure']).doUpdateSet(band))
      .execute()
    return readTargets(tx, huntId)
  })
}

/** @throws AppError not_found, forbidden */
export async function removeTarget(db: Db, actor: Actor, { id: huntId, stage, measure }: Which): Promise<ClimateTarget[]> {
  return inTransaction(db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await tx.deleteFrom('climate_targets').where('hunt_id', '=', huntId).where('stage', '=', stage).where('measure', '=', measure).execute()
    return readTargets(tx, huntId)
  })
}
