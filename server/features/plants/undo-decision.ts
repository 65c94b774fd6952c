import type { undoDecision as contract } from '#contracts/decisions.ts'
import type { ResponseOf } from '#contracts/endpoint.ts'
import { plantName } from '#contracts/plants.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { recordHuntEvents, today } from '#server/features/hunts/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import { readDecisions } from './decisions.view.ts'
import { endWords, reviveLockedPlants } from './end-plants.ts'
import { settleStandings } from './make-decisions.ts'
import { plantRoom } from './plants.view.ts'
import { lockGenotypes, lockPlants, requireHuntOf } from './require-plant-things.ts'

/**
 * Undoes a decision. Revives the plants it ended unless they have changed since, and returns the reason for each one it can't revive.
 * @throws AppError not_found, forbidden
 */
export async function undoDecision(ctx: Pick<Context, 'db' | 'clock'>, actor: Actor, id: string): Promise<ResponseOf<typeof contract>> {
  const now = ctx.clock.now()
  return inTransaction(ctx.db, async (tx) => {
    const hunt = await requireHuntOf(tx, actor, 'decisions', id, 'write', { lock: 'share' })
    const { genotype_id: genotypeId } = await tx
      .selectFrom('decisions')
      .select('genotype_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await lockGenotypes(tx, hunt.id, [genotypeId])
    const decision = await tx.selectFrom('decisions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const plants = await lockPlants(tx, hunt.id, decision.ended_plant_ids)
    const isUndone = decision.undone_at !== null
    const back = plants.filter((plant) => plant.ended_by_decision_id === id)
    if (!isUndone) {
      const happened = { huntId: hunt.id, recordedBy: actor.id, now }
      await tx.updateTable('decisions').set({ undone_at: now, undone_by: actor.id }).where('id', '=', id).execute()
      await reviveLockedPlants(tx, back, { ...happened, decisionId: id })
      await settleStandings(tx, [genotypeId])
      const detail = { kind: decision.kind }
      await recordHuntEvents(tx, [{ ...happened, kind: 'decision.undone', genotypeId, subjectId: id, detail, happenedOn: today(now) }])
    }
    const revived = isUndone ? plants.filter((plant) => plant.ended_how === null) : back
    const [undone] = await readDecisions(tx, actor, [id])
    if (!undone) throw notFound('Decision not found.')
    return {
      decision: undone,
      revivedPlantIds: revived.map((plant) => plant.id),
      left: plants
        .filter((plant) => !revived.includes(plant))
        .map((plant) => ({ plantId: plant.id, name: plantName(plant.number, plant.copy), reason: reasonFor(plant) })),
      room: await plantRoom(tx, hunt.id),
    }
  })
}

const reasonFor = ({ ended_how, ended_on }: { ended_how: keyof typeof endWords | null; ended_on: string | null }): string =>
  ended_how === null ? 'It was already brought back to life.' : `It has since ended another way: ${endWords[ended_how]} on ${ended_on}.`
