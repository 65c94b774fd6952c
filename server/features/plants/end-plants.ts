import { sql } from 'kysely'
import type { Parsed, ResponseOf } from '../../../contracts/endpoint.ts'
import {
  type EndKind,
  type endPlants as endContract,
  type Plant,
  plantName,
  type revivePlants as reviveContract,
} from '../../../contracts/plants.ts'
import type { Tx } from '../../db/connect.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { AppError, invalidField } from '../../kernel/errors.ts'
import { type IdempotencyKey, once } from '../../kernel/idempotency.ts'
import { recordHuntEvents, requireDayPassed, requireHunt, today } from '../hunts/index.ts'
import { requireConfirmedLastCopies } from './last-copies.ts'
import { plantRoom, readPlants } from './plants.view.ts'
import { genotypeIdsOf, type HeldGenotype, type HeldPlant, holdGenotypes, holdPlants } from './require-plant-things.ts'

type Ctx = Pick<Context, 'db' | 'clock'>

export const endWords: Record<EndKind, string> = { culled: 'culled', harvested: 'harvested', died: 'died', given_away: 'given away' }

/**
 * Ends plants of a hunt. Those that ended in this way already stay as they are.
 * @throws AppError not_found, forbidden, invalid_input, last_copy, conflict for one that ended otherwise
 */
export async function endPlants(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  input: Parsed<(typeof endContract)['body']>,
  idempotency: IdempotencyKey | null,
): Promise<Plant[]> {
  const now = ctx.clock.now()
  if (input.endedOn !== undefined) requireDayPassed('endedOn', input.endedOn, now)
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    return once(tx, actor.id, idempotency, now, async () => {
      const genotypes = await holdGenotypes(tx, huntId, await genotypeIdsOf(tx, huntId, input.plantIds))
      const plants = await holdPlants(tx, huntId, input.plantIds)
      for (const plant of plants) requireEndedLikeThis(plant, input)
      const living = plants.filter((plant) => plant.ended_on === null)
      if (living.length > 0) {
        const { endedHow, confirmLastCopies: confirmed } = input
        await endHeldPlants(tx, genotypes, living, {
          huntId,
          endedHow,
          confirmed,
          endedOn: input.endedOn ?? today(now),
          decisionOf: () => null,
          recordedBy: actor.id,
          now,
        })
      }
      return readPlants(tx, input.plantIds)
    })
  })
}

/** @throws AppError conflict */
function requireEndedLikeThis(plant: HeldPlant, { endedHow, endedOn }: { endedHow: EndKind; endedOn?: string | undefined }): void {
  if (plant.ended_how === null || (plant.ended_how === endedHow && (endedOn === undefined || endedOn === plant.ended_on))) return
  const name = plantName(plant.number, plant.copy)
  throw new AppError('conflict', {
    message: `${name} ended already: ${endWords[plant.ended_how]} on ${plant.ended_on}. Take that back first.`,
  })
}

type End = {
  huntId: string
  endedHow: EndKind
  endedOn: string
  confirmed: readonly string[]
  /** By which decision the plants of a genotype end. */
  decisionOf: (genotypeId: string) => string | null
  recordedBy: string
  now: Date
}

/**
 * Of plants that live and, as their genotypes, are held for update.
 * @throws AppError last_copy, invalid_input
 */
export async function endHeldPlants(
  tx: Tx,
  genotypes: readonly HeldGenotype[],
  plants: readonly HeldPlant[],
  { huntId, endedHow, endedOn, confirmed, decisionOf, recordedBy, now }: End,
): Promise<void> {
  const plantIds = plants.map(({ id }) => id)
  await requireConfirmedLastCopies(tx, genotypes, { plantIds, endedHow, confirmed })
  for (const plant of plants) requireBegunBy(plant, endedOn)
  await sql`
    update plants set ended_on = ${endedOn}::date, ended_how = ${endedHow}, ended_by_decision_id = decision_id, version = version + 1
    from unnest(${plantIds}::uuid[], ${plants.map((plant) => decisionOf(plant.genotype_id))}::uuid[]) as ended (plant_id, decision_id)
    where plants.id = ended.plant_id`.execute(tx)
  await recordHuntEvents(
    tx,
    plants.map((plant) => ({
      huntId,
      kind: 'plant.ended',
      genotypeId: plant.genotype_id,
      plantId: plant.id,
      subjectId: decisionOf(plant.genotype_id),
      detail: { how: endedHow },
      happenedOn: endedOn,
      recordedBy,
      now,
    })),
  )
}

/** @throws AppError invalid_input */
function requireBegunBy(plant: HeldPlant, endedOn: string): void {
  const begun = [plant.started_on, plant.cut_on, plant.rooted_on].filter((day) => day !== null && day > endedOn).at(0)
  if (begun) throw invalidField('endedOn', `${plantName(plant.number, plant.copy)} began on ${begun}, after this day`)
}

/**
 * Takes back the end of plants. A decision that ended them stands all the same: it has its own undoing.
 * @throws AppError not_found, forbidden
 */
export async function revivePlants(
  ctx: Ctx,
  actor: Actor,
  huntId: string,
  { plantIds }: Parsed<(typeof reviveContract)['body']>,
): Promise<ResponseOf<typeof reviveContract>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    await requireHunt(tx, actor, huntId, 'write', { lock: 'share' })
    await holdGenotypes(tx, huntId, await genotypeIdsOf(tx, huntId, plantIds))
    const plants = await holdPlants(tx, huntId, plantIds)
    await reviveHeldPlants(
      tx,
      plants.filter((plant) => plant.ended_on !== null),
      { huntId, decisionId: null, recordedBy: actor.id, now },
    )
    return { plants: await readPlants(tx, plantIds), room: await plantRoom(tx, huntId) }
  })
}

/** Of plants that ended and, as their genotypes, are held for update. */
export async function reviveHeldPlants(
  tx: Tx,
  plants: readonly HeldPlant[],
  { huntId, decisionId, recordedBy, now }: Pick<End, 'huntId' | 'recordedBy' | 'now'> & { decisionId: string | null },
): Promise<void> {
  await tx
    .updateTable('plants')
    .set((eb) => ({ ended_on: null, ended_how: null, ended_by_decision_id: null, version: eb('version', '+', 1) }))
    .where(sql<boolean>`id = any(${plants.map(({ id }) => id)}::uuid[])`)
    .execute()
  await recordHuntEvents(
    tx,
    plants.map((plant) => ({
      huntId,
      kind: 'plant.revived',
      genotypeId: plant.genotype_id,
      plantId: plant.id,
      subjectId: decisionId,
      detail: { how: plant.ended_how, before: plant.ended_on },
      happenedOn: today(now),
      recordedBy,
      now,
    })),
  )
}
