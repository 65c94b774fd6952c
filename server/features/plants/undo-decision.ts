import type { undoDecision as contract } from '../../../contracts/decisions.ts'
import type { ResponseOf } from '../../../contracts/endpoint.ts'
import { plantName } from '../../../contracts/plants.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordHuntEvents, today } from '../hunts/index.ts'
import { readDecisions } from './decisions.view.ts'
import { endWords, reviveHeldPlants } from './end-plants.ts'
import { settleStandings } from './make-decisions.ts'
import { plantRoom } from './plants.view.ts'
import { holdGenotypes, holdPlants, requireHuntOf } from './require-plant-things.ts'

/**
 * Undoes a decision. The plants that it ended, and that nothing else happened to since, live again; of the others it says why not.
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
    await holdGenotypes(tx, hunt.id, [genotypeId])
    const decision = await tx.selectFrom('decisions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const plants = await holdPlants(tx, hunt.id, decision.ended_plant_ids)
    const isUndone = decision.undone_at !== null
    const back = plants.filter((plant) => plant.ended_by_decision_id === id)
    if (!isUndone) {
      const happened = { huntId: hunt.id, recordedBy: actor.id, now }
      await tx.updateTable('decisions').set({ undone_at: now, undone_by: actor.id }).where('id', '=', id).execute()
      await reviveHeldPlants(tx, back, { ...happened, decisionId: id })
      await settleStandings(tx, [genotypeId])
      const detail = { kind: decision.kind }
      await recordHuntEvents(tx, [{ ...happened, kind: 'decision.undone', genotypeId, subjectId: id, detail, happenedOn: today(now) }])
    }
    const revived = isUndone ? plants.filter((plant) => plant.ended_how === null) : back
    const [undone] = await readDecisions(tx, actor, [id])
    if (!undone) throw notFound('There is no such decision.')
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
  ended_how === null ? 'It was brought back before.' : `It ended otherwise since: ${endWords[ended_how]} on ${ended_on}.`
