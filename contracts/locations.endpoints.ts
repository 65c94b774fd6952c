import { Business } from './businesses.ts'
import { endpoint } from './endpoint.ts'
import { Id, IdOrSlug, IdOrSlugParams } from './fields.ts'
import { Location, LocationDetails, LocationEdit, NewMove } from './locations.ts'
import * as z from './zod.ts'

export const listLocations = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/locations',
  summary: "List a business's locations and opening hours, the main location first",
  tag: 'Locations',
  access: 'public',
  params: IdOrSlugParams,
  response: z.array(Location),
})

const LocationParams = z.object({ id: IdOrSlug, locationId: Id })

export const getLocationLimit = endpoint({
  method: 'GET',
  path: '/api/businesses/:id/location-room',
  summary: 'Read how many locations a business has and how many it can have',
  tag: 'Locations',
  access: 'member',
  params: IdOrSlugParams,
  response: z.object({ locationCount: z.int(), /** Null: unlimited. */ locationLimit: z.nullable(z.int()) }),
})

export const addLocation = endpoint({
  method: 'POST',
  path: '/api/businesses/:id/locations',
  summary: "Add a location. Returns 409 `plan_limit` at the plan's limit.",
  tag: 'Locations',
  access: 'member',
  words: 'mixed',
  idempotent: true,
  params: IdOrSlugParams,
  body: LocationDetails,
  response: Location,
  status: 201,
})

export const saveLocation = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/locations/:locationId',
  summary: 'Change a location. Returns 409 if you send an outdated `version`.',
  tag: 'Locations',
  access: 'member',
  words: 'mixed',
  params: LocationParams,
  body: LocationEdit,
  response: Location,
})

export const removeLocation = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/locations/:locationId',
  summary: 'Remove a location other than the main one. Idempotent.',
  tag: 'Locations',
  access: 'member',
  params: LocationParams,
})

export const planMove = endpoint({
  method: 'PUT',
  path: '/api/businesses/:id/move',
  summary: "Announce when and where a business will move. Replaces an earlier plan. The business's address changes on that day.",
  tag: 'Locations',
  access: 'member',
  words: 'published',
  params: IdOrSlugParams,
  body: NewMove,
  response: Business,
})

export const cancelMove = endpoint({
  method: 'DELETE',
  path: '/api/businesses/:id/move',
  summary: 'Cancel a planned move. Idempotent.',
  tag: 'Locations',
  access: 'member',
  params: IdOrSlugParams,
  response: Business,
})
