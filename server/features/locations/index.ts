import * as contract from '../../../contracts/locations.ts'
import type { Db } from '../../db/connect.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Api, route } from '../../kernel/route.ts'
import { requireBusiness } from '../businesses/index.ts'
import { requirePermission } from '../team/index.ts'
import { locationRoom } from './location-room.ts'
import { locationIds } from './locations.queries.ts'
import { loadLocations } from './locations.view.ts'
import { addLocation, removeLocation, saveLocation } from './write-location.ts'

export { guessTimeZone } from './guess-time-zone.ts'
export { loadLocations } from './locations.view.ts'
export { keepMainLocation, locationsForOffers } from './write-location.ts'

export function registerLocations(api: Api): void {
  route(api, contract.listLocations, async ({ ctx, actor, params }) => {
    const { id } = await requireBusiness(ctx.db, params.id, actor?.id ?? null)
    return loadLocations(ctx.db, id, ctx.clock.now())
  })
  route(api, contract.getLocationRoom, async ({ ctx, actor, params }) => {
    const { id } = await requirePermission(ctx.db, actor, params.id, 'profile')
    return locationRoom(ctx.db, id, ctx.clock.now())
  })
  route(api, contract.addLocation, ({ ctx, actor, params, body, idempotency }) => addLocation(ctx, actor, params.id, body, idempotency))
  route(api, contract.saveLocation, ({ ctx, actor, params, body }) => saveLocation(ctx, actor, params.id, params.locationId, body))
  route(api, contract.removeLocation, ({ ctx, actor, params }) => removeLocation(ctx, actor, params.id, params.locationId))
}

/** The main location has the id of its business, and is there before it was saved. @throws AppError not_found */
export async function requireLocation(db: Db, businessId: string, locationId: string): Promise<void> {
  if (locationId === businessId) return
  if (!(await locationIds(db, businessId)).includes(locationId)) throw notFound('Location not found.')
}
