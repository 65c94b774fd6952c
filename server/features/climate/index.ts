import * as contract from '#contracts/climate.endpoints.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { addReadings, beginImport, listImports, serveClimateFile, undoImport } from './climate-imports.ts'
import { getClimate, listReadings, listTargets, removeTarget, setTarget } from './get-climate.ts'
import { createSensorKey, listSensorKeys, receiveSensorReadings, revokeSensorKey } from './sensor-keys.ts'

export { climateFileRoutes } from './climate-imports.ts'
export { sensorRoutes } from './sensor-keys.ts'

export function registerClimate(api: Api): void {
  route(api, contract.getClimate, ({ ctx, actor, params, query }) => getClimate(ctx.db, actor, params.id, query))
  route(api, contract.listClimateReadings, ({ ctx, actor, params, query }) => listReadings(ctx.db, actor, params.id, query))
  route(api, contract.listClimateTargets, ({ ctx, actor, params }) => listTargets(ctx.db, actor, params.id))
  route(api, contract.setClimateTarget, ({ ctx, actor, params, body }) => setTarget(ctx.db, actor, params, body))
  route(api, contract.removeClimateTarget, ({ ctx, actor, params }) => removeTarget(ctx.db, actor, params))
  route(api, contract.listClimateImports, ({ ctx, actor, params, query }) => listImports(ctx.db, actor, params.id, query))
  route(api, contract.beginClimateImport, ({ ctx, actor, params, body }) => beginImport(ctx, actor, params.id, body))
  route(api, contract.addClimateReadings, ({ ctx, actor, params, body }) => addReadings(ctx, actor, params.id, body))
  route(api, contract.undoClimateImport, ({ ctx, actor, params }) => undoImport(ctx, actor, params.id))
  route(api, contract.listSensorKeys, ({ ctx, actor, params }) => listSensorKeys(ctx.db, actor, params.id))
  route(api, contract.createSensorKey, ({ ctx, actor, params, body }) => createSensorKey(ctx, actor, params.id, body))
  route(api, contract.revokeSensorKey, ({ ctx, actor, params }) => revokeSensorKey(ctx, actor, params.id))
  serveClimateFile(api)
  receiveSensorReadings(api)
}
