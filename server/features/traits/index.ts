import * as observations from '#contracts/observations.endpoints.ts'
import * as harvests from '#contracts/traits.endpoints.ts'
import * as labResults from '#contracts/traits.endpoints.ts'
import * as contract from '#contracts/traits.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { deleteHarvest, getHarvest, listHarvests, recordHarvests, updateHarvest } from './harvests.ts'
import { deleteLabResult, deleteLabResults, listLabResults, recordLabResults, updateLabResult } from './lab-results.ts'
import { getObservation, listObservations } from './read-observations.ts'
import { recordObservations, setObservationRuns } from './record-observations.ts'
import { getTraitRecords } from './trait-records.ts'
import { createTrait, deleteTrait, listTraits, orderTraits, setWeights, updateTrait } from './write-traits.ts'

export { recordLabResults, updateLabResult } from './lab-results.ts'
export { mayReadObservedPhoto, type ValueColumns, valueIssue, valueOfColumns } from './read-observations.ts'
export { recordObservations } from './record-observations.ts'
export { readTraitRecords } from './trait-records.ts'
export { labFigure } from './traits.queries.ts'
export { createTrait, updateTrait } from './write-traits.ts'

export function registerTraits(api: Api): void {
  route(api, contract.listTraits, ({ ctx, actor, params }) => listTraits(ctx.db, actor, params.id))
  route(api, contract.createTrait, ({ ctx, actor, params, body, idempotency }) => createTrait(ctx, actor, params.id, body, idempotency))
  route(api, contract.updateTrait, ({ ctx, actor, params, body }) => updateTrait(ctx, actor, params.id, body))
  route(api, contract.setWeights, ({ ctx, actor, params, body }) => setWeights(ctx, actor, params.id, body.weights))
  route(api, contract.orderTraits, ({ ctx, actor, params, body }) => orderTraits(ctx, actor, params.id, body.traitIds))
  route(api, contract.deleteTrait, ({ ctx, actor, params }) => deleteTrait(ctx, actor, params.id))

  route(api, observations.recordObservations, ({ ctx, actor, params, body }) =>
    recordObservations(ctx, actor, params.id, body.observations),
  )
  route(api, observations.setObservationRuns, ({ ctx, actor, params, body }) => setObservationRuns(ctx, actor, params.id, body))
  route(api, observations.listObservations, ({ ctx, actor, params, query }) => listObservations(ctx.db, actor, params.id, query))
  route(api, observations.getObservation, ({ ctx, actor, params }) => getObservation(ctx.db, actor, params.id))
  route(api, observations.getTraitRecords, ({ ctx, actor, params }) => getTraitRecords(ctx.db, actor, params.id))

  route(api, harvests.listHarvests, ({ ctx, actor, params, query }) => listHarvests(ctx.db, actor, params.id, query))
  route(api, harvests.getHarvest, ({ ctx, actor, params }) => getHarvest(ctx.db, actor, params.id))
  route(api, harvests.recordHarvests, ({ ctx, actor, params, body }) => recordHarvests(ctx, actor, params.id, body))
  route(api, harvests.updateHarvest, ({ ctx, actor, params, body }) => updateHarvest(ctx, actor, params.id, body))
  route(api, harvests.deleteHarvest, ({ ctx, actor, params }) => deleteHarvest(ctx, actor, params.id))

  route(api, labResults.listLabResults, ({ ctx, actor, params, query }) => listLabResults(ctx.db, actor, params.id, query))
  route(api, labResults.recordLabResults, ({ ctx, actor, params, body }) =>
    recordLabResults(ctx, actor, params.id, body.results, body.sameSample),
  )
  route(api, labResults.deleteLabResults, ({ ctx, actor, params, body }) => deleteLabResults(ctx, actor, params.id, body.ids))
  route(api, labResults.updateLabResult, ({ ctx, actor, params, body }) => updateLabResult(ctx, actor, params.id, body))
  route(api, labResults.deleteLabResult, ({ ctx, actor, params }) => deleteLabResult(ctx, actor, params.id))
}
