import * as contract from '#contracts/locations.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { requireBusiness } from '#server/features/businesses/index.ts'
import { requirePermission } from '#server/features/team/index.ts'
import { notFound } from '#server/kernel/errors.ts'
import { type Api, route } from '#server/kernel/route.ts'
import { loadLocations, locationIds } from './locations.view.ts'
import { cancelMove, planMove } from './plan-move.ts'
import { addLocation, locationRoom, removeLocation, saveLocation } from './write-location.ts'

export { loadLocations, loadMainTimes, lockLocations } from './locations.view.ts'
export { locationJobs, locationSchedules } from './plan-move.ts'
export { locationsForOffers, saveMainLocation, setMainHours } from './write-location.ts'

export function registerLocations(api: Api): void {
  route(api, contract.listLocations, async ({ ctx, actor, params }) => {
    const { id } = await requireBusiness(ctx.db, params.id, actor?.id ?? null)
    return loadLocations(ctx.db, id, ctx.clock.now())
  })
  route(api, contract.getLocationLimit, async ({ ctx, actor, params }) => {
    const { id } = await requirePermission(ctx.db, actor, params.id, 'profile')
    return locationRoom(ctx.db, id, ctx.clock.now())
  })
  route(api, contract.addLocation, ({ ctx, actor, params, body, idempotency }) => addLocation(ctx, actor, params.id, body, idempotency))
  route(api, contract.saveLocation, ({ ctx, actor, params, body }) => saveLocation(ctx, actor, params.id, params.locationId, body))
  route(api, contract.removeLocation, ({ ctx, actor, params }) => removeLocation(ctx, actor, params.id, params.locationId))
  route(api, contract.planMove, ({ ctx, actor, params, body }) => planMove(ctx, actor, params.id, body))
  route(api, contract.cancelMove, ({ ctx, actor, params }) => cancelMove(ctx, actor, params.id))
}

/** The main location has the ID of its business, and exists even before it is saved. */
export async function requireLocation(db: Db, businessId: string, locationId: string): Promise<void> {
  if (locationId === businessId) return
  if (!(await locationIds(db, businessId)).includes(locationId)) throw notFound('Location not found.')
}
