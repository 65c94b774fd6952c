import type { BusinessSort } from '#contracts/businesses.ts'
import type { DiscoverSearch } from '#web/entities/directory/discover-params.ts'
import { defaultRadius, isPoint, sortOf } from '#web/entities/directory/discover-search.ts'
import { radiusWords } from '#web/entities/directory/distance-text.ts'
import { formatNumber } from '#web/lib/format.ts'
import { stateName } from '#web/lib/state-names.ts'
import type { Units } from '#web/lib/units.ts'

type Place = { label: string; radiusMiles: number | null }
type Found = { total: number; place: Place | null }

/** "Near Denver, CO" if the search names a place, otherwise "Discover". `found` is null while loading. */
export function discoverHeading({ near, area }: DiscoverSearch, found: Found | null): string {
  if (area) return 'Discover'
  if (isPoint(near)) return 'Near your location'
  if (found?.place) return `${found.place.radiusMiles === null ? 'In' : 'Near'} ${found.place.label}`
  // A suggested place is already formatted as the server would.
  return !found && near && /, [A-Z]{2}$/.test(near) ? `Near ${near}` : 'Discover'
}

const rankings: Record<BusinessSort, string> = {
  highest_rated: 'Ranked by ratings, then distance.',
  distance: 'Nearest first.',
  name: 'In alphabetical order.',
  newest: 'Newest first.',
}

/** "214 places within 25 miles." */
export function countSentence(search: DiscoverSearch, { total, place }: Found, unit: Units['distance']): string {
  const isTextThePlace = place !== null && !search.near
  const matching = search.search && !isTextThePlace ? ` ${total === 1 ? 'matches' : 'match'} “${search.search}”` : ''
  return `${formatNumber(total)} ${total === 1 ? 'place' : 'places'}${matching}${whereabouts(search, place, unit)}.`
}

function whereabouts({ area, state }: DiscoverSearch, place: Place | null, unit: Units['distance']): string {
  if (area) return ' in this map area'
  if (place?.radiusMiles) return ` within ${radiusWords(place.radiusMiles, unit)}`
  return state ? ` in ${stateName(state)}` : ''
}

export function rankingSentence(search: DiscoverSearch): string {
  return rankings[sortOf(search)]
}

export function emptyReason(search: DiscoverSearch, found: Found | null, unit: Units['distance']): string {
  const isTextThePlace = found?.place && !search.near
  const what = search.search && !isTextThePlace ? `matches “${search.search}”` : 'matches these filters'
  return ['Nothing', what, emptyPlace(search, found?.place ?? null, unit)].filter(Boolean).join(' ').concat('.')
}

function emptyPlace({ area, near, radius = defaultRadius }: DiscoverSearch, place: Place | null, unit: Units['distance']): string {
  if (area) return 'in this map area'
  if (!near) return ''
  if (isPoint(near)) return `within ${radiusWords(radius, unit)} of your location`
  return place?.radiusMiles === null ? `in ${place.label}` : `within ${radiusWords(radius, unit)} of ${place?.label ?? near}`
}
