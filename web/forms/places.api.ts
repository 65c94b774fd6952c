import { suggestPlaces } from '#contracts/calls/places.ts'
import type { Place } from '#contracts/places.ts'
import { call } from '#web/lib/call.ts'

export const loadPlaces = (text: string, signal: AbortSignal): Promise<Place[]> => call(suggestPlaces, { query: { q: text } }, { signal })

/** "Denver, CO 80202" → "Denver, CO". People's locations are never finer than a city. */
export const cityText = (place: Pick<Place, 'kind' | 'label'>): string =>
  place.kind === 'zip' ? place.label.replace(/ \d{5}$/, '') : place.label
