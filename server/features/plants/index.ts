import * as history from '#contracts/plant-history.endpoints.ts'
import * as decisions from '#contracts/plants.endpoints.ts'
import * as contract from '#contracts/plants.endpoints.ts'
import * as runs from '#contracts/runs.endpoints.ts'
import * as lots from '#contracts/seed-lots.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { addClones, addMoreSeeds } from './add-plants.ts'
import { endPlants, revivePlants } from './end-plants.ts'
import { listKeptPhenos, setBackupHolder } from './kept-phenos.ts'
import { getLineage } from './lineage.ts'
import { listGenotypeHistory, listPlantHistory } from './list-history.ts'
import { listDecisions, makeDecisions, type RankGenotypes, undoDecision } from './make-decisions.ts'
import { listPlacements, placePlants } from './placements.ts'
import { findPlantByCode, getGenotype, listGenotypes } from './read-plants.ts'
import { createRun, deleteRun, listRuns, updateRun } from './runs.ts'
import { createSeedLot, deleteSeedLot, listSeedLots, updateSeedLot } from './seed-lots.ts'
import { setGenotypeSexes, updateGenotype, updatePlant, updatePlants } from './update-plants.ts'

export { addClones, addFirstSeeds, addMoreSeeds } from './add-plants.ts'
export {
  begunAfter,
  endByHarvest,
  endPlants,
  lockEndedByHarvest,
  lockHarvested,
  moveHarvestEnd,
  reviveLockedPlants,
  revivePlants,
} from './end-plants.ts'
export type { RankGenotypes } from './make-decisions.ts'
export { placePlants } from './placements.ts'
export { freshCodes, genotypesOfPlants, latestRunFirst, livingStages } from './read-plants.ts'
export type { LockedPlant } from './require-plant-things.ts'
export { createRun, updateRun } from './runs.ts'
export { createSeedLot, updateSeedLot } from './seed-lots.ts'
export { moveSeedStarts, updateGenotype, updatePlant } from './update-plants.ts'

/** `rankGenotypes` supplies the ranking a decision records. Injected, because the ranking feature depends on this one. */
export function registerPlants(api: Api, { rankGenotypes }: { rankGenotypes: RankGenotypes }): void {
  route(api, contract.listGenotypes, ({ ctx, actor, params, query }) => listGenotypes(ctx.db, actor, params.id, query))
  route(api, contract.listKeptPhenos, ({ ctx, actor, query }) => listKeptPhenos(ctx.db, actor, query))
  route(api, contract.setBackupHolder, ({ ctx, actor, params, body }) => setBackupHolder(ctx, actor, params.id, body.backupHolder))
  route(api, contract.getGenotype, ({ ctx, actor, params }) => getGenotype(ctx.db, actor, params.id, params.number))
  route(api, contract.addSeeds, ({ ctx, actor, params, body, idempotency }) => addMoreSeeds(ctx, actor, params.id, body, idempotency))
  route(api, contract.addClones, ({ ctx, actor, params, body, idempotency }) => addClones(ctx, actor, params.id, body, idempotency))
  route(api, contract.updateGenotype, ({ ctx, actor, params, body }) => updateGenotype(ctx, actor, params.id, body))
  route(api, contract.setGenotypeSexes, ({ ctx, actor, params, body }) => setGenotypeSexes(ctx, actor, params.id, body))
  route(api, contract.updatePlant, ({ ctx, actor, params, body }) => updatePlant(ctx, actor, params.id, body))
  route(api, contract.updatePlants, ({ ctx, actor, params, body }) => updatePlants(ctx, actor, params.id, body))
  route(api, contract.endPlants, ({ ctx, actor, params, body, idempotency }) => endPlants(ctx, actor, params.id, body, idempotency))
  route(api, contract.revivePlants, ({ ctx, actor, params, body }) => revivePlants(ctx, actor, params.id, body))
  route(api, contract.findPlantByCode, ({ ctx, actor, params }) => findPlantByCode(ctx.db, actor, params.code))

  route(api, lots.listSeedLots, ({ ctx, actor, params }) => listSeedLots(ctx.db, actor, params.id))
  route(api, lots.createSeedLot, ({ ctx, actor, params, body }) => createSeedLot(ctx, actor, params.id, body))
  route(api, lots.updateSeedLot, ({ ctx, actor, params, body }) => updateSeedLot(ctx, actor, params.id, body))
  route(api, lots.deleteSeedLot, ({ ctx, actor, params }) => deleteSeedLot(ctx, actor, params.id))
  route(api, lots.getLineage, ({ ctx, actor, params }) => getLineage(ctx.db, actor, params.id))

  route(api, runs.listRuns, ({ ctx, actor, params }) => listRuns(ctx.db, actor, params.id))
  route(api, runs.createRun, ({ ctx, actor, params, body }) => createRun(ctx, actor, params.id, body))
  route(api, runs.updateRun, ({ ctx, actor, params, body }) => updateRun(ctx, actor, params.id, body))
  route(api, runs.deleteRun, ({ ctx, actor, params }) => deleteRun(ctx, actor, params.id))
  route(api, runs.listPlacements, ({ ctx, actor, params }) => listPlacements(ctx.db, actor, params.id))
  route(api, runs.placePlants, ({ ctx, actor, params, body }) => placePlants(ctx, actor, params.id, body))

  route(api, decisions.listDecisions, ({ ctx, actor, params, query }) => listDecisions(ctx.db, actor, params.id, query))
  route(api, decisions.makeDecisions, ({ ctx, actor, params, body }) => makeDecisions(ctx, actor, params.id, body, rankGenotypes))
  route(api, decisions.undoDecision, ({ ctx, actor, params }) => undoDecision(ctx, actor, params.id))

  route(api, history.listGenotypeHistory, ({ ctx, actor, params, query }) => listGenotypeHistory(ctx.db, actor, params.id, query))
  route(api, history.listPlantHistory, ({ ctx, actor, params, query }) => listPlantHistory(ctx.db, actor, params.id, query))
}
