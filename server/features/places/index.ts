import * as contract from '#contracts/search.endpoints.ts'
import { suggestPlaces } from '#server/kernel/geo/place-search.ts'
import { type Api, route } from '#server/kernel/route.ts'

export { createPlaceCounts, largestCities, type PlaceCounts, placePaths, withoutDemo } from './place-counts.ts'
export { cityPage, readCity, readPlaces, readState } from './place-pages.ts'

export function registerPlaces(api: Api): void {
  route(api, contract.suggestPlaces, async ({ query }) =>
    suggestPlaces(query.q).map(({ id, kind, label, name, state, latitude, longitude }) => ({
      id,
      kind,
      label,
      name,
      state,
      latitude,
      longitude,
    })),
  )
}
